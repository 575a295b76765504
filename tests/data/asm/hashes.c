#include <stddef.h>
#include <stdint.h>

uint64_t fnv1a(const unsigned char *bytes, size_t n) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

uint64_t mix(uint64_t x) {
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdu;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53u;
    return x ^ x >> 33;
}

#include <stddef.h>
#include <stdint.h>

static uint32_t table[256];
uint32_t shared[64];

void fill(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        table[i] = c;
    }
}

uint32_t crc32(const unsigned char *bytes, size_t n) {
    uint32_t crc = ~0u;
    for (size_t i = 0; i < n; i++)
        crc = table[(crc ^ bytes[i]) & 255] ^ crc >> 8;
    return ~crc;
}

uint32_t next(void) { return shared[3] += 5; }

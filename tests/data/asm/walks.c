#include <math.h>
#include <stddef.h>

struct node {
    struct node *next;
    long value;
};

long chase(const struct node *at) {
    long sum = 0;
    for (; at; at = at->next)
        sum += at->value;
    return sum;
}

double sines(const double *x, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += sin(x[i]);
    return sum;
}

int words(const char *text) {
    int count = 0, inside = 0;
    for (; *text; text++) {
        switch (*text) {
        case ' ': case '\t': case '\n': case '\r': case '\v': case '\f':
            inside = 0;
            break;
        case '-': case '\'': case '_':
            break;
        default:
            count += !inside;
            inside = 1;
        }
    }
    return count;
}

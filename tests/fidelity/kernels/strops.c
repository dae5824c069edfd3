// SPDX-License-Identifier: Apache-2.0
#include "common.h"
static char x[64], y[64];
static long slen(const char* s) {
    long n = 0;
    while (s[n])
        n++;
    return n;
}
static int scmp(const char* a, const char* b) {
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a - *b;
}
static void scpy(char* d, const char* s) {
    while ((*d++ = *s++))
        ;
}
void setup(void) {
    for (int i = 0; i < 40; i++)
        x[i] = 'A' + i % 26;
    x[40] = 0;
}
long run(void) {
    long r = 0;
    for (int i = 0; i < 20; i++) {
        scpy(y, x);
        y[39] ^= (i & 1);
        r += slen(y);
        r += scmp(x, y);
    }
    return r;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What same_work.c measures: compiled once, and linked on bare metal as under Linux. */

/* In how many ways n is a sum of numbers up to most. */
unsigned partitions(int n, int most) {
    for (int i = 0; i < n; ++i) {
        __asm__ volatile("");
    }
    if (n < 0 || most == 0) {
        return 0;
    }
    return n == 0 ? 1 : partitions(n - most, most) + partitions(n, most - 1);
}

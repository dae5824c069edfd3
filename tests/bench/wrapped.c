// SPDX-License-Identifier: Apache-2.0
// A benchmark whose main is called by sampling.S or records.c. The build gives BENCH_SOURCE.

// At the beginning of a page in each program: what stands before it has another size in each, and a
// loop that lies otherwise in the lines of the instruction cache is another loop to fetch.
int bench_main(void) __attribute__((aligned(4096)));

#define main bench_main
#include BENCH_SOURCE

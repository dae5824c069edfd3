// SPDX-License-Identifier: Apache-2.0
// A benchmark whose main is called by sampling.S. The build gives BENCH_SOURCE.
#define main bench_main
#include BENCH_SOURCE

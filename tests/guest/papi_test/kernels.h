/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of kernels.S. */
#ifndef PES_PAPI_TEST_KERNELS_H
#define PES_PAPI_TEST_KERNELS_H

#ifdef __cplusplus
extern "C" {
#endif

void mixed_loop(long iterations); /* an iteration: load, store, 2 integer, branch */
void float_loop(long iterations); /* an iteration: floating point, integer, branch */
extern const char mixed_loop_load[];
extern const char mixed_loop_end[];
extern const char float_loop_end[];

#ifdef __cplusplus
}
#endif

#endif

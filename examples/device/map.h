// SPDX-License-Identifier: Apache-2.0
// Registers of the test timer, for the model and for programs in C.
#pragma once

#define TEST_TIMER_BASE 0x10001000
#define TEST_TIMER_SOURCE 3 /* of the PLIC: interrupt id 4 */

#define TEST_TIMER_COUNT 0x00   /* 64 bits, read-only: ticks since reset */
#define TEST_TIMER_COMPARE 0x08 /* 64 bits; all ones after reset */
#define TEST_TIMER_CONTROL 0x10 /* 32 bits; bit 0: the interrupt is enabled */

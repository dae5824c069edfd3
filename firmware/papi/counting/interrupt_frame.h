/* SPDX-License-Identifier: Apache-2.0 */
/* What the library's trap entry saves on the interrupted stack; the context of an overflow
 * handler. For C++ and the assembler. */
#ifndef PES_PAPI_INTERRUPT_FRAME_H
#define PES_PAPI_INTERRUPT_FRAME_H

/* x[n] is at 8 n; x[0] holds the interrupted pc. */
#define PES_PAPI_FRAME_STATUS 256
#define PES_PAPI_FRAME_FCSR 264
#define PES_PAPI_FRAME_FLOAT 272
#define PES_PAPI_FRAME_SIZE 432 /* 20 caller-saved floating-point registers; 16-byte aligned */

#ifndef __ASSEMBLER__
#include <stdint.h>

namespace pes::papi {

struct InterruptFrame {
    uint64_t x[32];
    uint64_t status; ///< sstatus
    uint64_t fcsr;
    uint64_t f[20];
};
static_assert(sizeof(InterruptFrame) == PES_PAPI_FRAME_SIZE);

} // namespace pes::papi
#endif
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Events through the software trace module of the hart that calls, in any mode: they cost a CSR
   write, and nothing waits for them. For `pes-vp run --osd-trace`; docs/trace-software.md. */
#ifndef PES_SOFTWARE_TRACE_H
#define PES_SOFTWARE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a debugger does from outside: the module of a hart sends events from now on, or none. With
   threads, it tells when the thread pointer changes. Machine mode, or supervisor mode where the
   firmware leaves it the device. */
void pes_software_trace_start(unsigned hart, bool threads);
void pes_software_trace_stall(unsigned hart);

void pes_software_trace_event(uint16_t id, uint64_t value);
/* Characters of a log; a newline ends a line. */
void pes_software_trace_print(const char* text);
/* A name for the thread that runs, the one of the thread pointer. */
void pes_software_trace_name_thread(const char* name);

#ifdef __cplusplus
}
#endif

#endif

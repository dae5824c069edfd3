/* SPDX-License-Identifier: Apache-2.0 */
/* Trace performance library for programs under Linux: writes the counters of the program into the
 * trace of its hart, where a decoder finds them with the time and the address of each record. C and
 * C++; names, arguments and return values are those of the library that SiFive described. It needs
 * the driver linux/trace.
 *
 *     perfInit(harts, funnels);                              one thread, once
 *     perfManualInit(events, count, 6, perfCount_Raw, 0);    each thread that is to be traced; or
 *     perfTimerISRInit(..., interval);  or  perfFuncEntryExitInit(...);
 *     perfTraceOn();                                         each of them: header; then records
 *     perfWriteCntrs(); ...
 *     perfTraceOff();
 *     perfWriteTrace(NULL);                                  trace.rtd in the current folder
 *
 * A thread that is traced runs on one hart (taskset, sched_setaffinity), and each on another one.
 * Counters count what the thread does in user mode; the timestamp goes on in any case. All
 * functions return 0, or 1 for an error that has changed nothing that is traced; perfLastError says
 * in a sentence what was wrong. docs/trace-performance-library.md has the differences to the
 * bare-metal version. */
#ifndef SIFIVE_LINUX_PERF_H
#define SIFIVE_LINUX_PERF_H

#include "perf_types.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* num_cores 1 to PERF_MAX_CORES, no more than the driver has found; num_funnels as many as it has
 * found. tmm and fmm are compared with it, where the program defines them. */
int perfInit(int num_cores, int num_funnels);

/* itcChannel 0 to 31. SBABufferSize 0: the trace goes to the SRAM; otherwise to so many bytes of
 * memory, which the driver provides, and all threads must ask for the same size. Tracing stops when
 * the buffer is full. interval: microseconds from record to record, at least 100 (less is taken as
 * 100), by a timer whose signal is SIGRTMAX. */
int perfManualInit(perfEvent* perfCntrList, int numCntrs, int itcChannel, perfCountType_t cntType,
                   uint32_t SBABufferSize);
int perfTimerISRInit(perfEvent* perfCntrList, int numCntrs, int itcChannel, perfCountType_t cntType,
                     uint32_t SBABufferSize, int interval);
int perfFuncEntryExitInit(perfEvent* perfCntrList, int numCntrs, int itcChannel,
                          perfCountType_t cntType, uint32_t SBABufferSize);

/* Records of this thread are written from here on, or no longer. On writes a header. */
int perfTraceOn(void);
int perfTraceOff(void);

/* A record with the return address of the call; nothing while records are off. 0: it has been
 * handed to the encoder. What does not fit into the buffer any more is lost, and perfWriteTrace
 * tells so. */
int perfWriteCntrs(void);

/* Writes what has been recorded so far to a file; null: trace.rtd. How to read it, and whether the
 * buffer was full, goes to a file of that name with .toml behind it. Records stay on or off. */
int perfWriteTrace(const char* file);

/* Why a call of this thread returned 1 the last time; an empty text if none has. */
const char* perfLastError(void);

void __cyg_profile_func_enter(void* this_fn, void* call_site);
void __cyg_profile_func_exit(void* this_fn, void* call_site);

#ifdef __cplusplus
}
#endif

#endif

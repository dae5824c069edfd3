/* SPDX-License-Identifier: Apache-2.0 */
/* Trace performance library: writes the hart's counters into its trace, where a decoder finds them
 * with the time and the address of each record. For machine-mode programs without an operating
 * system. C and C++; names, arguments and return values are those of the bare-metal library that
 * SiFive published with its trace decoder: programs written for that one include this header
 * instead.
 *
 *     perfInit(harts, funnels);                       one hart, once
 *     perfManualInit(events, count, 6, perfCount_Raw, 0);   each hart that is to be traced; or
 *     perfTimerISRInit(..., interval);  or  perfFuncEntryExitInit(...);
 *     perfTraceOn();                                  each of them: header; from here on, records
 *     perfWriteCntrs(); ...
 *     perfTraceOff();
 *     perfWriteTrace("trace.rtd");
 *
 * All functions return 0, or 1 for an error that has changed nothing that is traced; none traps,
 * whatever the machine lacks. perfLastError says in a sentence what was wrong.
 *
 * Where the published text and the published code disagree, this library does what the text says;
 * where the code could not work, what works. The differences to the published code:
 *
 *  Counters
 *   1. All counters up to 31 that the hart has, not only 3 to 6. A list with more events than
 *      counters, or with an event that the hart does not have, is an error; the published code
 *      drops such events with a message and compares the place in the list, not the counter.
 *   2. Events of type 0 and 1 are counted: the code is translated to the hart's event selector.
 *      The published code programs the selector of type 2 only.
 *   3. The header's code of a type 1 event is the SBI's (cache_id << 3 | op_id << 1 | result_id),
 *      not the cache_id alone.
 *   4. Counters that are not in the list keep running, or standing still, as they did.
 *  Records
 *   5. Interrupts are masked from the first to the last store of a header or record, so that an
 *      interrupt cannot tear one.
 *   6. perfCount_DeltaXOR XORs addresses too. Each header sets the reference to 0.
 *   7. The counters of a record are read one after the other before its first store, the
 *      timestamp last.
 *   8. The library's memory of previous values starts anew at each perfTraceOn.
 *   9. The width in the timestamp's counter info is known before the first header.
 *  Trace units
 *  10. Each hart has its own state, events and count type, and turns its own records on and off; a
 *      call on one hart resets no other hart's encoder. The funnel is set up by the first one.
 *  11. More than one funnel: hart h belongs to funnel h * funnels / harts.
 *  12. The last word of a buffer in memory is at base + size - word, the high half of its
 *      address is shifted by 32, and its write pointer starts at the base. A buffer that the
 *      registers do not take, or that crosses a 4 GiB line, is an error, not cut short.
 *  13. A sink or timestamp that the hardware does not have is an error.
 *  14. A set type of timestamp is kept.
 *  Calls
 *  15. The second address of a function's entry or exit is the start of its caller, as the text
 *      says. The published code records the call site, which perfSetCaller brings back.
 *  16. Memory for buffers is not set aside when the library is compiled (PERF_MEM_POOL_SIZE): the
 *      platform tells what it has, or the program gives its own (perfSetPlatform). So it is with
 *      the frequencies of clock and timer.
 *  17. A unit, counter register or timer that does not exist is an error and not a trap.
 *  18. perfTraceOn returns 1 before initialisation. perfWriteCntrs returns an int: 1 if the record
 *      could not be written because the hart is not initialised or the buffer is full.
 *  19. The functions that the compiler inserts with -finstrument-functions record only after
 *      perfFuncEntryExitInit, and the timer only after perfTimerISRInit.
 *  20. Nothing is given to free(). A second initialisation of a hart uses its buffer again.
 *  21. perfWriteTrace exists without an operating system: through the simulator's file service. It
 *      leaves a second file that says how to read the first.
 *  22. After a late timer interrupt the next one is at the next multiple of the interval, not at
 *      once.
 *  23. perfLostRecords, perfLastError, perfSetPlatform, perfSetCaller and perfTimerInterrupt are
 *      additions.
 */
#ifndef PES_FIRMWARE_PERF_PERF_H
#define PES_FIRMWARE_PERF_PERF_H

#include "firmware/perf/perf_types.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where the trace units are: the library has tables for the platform that it is built for. A
 * program that defines its own overrides them, with the published names and types:
 *
 *     struct TraceRegMemMap volatile* tmm[]            encoders, by hart
 *     struct TfTraceRegMemMap volatile* fmm            the funnel
 *     struct TfTraceRegMemMap volatile* perfFunnels[]  all of them, if there are several
 *
 * and, where the units have the registers of the RISC-V Trace Control Interface 1.0:
 *
 *     struct RamSinkRegMemMap volatile* perfRamSinks[] RAM sinks, by hart; with funnels the first
 */
struct TraceRegMemMap;
struct TfTraceRegMemMap;
struct RamSinkRegMemMap;

/* What the library cannot find out by itself, before perfInit. A field that is 0 stands for what
 * the platform tells: a simulator that runs the program does, through its host calls; other
 * machines tell nothing. Without a pool there is no buffer in memory (SBABufferSize), and without
 * the timer's frequency no record from the timer. */
typedef struct {
    uint64_t clock_hz;    /* of the timestamps, before tsPrescale */
    uint64_t timebase_hz; /* of mtime */
    void* pool;           /* memory for buffers */
    uint64_t pool_size;   /* bytes */
} perfPlatform;
int perfSetPlatform(const perfPlatform* platform);

/* Once, before all others but perfSetPlatform, on one hart. num_cores 1 to PERF_MAX_CORES,
 * num_funnels 0 to PERF_MAX_FUNNELS; 0: each encoder has sinks of its own. Brings all of them to
 * reset. */
int perfInit(int num_cores, int num_funnels);

/* On each hart that is to be traced: sets up counters, encoder and, if it is the first of its
 * funnel, the funnel. itcChannel 0 to 31. SBABufferSize 0: the trace goes to the SRAM of the
 * encoder or funnel; otherwise to so many bytes of memory, and all harts of a funnel must ask for
 * the same size. Tracing stops when the buffer is full.
 * interval: microseconds from record to record, at least 100 (less is taken as 100). */
int perfManualInit(perfEvent* perfCntrList, int numCntrs, int itcChannel, perfCountType_t cntType,
                   uint32_t SBABufferSize);
int perfTimerISRInit(perfEvent* perfCntrList, int numCntrs, int itcChannel, perfCountType_t cntType,
                     uint32_t SBABufferSize, int interval);
int perfFuncEntryExitInit(perfEvent* perfCntrList, int numCntrs, int itcChannel,
                          perfCountType_t cntType, uint32_t SBABufferSize);

/* Records of this hart are written from here on, or no longer. On writes a header. */
int perfTraceOn(void);
int perfTraceOff(void);

/* A record with the return address of the call; nothing while records are off. 0: it has been
 * handed to the encoder. If the buffer fills up meanwhile it may be lost all the same:
 * perfLostRecords. */
int perfWriteCntrs(void);

/* The second address of this hart's records of function entry and exit, after perfInit: the start
 * of the function that the call came from or returns to, without more said, or the address behind
 * the call. A caller that is not compiled with -finstrument-functions, or that is more than 128
 * calls deep, is recorded by the address behind the call. */
typedef enum { perfCaller_FunctionStart = 0, perfCaller_CallSite = 1 } perfCaller_t;
int perfSetCaller(perfCaller_t caller);

/* Writes what this hart's encoder or funnel has gathered so far to a file of the host; null:
 * trace.rtd. How to read it goes to a file of that name with .toml behind it. Records stay on or
 * off. Harts of the same funnel should not write records meanwhile. */
int perfWriteTrace(const char* file);

/* Records of this hart that are not, or not whole, in the trace because the buffer was full. The
 * first call after that reads the buffer. */
unsigned long perfLostRecords(void);

/* Why a call of this hart returned 1 the last time; an empty text if none has. */
const char* perfLastError(void);

/* perfTimerISRInit sets mtvec. A program with a trap handler of its own sets mtvec again afterwards
 * and calls this for a machine timer interrupt, with mepc. */
void perfTimerInterrupt(uintptr_t pc);

void __cyg_profile_func_enter(void* this_fn, void* call_site);
void __cyg_profile_func_exit(void* this_fn, void* call_site);

#ifdef __cplusplus
}
#endif

#endif

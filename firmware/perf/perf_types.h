/* SPDX-License-Identifier: Apache-2.0 */
/* What the bare-metal and the Linux version of the trace performance library have in common: the
 * published names of events, records and codings. Their values are those of the record format,
 * hw/interface/trace/perf_record.h. C and C++. */
#ifndef PES_FIRMWARE_PERF_PERF_TYPES_H
#define PES_FIRMWARE_PERF_PERF_TYPES_H

/* Codes of type 0 (perfEventHWGeneral): those of the SBI, and the trace's own timestamp. */
#define HW_NO_EVENT 0
#define HW_CPU_CYCLES 1
#define HW_INSTRUCTIONS 2
#define HW_CACHE_REFERENCES 3
#define HW_CACHE_MISSES 4
#define HW_BRANCH_INSTRUCTIONS 5
#define HW_BRANCH_MISSES 6
#define HW_BUS_CYCLES 7
#define HW_STALLED_CYCLES_FRONTEND 8
#define HW_STALLED_CYCLES_BACKEND 9
#define HW_REF_CPU_CYLES 10 /* spelt as published */
#define HW_TIMESTAMP 0x80

#define PERF_MAX_CORES 8
#define PERF_MAX_FUNNELS 8
#define PERF_MAX_CNTRS 32
#define PERF_MARKER_VAL 0x70657266 /* "perf" */

enum { perfEventHWGeneral = 0, perfEventHWCache = 1, perfEventHWRaw = 2, perfEventFW = 15 };

typedef enum {
    perfRecord_FuncEnter = 0,
    perfRecord_FuncExit = 1,
    perfRecord_Manual = 2,
    perfRecord_ISR = 3
} perfRecordType_t;

typedef enum { perfCount_Raw = 0, perfCount_Delta = 1, perfCount_DeltaXOR = 2 } perfCountType_t;

/* One event to count. Cycles, timestamp and instructions have counters 0, 1 and 2; all others get
 * the counters from 3 on, in the order of the list. */
typedef struct {
    unsigned int ctrIdx; /* not read */
    int type;            /* perfEventHWGeneral, perfEventHWCache or perfEventHWRaw */
    __extension__ union {
        int code; /* type 0 */
        __extension__ struct {
            int cache_id; /* type 1, the SBI's numbers */
            int op_id;
            int result_id;
        };
    };
    unsigned long event_data; /* type 2: value of mhpmevent */
    unsigned long ctrInfo;    /* not read */
} perfEvent;

#endif

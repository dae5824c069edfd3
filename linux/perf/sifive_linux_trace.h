/* SPDX-License-Identifier: Apache-2.0 */
/* Where the program says that the trace units are, by their physical addresses. The library never
 * uses an address: it compares them with what the driver has found. A program that defines neither
 * takes what there is.
 *
 *     struct TraceRegMemMap volatile* tmm[]      encoders, by hart
 *     struct TfTraceRegMemMap volatile* fmm      the funnel; NULL: there is none
 */
#ifndef SIFIVE_LINUX_TRACE_H
#define SIFIVE_LINUX_TRACE_H

struct TraceRegMemMap;
struct TfTraceRegMemMap;

extern struct TraceRegMemMap volatile* tmm[];
extern struct TfTraceRegMemMap volatile* fmm;

#endif

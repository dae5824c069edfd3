// SPDX-License-Identifier: Apache-2.0
#include "firmware/sdk/pes_software_trace.h"

#include "firmware/lib/software_trace.h"

extern "C" {

void pes_software_trace_start(unsigned hart, bool threads) {
    pes::software_trace::start(hart, threads);
}

void pes_software_trace_stall(unsigned hart) {
    pes::software_trace::stall(hart);
}

void pes_software_trace_event(uint16_t id, uint64_t value) {
    pes::software_trace::emit(id, value);
}

void pes_software_trace_print(const char* text) {
    pes::software_trace::print(text);
}

void pes_software_trace_name_thread(const char* name) {
    pes::software_trace::name_thread(name);
}
}

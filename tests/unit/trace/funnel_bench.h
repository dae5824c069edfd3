// SPDX-License-Identifier: Apache-2.0
// A funnel with its sink and inputs, driven by hand through its registers.
#pragma once

#include "hw/trace/sinks/funnel.h"
#include "tests/unit/trace/sink_bench.h"

#include <initializer_list>

namespace pes::trace::test {

inline SinkConfig funnel_sinks(std::initializer_list<std::uint32_t> codes) {
    return {.sinks = sinks(codes), .sram_bytes = 256};
}

struct FunnelBench : SinkWorld {
    explicit FunnelBench(const SinkConfig& config = funnel_sinks({trace_map::sink::kSram}),
                         std::size_t inputs = 2, RegisterSet registers = RegisterSet::SiFive)
        : unit("funnel", config, clock, &memory, &probe), funnel({.registers = registers}, unit),
          sources(inputs) {
        for (FakeSource& source : sources) {
            source.set_listener(&funnel.add_input(source));
        }
    }
    std::uint32_t read(Address offset) { return read_register(funnel.registers(), offset); }
    void write(Address offset, std::uint32_t value) {
        write_register(funnel.registers(), offset, value);
    }
    void run_to(Cycle cycle) { serve(unit, cycle); }
    Bytes stored(std::size_t size) {
        return {unit.sram().begin(), unit.sram().begin() + static_cast<std::ptrdiff_t>(size)};
    }

    TraceSink unit;
    Funnel funnel;
    std::deque<FakeSource> sources;
};

} // namespace pes::trace::test

// SPDX-License-Identifier: Apache-2.0
// Host time of the timing model: a loop of 24 instructions with the mix of ordinary code (12 ALU, 5
// loads, 3 stores, 3 branches, 1 multiplication). Goal: 20 ns per instruction.
#include "program.h"

#include <benchmark/benchmark.h>

namespace pes {
namespace {

using namespace timing_test;

void ordinary_code(benchmark::State& state) {
    Program program;
    const Address top = program.pc();
    Address data = Program::kData;
    std::int64_t instructions = 0;
    for (auto _ : state) {
        for (RegisterIndex block = 0; block < 3; ++block) {
            program.access(load(10), data);
            program.run(alu(11, 10));
            program.run(compressed(alu(12, 11)));
            program.run(compressed(alu(13)));
            program.run(alu(14));
            program.access(store(), data + 0x4000);
            data = Program::kData + (data + 8) % 0x4000;
            if (block < 2) {
                program.access(load(15), data);
                program.jump(branch(8), program.pc() + 4);
            }
        }
        program.run(make(TimingClass::Multiply, 16, 14));
        program.jump(branch(-64), top);
        instructions += 24;
    }
    state.SetItemsProcessed(instructions);
}
BENCHMARK(ordinary_code);

} // namespace
} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// A demonstration of the trace performance library from end to end: run it, decode the file that it
// wrote, and have both sides as values: what the program printed of its own counters, and what the
// records in the trace say.
#pragma once

#include "hw/interface/trace/perf_record.h"
#include "tests/e2e/trace/console_lines.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pes::test {

/// How a program has been built: trace_<way>_<type>_<buffer>; and the registers that it finds.
struct Variant {
    perf_record::CountType type{};
    bool in_memory = false; ///< buffer in memory, not SRAM
    bool standard = false;  ///< trace.registers

    std::string suffix() const;
    std::string name() const; ///< of the test
};
inline const std::array<Variant, 10> kVariants{{{perf_record::CountType::Raw, false},
                                                {perf_record::CountType::Raw, true},
                                                {perf_record::CountType::Delta, false},
                                                {perf_record::CountType::Delta, true},
                                                {perf_record::CountType::DeltaXor, false},
                                                {perf_record::CountType::DeltaXor, true},
                                                {perf_record::CountType::Raw, false, true},
                                                {perf_record::CountType::Raw, true, true},
                                                {perf_record::CountType::Delta, true, true},
                                                {perf_record::CountType::DeltaXor, false, true}}};

struct Definition {
    unsigned counter = 0;
    unsigned type = 0;
    std::uint64_t code = 0;       ///< types 0 and 1
    std::uint64_t event_data = 0; ///< type 2
    unsigned csr = 0;
    unsigned bits = 0;

    bool operator==(const Definition&) const = default;
};

struct DecodedRecord {
    std::uint64_t ticks = 0; ///< of its address
    perf_record::RecordKind kind{};
    std::uint64_t address = 0;
    std::uint64_t call_site = 0;
    std::string function; ///< of the address; of a function exit, that of the call site
    std::map<unsigned, std::uint64_t> values; ///< by counter, as decoded: deltas stay deltas
};

/// What one hart has traced.
struct DecodedTrace {
    std::uint32_t mask = 0;
    std::vector<Definition> definitions;
    std::vector<DecodedRecord> records;

    /// Values of a counter over the records. Of a Delta trace the sums, from `base` on.
    std::vector<std::uint64_t> values_of(unsigned counter, perf_record::CountType type,
                                         std::uint64_t base) const;
};

struct Demonstration {
    int exit_code = -1;
    std::string problem; ///< what a command said when it failed
    ConsoleLines printed;
    std::string count_type; ///< of the trace
    std::map<unsigned, DecodedTrace> harts;
};

/// What the decoder may find wrong with the trace. A buffer that wrapped has lost its first times.
enum class Flaws : std::uint8_t { Refused, Allowed };

struct DemonstrationRun {
    std::string program; ///< without folder and ending
    std::string trace;   ///< file that it writes
    std::string settings{};
    Flaws flaws = Flaws::Refused;
};

/// Options to read the trace with are not needed: the program has written them beside it.
Demonstration run_demonstration(const DemonstrationRun& run);

} // namespace pes::test

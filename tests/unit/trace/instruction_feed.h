// SPDX-License-Identifier: Apache-2.0
// Feeds a tracer one instruction after the other, one a cycle, and keeps what it sends.
#pragma once

#include "hw/trace/program/program_tracer.h"
#include "tests/unit/trace/recording_port.h"

#include <gtest/gtest.h>

#include <ostream>

namespace pes::trace {

inline void PrintTo(const TraceMessage& message, std::ostream* out) { // GoogleTest's name
    *out << layout_of(message.code).name;
    for (const std::uint64_t value : message.values) {
        *out << ' ' << std::hex << value;
    }
}

namespace test {

// Instruction words
inline constexpr std::uint32_t kAdd = 0x00b50533;      ///< add a0,a0,a1
inline constexpr std::uint32_t kCAdd = 0x952e;         ///< c.add a0,a1
inline constexpr std::uint32_t kRet = 0x8082;          ///< c.jr ra
inline constexpr std::uint32_t kCallA5 = 0x9782;       ///< c.jalr a5
inline constexpr std::uint32_t kJumpA0 = 0x8502;       ///< c.jr a0
inline constexpr std::uint32_t kMret = 0x30200073;     ///< mret
inline constexpr std::uint32_t kCall2048 = 0x001000ef; ///< jal ra,.+2048

inline constexpr std::uint64_t kInterrupt = std::uint64_t{1} << 63; ///< xcause

class FeedCounters final : public CounterSource {
  public:
    std::array<std::uint64_t, kEventCounters> counters(Cycle at) override {
        asked = at;
        return values;
    }
    std::array<std::uint64_t, kEventCounters> values{};
    Cycle asked = 0;
};

class InstructionFeed : public ::testing::Test {
  protected:
    void begin_at(Address pc) { pc_ = pc; }
    void run(std::uint32_t raw) { jump(raw, pc_ + instruction_length(raw)); }
    void taken(std::uint32_t raw) { jump(raw, classify_flow(raw).target(pc_)); }
    void jump(std::uint32_t raw, Address to) {
        tracer_.retired({.cycle = ++cycle_,
                         .pc = pc_,
                         .next_pc = to,
                         .raw = raw,
                         .length = static_cast<std::uint8_t>(instruction_length(raw)),
                         .privilege = privilege_});
        pc_ = to;
    }
    void trap(std::uint64_t cause, Address vector, Privilege to = Privilege::Machine) {
        tracer_.trapped({.cycle = ++cycle_,
                         .cause = cause,
                         .epc = pc_,
                         .tval = 0,
                         .vector = vector,
                         .from = privilege_,
                         .to = to});
        pc_ = vector;
        privilege_ = to;
    }
    void stop(CorrelationEvent reason = CorrelationEvent::TraceDisabled) {
        tracer_.stop(reason, ++cycle_);
    }

    std::vector<TraceMessage> messages() const { return port_.messages(); }
    TraceMessage last() const { return port_.sent.back().message; }

    RecordingPort port_;
    FeedCounters counters_;
    ProgramTracer tracer_{port_, &counters_};
    InstructionTraceSettings settings_;
    Address pc_ = 0x1000;
    Privilege privilege_ = Privilege::Machine;
    Cycle cycle_ = 100;
};

} // namespace test
} // namespace pes::trace

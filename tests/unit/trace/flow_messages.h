// SPDX-License-Identifier: Apache-2.0
// Sequences of instructions for a flow tracer, and the messages that are expected of it.
#pragma once

#include "tests/unit/trace/instruction_feed.h"

#include <vector>

namespace pes::trace::test {

inline constexpr std::uint32_t kBeq16 = 0x00b50863;   // beq a0,a1,.+16
inline constexpr std::uint32_t kBeqSelf = 0x00b50063; // beq a0,a1,.
inline constexpr std::uint32_t kCj90 = 0xa8a9;        // c.j .+90

class FlowTracerTest : public InstructionFeed {
  protected:
    void start(InstructionMode mode, TimestampDialect dialect = TimestampDialect::SiFive,
               SyncReason reason = SyncReason::TraceEnable) {
        settings_.mode = mode;
        settings_.dialect = dialect;
        tracer_.configure(settings_);
        tracer_.start(reason, cycle_);
    }
};

inline TraceMessage sync(SyncReason reason, Address pc, std::uint64_t units = 0) {
    return make_message(MessageCode::ProgramTraceSync)
        .set(Field::SyncReason, reason)
        .set(Field::InstructionCount, units)
        .set(Field::Address, pc >> 1);
}
inline TraceMessage direct(std::uint64_t units) {
    return make_message(MessageCode::DirectBranch).set(Field::InstructionCount, units);
}
inline TraceMessage indirect(BranchType type, std::uint64_t units, Address from, Address to) {
    return make_message(MessageCode::IndirectBranch)
        .set(Field::BranchType, type)
        .set(Field::InstructionCount, units)
        .set(Field::Address, (from ^ to) >> 1);
}
inline TraceMessage indirect_history(BranchType type, std::uint64_t units, Address from, Address to,
                                     std::uint64_t history) {
    return make_message(MessageCode::IndirectBranchHistory)
        .set(Field::BranchType, type)
        .set(Field::InstructionCount, units)
        .set(Field::Address, (from ^ to) >> 1)
        .set(Field::History, history);
}
inline TraceMessage history_sync(SyncReason reason, BranchType type, std::uint64_t units,
                                 Address pc, std::uint64_t history) {
    return make_message(MessageCode::IndirectBranchHistorySync)
        .set(Field::SyncReason, reason)
        .set(Field::BranchType, type)
        .set(Field::InstructionCount, units)
        .set(Field::Address, pc >> 1)
        .set(Field::History, history);
}
inline TraceMessage correlation(std::uint64_t units) {
    return make_message(MessageCode::ProgramTraceCorrelation)
        .set(Field::EventCode, CorrelationEvent::TraceDisabled)
        .set(Field::InstructionCount, units);
}
inline TraceMessage correlation(std::uint64_t units, std::uint64_t history) {
    return correlation(units).set(Field::DataFormat, 1).set(Field::History, history);
}
inline TraceMessage resource_full(Resource code, std::uint64_t data) {
    return make_message(MessageCode::ResourceFull)
        .set(Field::ResourceCode, code)
        .set(Field::ResourceData, data);
}
inline TraceMessage ownership(std::uint64_t process) {
    return make_message(MessageCode::Ownership).set(Field::Process, process);
}
using Messages = std::vector<TraceMessage>;

inline constexpr SyncReason kEnable = SyncReason::TraceEnable;

} // namespace pes::trace::test

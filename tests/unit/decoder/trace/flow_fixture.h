// SPDX-License-Identifier: Apache-2.0
// Small programs and hand-made messages for tests of the instruction flow.
#pragma once

#include "decoder/trace/flow/flow.h"

#include <map>
#include <string>

namespace pes::trace::test {

/// Code bytes by address; places that are not written hold zeros (no instruction).
class Code {
  public:
    explicit Code(Address base) : base_(base) {}

    Address here() const { return base_ + bytes_.size(); }
    Code& at(Address address) {
        bytes_.resize(address - base_);
        return *this;
    }
    Code& half(unsigned value) {
        bytes_.push_back(static_cast<std::uint8_t>(value));
        bytes_.push_back(static_cast<std::uint8_t>(value >> 8));
        return *this;
    }
    Code& word(unsigned value) { return half(value & 0xFFFF).half(value >> 16); }

    Code& c_nop() { return half(0x0001); }
    Code& nop() { return word(0x00000013); }
    Code& c_ebreak() { return half(0x9002); }
    Code& beq(Address target) { return word(branch(target - here())); }
    Code& jal(unsigned rd, Address target) { return word(jump(target - here()) | rd << 7); }
    Code& jalr(unsigned rd, unsigned rs1) { return word(0x67 | rd << 7 | rs1 << 15); }
    Code& ret() { return jalr(0, 1); }
    Code& c_ret() { return half(0x8082); }
    Code& mret() { return word(0x30200073); }

    void add_to(ProgramImage& image, CodeTraits traits = {}) const {
        image.add(base_, bytes_, traits);
    }

  private:
    static unsigned bit(Address offset, unsigned from, unsigned count, unsigned to) {
        return static_cast<unsigned>(offset >> from & ((1U << count) - 1)) << to;
    }
    static unsigned branch(Address offset) { // beq x0, x0: B format
        return 0x63 | bit(offset, 12, 1, 31) | bit(offset, 5, 6, 25) | bit(offset, 1, 4, 8) |
               bit(offset, 11, 1, 7);
    }
    static unsigned jump(Address offset) { // J format
        return 0x6F | bit(offset, 20, 1, 31) | bit(offset, 1, 10, 21) | bit(offset, 11, 1, 20) |
               bit(offset, 12, 8, 12);
    }

    Address base_;
    std::vector<std::uint8_t> bytes_;
};

/// Everything that the flow tells, a word each: "0x100" (an instruction), "->0x200" (trap),
/// "start", "stop", "gap:Contradiction" ...
class Recorder : public FlowSink {
  public:
    explicit Recorder(const ProgramImage& image) : image_(image) {}

    std::vector<std::string>& words(std::uint16_t source = 0) { return words_[source]; }
    std::string text(std::uint16_t source = 0) {
        std::string text;
        for (const std::string& word : words_[source]) {
            text += text.empty() ? word : " " + word;
        }
        return text;
    }
    std::vector<InstructionRun> runs;
    std::vector<FlowTrap> traps;
    std::vector<FlowGap> gaps;
    std::vector<FlowContext> contexts;
    std::vector<FlowStart> starts;
    std::vector<FlowStop> stops;

    void started(const FlowStart& start) override {
        starts.push_back(start);
        words_[start.source].emplace_back("start");
    }
    void ran(const InstructionRun& run) override {
        runs.push_back(run);
        Address pc = run.begin;
        for (std::uint32_t i = 0; i < run.instructions; ++i) {
            words_[run.source].push_back(hex(pc));
            const CodeSegment* segment = image_.find(pc);
            pc += segment == nullptr ? 2 : segment->run(pc).length;
        }
    }
    void trapped(const FlowTrap& trap) override {
        traps.push_back(trap);
        words_[trap.source].push_back("->" + hex(trap.to));
    }
    void context_changed(const FlowContext& context) override { contexts.push_back(context); }
    void gap(const FlowGap& gap) override {
        static constexpr const char* kNames[kGapReasons] = {
            "EncoderLoss", "Damage", "Contradiction", "OutsideProgram", "Truncated"};
        gaps.push_back(gap);
        words_[gap.source].push_back(std::string("gap:") +
                                     kNames[static_cast<std::size_t>(gap.reason)]);
    }
    void stopped(const FlowStop& stop) override {
        stops.push_back(stop);
        words_[stop.source].emplace_back("stop");
    }

    static std::string hex(Address address) {
        char text[24];
        std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
        return text;
    }

  private:
    const ProgramImage& image_;
    std::map<std::uint16_t, std::vector<std::string>> words_;
};

// Messages by their fields; addresses in full, the difference is made by the reference.

inline TraceMessage sync(Address address, std::uint64_t units = 0,
                         SyncReason reason = SyncReason::ExitDebug) {
    return make_message(MessageCode::ProgramTraceSync)
        .set(Field::SyncReason, reason)
        .set(Field::InstructionCount, units)
        .set(Field::Address, address >> 1);
}
inline TraceMessage direct(std::uint64_t units) {
    return make_message(MessageCode::DirectBranch).set(Field::InstructionCount, units);
}
inline TraceMessage direct_sync(std::uint64_t units, Address address) {
    return make_message(MessageCode::DirectBranchSync)
        .set(Field::SyncReason, SyncReason::Periodic)
        .set(Field::InstructionCount, units)
        .set(Field::Address, address >> 1);
}
/// `difference`: XOR of the address and the address before it.
inline TraceMessage indirect(BranchType type, std::uint64_t units, Address difference) {
    return make_message(MessageCode::IndirectBranch)
        .set(Field::BranchType, type)
        .set(Field::InstructionCount, units)
        .set(Field::Address, difference >> 1);
}
inline TraceMessage history(BranchType type, std::uint64_t units, Address difference,
                            std::uint64_t bits) {
    return make_message(MessageCode::IndirectBranchHistory)
        .set(Field::BranchType, type)
        .set(Field::InstructionCount, units)
        .set(Field::Address, difference >> 1)
        .set(Field::History, bits);
}
inline TraceMessage history_sync(SyncReason reason, BranchType type, std::uint64_t units,
                                 Address address, std::uint64_t bits) {
    return make_message(MessageCode::IndirectBranchHistorySync)
        .set(Field::SyncReason, reason)
        .set(Field::BranchType, type)
        .set(Field::InstructionCount, units)
        .set(Field::Address, address >> 1)
        .set(Field::History, bits);
}
inline TraceMessage full(Resource resource, std::uint64_t data, std::uint64_t repeat = 0) {
    TraceMessage message = make_message(MessageCode::ResourceFull)
                               .set(Field::ResourceCode, resource)
                               .set(Field::ResourceData, data);
    if (resource == Resource::HistoryRepeat) {
        message.set(Field::HistoryRepeat, repeat);
    }
    return message;
}
inline TraceMessage stop(std::uint64_t units) {
    return make_message(MessageCode::ProgramTraceCorrelation)
        .set(Field::EventCode, CorrelationEvent::EnterDebug)
        .set(Field::DataFormat, 0U)
        .set(Field::InstructionCount, units);
}
inline TraceMessage stop(std::uint64_t units, std::uint64_t bits) {
    return make_message(MessageCode::ProgramTraceCorrelation)
        .set(Field::EventCode, CorrelationEvent::EnterDebug)
        .set(Field::DataFormat, 1U)
        .set(Field::InstructionCount, units)
        .set(Field::History, bits);
}
inline TraceMessage error() {
    return make_message(MessageCode::Error);
}
inline TraceMessage repeat(std::uint64_t count) {
    return make_message(MessageCode::RepeatBranch).set(Field::BranchCount, count);
}

} // namespace pes::trace::test

// SPDX-License-Identifier: Apache-2.0
// A hand-made instruction sequence on the pipeline model: code lies at consecutive addresses, every
// instruction is run through the calls a hart would make.
#pragma once

#include "hw/core/timing/pipeline.h"

#include <map>
#include <vector>

namespace pes::timing_test {

inline constexpr RegisterIndex f(unsigned number) {
    return static_cast<RegisterIndex>(kFloatBase + number);
}

inline Instruction make(TimingClass timing, RegisterIndex rd = kSinkRegister,
                        RegisterIndex rs1 = kNoRegister, RegisterIndex rs2 = kNoRegister) {
    Instruction instruction;
    instruction.timing = timing;
    instruction.rd = rd;
    instruction.rs1 = rs1;
    instruction.rs2 = rs2;
    return instruction;
}

inline Instruction alu(RegisterIndex rd, RegisterIndex rs1 = kNoRegister) {
    Instruction instruction = make(TimingClass::Alu, rd, rs1);
    instruction.commit_events = RetiredMask(Event::Integer);
    return instruction;
}

inline Instruction load(RegisterIndex rd, RegisterIndex base = kNoRegister) {
    Instruction instruction = make(TimingClass::Load, rd, base);
    instruction.commit_events = RetiredMask(Event::Load);
    return instruction;
}

inline Instruction store() {
    Instruction instruction = make(TimingClass::Store);
    instruction.commit_events = RetiredMask(Event::Store);
    return instruction;
}

inline Instruction branch(std::int64_t offset) {
    Instruction instruction = make(TimingClass::Branch);
    instruction.imm = offset;
    instruction.commit_events = RetiredMask(Event::Branch);
    return instruction;
}

inline Instruction compressed(Instruction instruction) {
    instruction.length = 2;
    return instruction;
}

/// What lies in memory where nothing has run: simple instructions of four bytes.
class CodeImage : public CodeReader {
  public:
    void place(Address pc, const Instruction& instruction) { placed_[pc] = instruction; }
    /// The TLB does not have this page; fetching from it takes a walk.
    void forget(Address page, const PageWalk& walk) {
        unknown_ = page;
        walk_ = walk;
    }
    bool knows(Address page) const { return page != unknown_; }
    bool translates() const override { return unknown_ != kNever; }
    std::optional<CodePage> code_page(Address page) override {
        return knows(page) ? std::optional(CodePage{.physical = page, .version = 1}) : std::nullopt;
    }
    const PageWalk* walk_code(Address page) override { return knows(page) ? nullptr : &walk_; }
    void keep_walked() override { unknown_ = kNever; }
    const Instruction* instruction_at(Address physical) override {
        const auto place = placed_.find(physical);
        return place == placed_.end() ? &filler_ : &place->second;
    }
    std::optional<std::uint64_t> integer_register(RegisterIndex) const override {
        return std::nullopt;
    }
    std::optional<Address> data_at(Address address) const override { return address; }

  private:
    std::map<Address, Instruction> placed_;
    Address unknown_ = kNever;
    PageWalk walk_;
    Instruction filler_ = alu(kSinkRegister);
};

class Program {
  public:
    static constexpr Address kCode = 0x8000'0000;
    static constexpr Address kData = 0x8010'0000;

    explicit Program(const TimingConfig& config = {}, EventMask sources = kBaseEvents,
                     DecodeWatch* watch = nullptr)
        : pipeline_(config, log_, image_, sources, nullptr, watch) {
        for (Address line = 0; line < 512; ++line) { // L1I warm for 8 KB of code
            fetch_only(kCode + line * 16);
        }
        idle();
    }

    /// Code that is fetched before it runs, or without running. What has run stays.
    void place(Address pc, const Instruction& instruction) { image_.place(pc, instruction); }

    /// Each returns the cycle of retirement.
    Cycle run(const Instruction& instruction, unsigned divide_bits = 1) {
        start(instruction);
        return finish(pipeline_.retire(instruction, divide_bits), instruction);
    }
    Cycle jump(Instruction instruction, Address target) {
        if (instruction.timing == TimingClass::Jal) {
            instruction.imm = static_cast<std::int64_t>(target - pc_);
        }
        start(instruction);
        const Cycle retired =
            pipeline_.retire_branch(instruction, pc_, target, target != pc_ + instruction.length);
        pc_ = target;
        return retired;
    }
    Cycle access(const Instruction& instruction, Address address, bool cacheable = true,
                 const PageWalk* walk = nullptr) {
        start(instruction);
        return finish(pipeline_.retire_memory(
                          instruction,
                          {.physical = address, .size = 8, .cacheable = cacheable, .walk = walk},
                          0),
                      instruction);
    }
    Cycle trap(Address handler, TimingClass by = TimingClass::Trap) {
        return trap(handler, make(by));
    }
    Cycle trap(Address handler, const Instruction& trapped) {
        start(trapped);
        pc_ = handler;
        return pipeline_.exception(trapped);
    }
    Cycle mret(Address target) {
        start(make(TimingClass::TrapReturn));
        const Cycle retired = pipeline_.retire_return(make(TimingClass::TrapReturn), pc_);
        pc_ = target;
        return retired;
    }
    Cycle interrupt(Address handler) {
        decode_ = pipeline_.fetch(pc_, pc_, 4, nullptr);
        pc_ = handler;
        return pipeline_.interrupt(make(TimingClass::Alu));
    }

    /// Lets everything under way end, and the queue fill.
    void idle() {
        pipeline_.resume_at(decode_ + 1000);
        run(alu(kSinkRegister));
    }

    Cycle decoded() const { return decode_; }
    Cycle issued() const { return issue_; }
    Address pc() const { return pc_; }
    Pipeline& pipeline() { return pipeline_; }
    CodeImage& image() { return image_; }

    std::uint64_t total(Event event) const {
        return log_.totals_through(kNever).events[static_cast<std::size_t>(event)];
    }
    const PulseLog& log() const { return log_; }

  private:
    void start(const Instruction& instruction) {
        image_.place(pc_, instruction);
        decode_ = pipeline_.fetch(pc_, pc_, instruction.length, nullptr);
        issue_ = pipeline_.issue(instruction);
    }
    Cycle finish(Cycle retired, const Instruction& instruction) {
        pc_ += instruction.length;
        return retired;
    }
    void fetch_only(Address pc) {
        pc_ = pc;
        run(alu(kSinkRegister));
        pc_ = kCode;
    }

    PulseLog log_;
    CodeImage image_;
    Pipeline pipeline_;
    Address pc_ = kCode;
    Cycle decode_ = 0;
    Cycle issue_ = 0;
};

/// Cycles from one repetition of `body` to the next in steady state.
template <typename Body>
Cycle period(Program& program, Body body) {
    constexpr Cycle kRepetitions = 64;
    program.idle();
    for (Cycle i = 0; i < kRepetitions; ++i) {
        body();
    }
    const Cycle start = program.issued();
    for (Cycle i = 0; i < kRepetitions; ++i) {
        body();
    }
    return (program.issued() - start) / kRepetitions;
}

} // namespace pes::timing_test

// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/trace/random_program.h"

#include "hw/interface/riscv/instruction_class.h"

#include <algorithm>

namespace pes::trace::test {

namespace {

constexpr std::size_t kFunctions = 12;
constexpr Address kSpacing = 0x10000;
constexpr std::int32_t kReach = -4096; ///< of a branch, bytes
constexpr std::size_t kDeepest = 60;

std::uint32_t branch_to(std::int32_t offset) { // beq a0,a1
    const auto bits = static_cast<std::uint32_t>(offset);
    return (bits >> 12 & 1) << 31 | (bits >> 5 & 0x3F) << 25 | 0x00b50063U |
           (bits >> 1 & 0xF) << 8 | (bits >> 11 & 1) << 7;
}

std::uint32_t jump_to(std::int32_t offset, unsigned rd) { // jal
    const auto bits = static_cast<std::uint32_t>(offset);
    return (bits >> 20 & 1) << 31 | (bits >> 1 & 0x3FF) << 21 | (bits >> 11 & 1) << 20 |
           (bits >> 12 & 0xFF) << 12 | rd << 7 | 0x6FU;
}

/// Instructions whose length is all that matters.
constexpr std::uint32_t kPlain[] = {0x00b50533, 0x952e, 0x0005b503, 0x2505, 0x30002573, 0x852e};

constexpr std::uint32_t kShortRet = 0x8082;
constexpr std::uint32_t kLongRet = 0x00028067; // through t0
constexpr std::uint32_t kMret = 0x30200073;
constexpr std::uint32_t kIndirectCalls[] = {0x9782, 0x000500e7, 0x000502e7};
constexpr std::uint32_t kCoroutines[] = {0x9282, 0x000082e7};
constexpr std::uint32_t kIndirectJump = 0x8502;

} // namespace

RandomProgram::RandomProgram(std::uint64_t seed) : random_(seed) {
    const Address base = chance(50) ? 0x8000'0000 : 0xFFFF'FFE0'0000'0000;
    for (std::size_t index = 0; index < kFunctions; ++index) {
        functions_.push_back(base + index * kSpacing);
    }
    for (const Address start : functions_) {
        add_function(start);
    }
    for (const auto& [address, raw] : code_) {
        places_.push_back(address);
    }
    pc_ = functions_.front();
    traps_ = pick(20);
}

void RandomProgram::add(std::uint32_t raw) {
    code_[end_] = raw;
    end_ += instruction_length(raw);
}

std::uint32_t RandomProgram::plain() {
    return kPlain[pick(std::size(kPlain))];
}

void RandomProgram::add_function(Address start) {
    end_ = start;
    std::vector<Address> here;
    const std::size_t length = 5 + pick(60);
    for (std::size_t index = 0; index < length; ++index) {
        here.push_back(end_);
        const std::uint64_t kind = pick(100);
        auto back = static_cast<std::int32_t>(here[pick(here.size())] - end_);
        back = back < kReach ? 0 : back;
        if (kind < 14) {
            add(branch_to(back));
        } else if (kind < 26) {
            add(branch_to(chance(10) ? 4 : 8)); // over two or four instructions, all of them plain
            add(0x00b50533);
        } else if (kind < 33) {
            const Address target = functions_[pick(functions_.size())];
            add(jump_to(static_cast<std::int32_t>(target - end_), chance(80) ? 1 : 5));
        } else if (kind < 36) {
            const Address target = functions_[pick(functions_.size())];
            add(jump_to(chance(70) ? 4 : static_cast<std::int32_t>(target - end_), 0));
        } else if (kind < 39) {
            add(kIndirectCalls[pick(std::size(kIndirectCalls))]);
        } else if (kind < 40) {
            add(kCoroutines[pick(std::size(kCoroutines))]);
        } else if (kind < 42) {
            add(kIndirectJump);
        } else if (kind < 46) {
            add(chance(50) ? kShortRet : kLongRet);
        } else if (kind < 47) {
            for (std::uint64_t count = pick(500); count > 0; --count) {
                add(plain());
            }
        } else {
            add(plain());
        }
    }
    add(0x00b50533);
    add(chance(80) ? kShortRet : kMret);
}

/// A frame's address, or now and then somewhere else.
Address RandomProgram::leave(bool trap) {
    if (frames_.empty() || frames_.back().trap != trap || chance(3)) {
        return places_[pick(places_.size())];
    }
    const Frame frame = frames_.back();
    frames_.pop_back();
    if (trap) {
        privilege_ = frame.privilege;
    }
    return frame.address;
}

Address RandomProgram::next_of(Address pc, std::uint32_t raw) {
    const InstructionFlow flow = classify_flow(raw);
    const Address behind = pc + flow.length;
    const auto call = [&] {
        if (frames_.size() < kDeepest) {
            frames_.push_back({behind, privilege_, false});
        }
    };
    switch (flow.kind) {
    case FlowKind::Sequential:
        return behind;
    case FlowKind::Branch:
        if (loop_ == 0) {
            loop_ = chance(5) ? static_cast<unsigned>(30 + pick(120)) : 1;
            taken_ = chance(50);
        }
        --loop_;
        return taken_ ? flow.target(pc) : behind;
    case FlowKind::DirectJump:
        if (flow.is_call()) {
            call();
        }
        return flow.target(pc);
    case FlowKind::IndirectJump: {
        Address target = places_[pick(places_.size())];
        if (flow.is_return()) {
            target = leave(false);
        }
        if (flow.is_call()) {
            call();
        }
        return target;
    }
    case FlowKind::TrapReturn:
        return leave(true);
    }
    return behind;
}

void RandomProgram::take_trap(std::vector<Step>& steps) {
    const bool interrupt = chance(50);
    const Address vector = functions_[pick(2)];
    steps.push_back({.trap = true,
                     .taken = {.cycle = tick(),
                               .cause = interrupt ? std::uint64_t{1} << 63 | 7 : 2,
                               .epc = pc_,
                               .tval = 0,
                               .vector = vector,
                               .from = privilege_,
                               .to = Privilege::Machine}});
    if (frames_.size() < kDeepest) {
        frames_.push_back({pc_, privilege_, true});
    }
    privilege_ = Privilege::Machine;
    pc_ = vector;
}

std::vector<Step> RandomProgram::walk(std::size_t count) {
    std::vector<Step> steps;
    while (steps.size() < count) {
        if (pick(1000) < traps_) {
            take_trap(steps);
            continue;
        }
        const std::uint32_t raw = code_.at(pc_);
        const Privilege privilege = privilege_;
        const Address next = next_of(pc_, raw);
        steps.push_back(
            {.retirement = {.cycle = tick(),
                            .pc = pc_,
                            .next_pc = next,
                            .raw = raw,
                            .length = static_cast<std::uint8_t>(instruction_length(raw)),
                            .privilege = privilege}});
        if (privilege_ == Privilege::Machine && chance(1)) {
            privilege_ = Privilege::User; // as if mret had done it
        }
        pc_ = next;
    }
    return steps;
}

} // namespace pes::trace::test

// SPDX-License-Identifier: Apache-2.0
// The records with a hart's side of them. Bits are written out as in the text (Smctr/Ssctr 1.0).
#pragma once

#include "hw/core/ctr/transfer_records.h"

#include <cstdint>

namespace pes::ctr_test {

constexpr std::uint64_t bit(unsigned number) {
    return std::uint64_t{1} << number;
}
inline constexpr std::uint64_t kAll = ~std::uint64_t{0};
inline constexpr std::uint64_t kU = bit(0), kS = bit(1), kM = bit(2), kRasEmu = bit(7),
                               kSte = bit(8), kMte = bit(9), kBpFrz = bit(11), kLcofiFrz = bit(12),
                               kNtbrEn = bit(36);
inline constexpr std::uint64_t kFrozen = bit(31), kV = 1, kMisp = 1, kCcv = bit(15);
inline constexpr std::uint16_t kMctrctl = 0x34E, kSctrctl = 0x14E, kSctrstatus = 0x14F,
                               kSctrdepth = 0x15F;
inline constexpr std::uint64_t kInterrupt = bit(63);
inline constexpr Privilege kModes[] = {Privilege::User, Privilege::Supervisor, Privilege::Machine};

// Words of the transfers, by their type.
inline constexpr std::uint32_t kBranch = 0x00b50863, kIndirectCall = 0x000500e7,
                               kDirectCall = 0x001000ef, kIndirectJump = 0x00050067,
                               kDirectJump = 0x7ffff06f, kSwap = 0x000280e7, kReturn = 0x00008067,
                               kOtherIndirect = 0x00058567, kOtherDirect = 0x0020056f;

constexpr std::uint64_t mode_bit(Privilege mode) {
    return bit(static_cast<unsigned>(mode) == 3 ? 2 : static_cast<unsigned>(mode));
}

/// A hart's side of the records, in machine mode until it traps or returns. Time passes with each
/// event.
class Bench {
  public:
    explicit Bench(unsigned depth = 256, bool overflow = true) : records(depth, overflow) {}

    void write(std::uint16_t number, std::uint64_t value) {
        records.write({.number = number, .value = value, .argument = 0, .at = now});
    }
    std::uint64_t read(std::uint16_t number) const { return records.read(number); }
    std::uint64_t entry(std::uint64_t logical, unsigned alias) const {
        return records.read({IndirectLevel::Supervisor, 0x200 + logical, alias});
    }
    std::uint64_t source(std::uint64_t logical) const { return entry(logical, 1); }
    std::uint64_t target(std::uint64_t logical) const { return entry(logical, 2); }
    std::uint64_t data(std::uint64_t logical) const { return entry(logical, 3); }
    void write_entry(std::uint64_t logical, unsigned alias, std::uint64_t value) {
        const IndirectRegister which{IndirectLevel::Supervisor, 0x200 + logical, alias};
        records.write(which, {.number = 0, .value = value, .argument = 0, .at = now});
    }

    void jump(std::uint32_t raw, Address pc = 0x1000, Address target = 0x2000, bool taken = true,
              bool mispredicted = false) {
        records.jumped({.pc = pc,
                        .next_pc = target,
                        .raw = raw,
                        .taken = taken,
                        .mispredicted = mispredicted,
                        .cycle = ++now});
    }
    void trap(std::uint64_t cause, Privilege to, Address epc = 0x1000, Address vector = 0x8000) {
        records.trapped({.cycle = ++now,
                         .cause = cause,
                         .epc = epc,
                         .tval = 0,
                         .vector = vector,
                         .from = mode,
                         .to = to});
        mode = to;
    }
    void xret(Privilege to, Address pc = 0x1000, Address target = 0x2000) {
        records.returned(pc, target, to, ++now);
        mode = to;
    }
    /// Goes to `to` with nothing recorded.
    void enter(Privilege to) {
        const std::uint64_t control = read(kMctrctl);
        write(kMctrctl, 0);
        mode == Privilege::Machine ? xret(to) : trap(0, to);
        write(kMctrctl, control);
    }
    unsigned recorded() const {
        unsigned count = 0;
        while (count < 256 && (source(count) & kV) != 0) {
            ++count;
        }
        return count;
    }

    TransferRecords records;
    Privilege mode = Privilege::Machine;
    Cycle now = 1000;
};

struct Typed {
    unsigned type;
    void (*happens)(Bench&);
};

/// All in machine mode.
inline const Typed kTransfers[] = {
    {1, [](Bench& bench) { bench.trap(5, Privilege::Machine); }},
    {2, [](Bench& bench) { bench.trap(kInterrupt | 7, Privilege::Machine); }},
    {3, [](Bench& bench) { bench.xret(Privilege::Machine); }},
    {4, [](Bench& bench) { bench.jump(kBranch, 0x1000, 0x1004, false); }},
    {5, [](Bench& bench) { bench.jump(kBranch); }},
    {8, [](Bench& bench) { bench.jump(kIndirectCall); }},
    {9, [](Bench& bench) { bench.jump(kDirectCall); }},
    {10, [](Bench& bench) { bench.jump(kIndirectJump); }},
    {11, [](Bench& bench) { bench.jump(kDirectJump); }},
    {12, [](Bench& bench) { bench.jump(kSwap); }},
    {13, [](Bench& bench) { bench.jump(kReturn); }},
    {14, [](Bench& bench) { bench.jump(kOtherIndirect); }},
    {15, [](Bench& bench) { bench.jump(kOtherDirect); }},
};

} // namespace pes::ctr_test

// SPDX-License-Identifier: Apache-2.0
// Control transfer records of random programs of calls, returns, jumps, traps and interrupts:
// against a model that reads the stream of retirements, and the same on both paths.
#include "hw/core/arch/csr_numbers.h"
#include "tests/unit/core/hart_life.h"

#include <gtest/gtest.h>

#include <deque>
#include <set>

namespace pes::test {
namespace {

constexpr std::uint64_t bit(unsigned number) {
    return std::uint64_t{1} << number;
}
constexpr std::uint64_t kRasEmu = bit(7), kSte = bit(8), kMte = bit(9), kBpFrz = bit(11),
                        kLcofiFrz = bit(12), kNtbrEn = bit(36), kFrozen = bit(31);
constexpr std::uint64_t kInterrupt = bit(63);
constexpr std::uint16_t kSctrctl = 0x14E, kSctrstatus = 0x14F, kSctrdepth = 0x15F, kMctrctl = 0x34E;
constexpr Word kSctrclr = 0x1040'0073;

// --- The model ----------------------------------------------------------------------------------

struct Record {
    Address source = 0;
    Address target = 0;
    unsigned type = 0;
    std::optional<Cycle> cycles;
    Cycle active = 0; ///< active cycles up to it
};

/// Written from the text alone, for programs that change no CTR register but clear FROZEN.
class Model : public HartObserver {
  public:
    Model(std::uint64_t control, std::size_t depth) : control_(control), depth_(depth) {}

    void retired(const Retirement& one) override {
        arrive(one.privilege, one.cycle);
        if (one.raw == kMret || one.raw == kSret) {
            left_ = one;
            return;
        }
        if ((one.raw & 0xFFF0'007F) == (Word{kSctrstatus} << 20 | 0x73)) {
            frozen_ = false;
        }
        if (const unsigned type = type_of(one); type != 0 && enabled(one.privilege)) {
            (control_ & kRasEmu) != 0 ? stack(type, one) : add(type, one.pc, one.next_pc);
        }
    }
    void trapped(const TrapTaken& trap) override {
        arrive(trap.from, trap.cycle);
        const bool interrupt = (trap.cause & kInterrupt) != 0;
        const unsigned type = interrupt ? 2 : 1;
        frozen_ = frozen_ || (trap.cause == 3 && (control_ & kBpFrz) != 0) ||
                  (trap.cause == (kInterrupt | 13) && (control_ & kLcofiFrz) != 0);
        mode_ = trap.to;
        if ((control_ & kRasEmu) != 0) {
            return;
        }
        if (enabled(trap.to)) {
            add(type, enabled(trap.from) ? trap.epc : 0, trap.vector);
        } else if (enabled(trap.from) && external(trap)) {
            keep(type, trap.epc, 0);
        }
    }
    /// Nothing more comes; the hart is in `mode`.
    void finish(Privilege mode) { arrive(mode, now_); }

    std::deque<Record> records; ///< newest first
    std::set<unsigned> types;   ///< of all that have been

  private:
    bool enabled(Privilege mode) const {
        const unsigned number = mode == Privilege::Machine ? 2 : static_cast<unsigned>(mode);
        return (control_ >> number & 1) != 0;
    }
    bool external(const TrapTaken& trap) const {
        const std::uint64_t needed =
            (trap.from == Privilege::User ? kSte : 0) | (trap.to == Privilege::Machine ? kMte : 0);
        return (control_ & needed) == needed;
    }

    static unsigned type_of(const Retirement& one) {
        const Word opcode = one.raw & 0x7F, rd = one.raw >> 7 & 31, rs1 = one.raw >> 15 & 31;
        const bool links = rd == 1 || rd == 5, through = rs1 == 1 || rs1 == 5;
        switch (opcode) {
        case 0x63:
            return one.next_pc == one.pc + 4 ? 4 : 5;
        case 0x6F:
            return links ? 9 : rd == 0 ? 11 : 15;
        case 0x67:
            if (links) {
                return through && rd != rs1 ? 12 : 8;
            }
            return through ? 13 : rd == 0 ? 10 : 14;
        default:
            return 0;
        }
    }

    /// Time passes in the mode that the hart was in, and a return is known to have led to `mode`.
    void arrive(Privilege mode, Cycle cycle) {
        if (left_) {
            if (enabled(Privilege::Machine) && (control_ & kRasEmu) == 0) {
                add(3, left_->pc, enabled(mode) ? left_->next_pc : 0);
            }
            left_.reset();
        }
        mode_ = mode;
        active_ += enabled(mode_) && !frozen_ ? cycle - now_ : 0;
        now_ = cycle;
    }
    void add(unsigned type, Address source, Address target) {
        if (((control_ ^ kNtbrEn) >> (32 + type) & 1) == 0) {
            keep(type, source, target);
        }
    }
    void keep(unsigned type, Address source, Address target) {
        if (frozen_) {
            return;
        }
        types.insert(type);
        std::optional<Cycle> cycles;
        if (!records.empty()) {
            cycles = active_ - records.front().active;
        }
        records.push_front({source, target, type, cycles, active_});
        if (records.size() > depth_) {
            records.pop_back();
        }
    }
    void stack(unsigned type, const Retirement& one) {
        const bool pops = type == 13 || type == 12;
        if (pops && !records.empty() && !frozen_) {
            records.pop_front();
        }
        if (type == 8 || type == 9 || type == 12) {
            keep(type, one.pc, one.next_pc);
        }
    }

    const std::uint64_t control_;
    const std::size_t depth_;
    bool frozen_ = false;
    Privilege mode_ = Privilege::Machine;
    std::optional<Retirement> left_; ///< the mret before
    Cycle now_ = 0;
    Cycle active_ = 0;
};

/// Of the exponent's lost bits.
std::uint64_t encoded(Cycle cycles) {
    unsigned exponent = 0;
    for (; cycles >= 8192; cycles /= 2) {
        ++exponent;
    }
    return cycles < 4096 ? cycles : (exponent + 1) << 12 | (cycles - 4096);
}

void expect_records(const std::vector<TransferEntry>& found, const Model& model, bool stack) {
    for (std::size_t logical = 0; logical < found.size(); ++logical) {
        const TransferEntry& entry = found[logical];
        if (logical >= model.records.size()) {
            ASSERT_EQ(entry.source & 1, 0U) << logical;
            continue;
        }
        const Record& record = model.records[logical];
        ASSERT_EQ(entry.source, record.source | 1) << logical;
        ASSERT_EQ(entry.target & ~std::uint64_t{1}, record.target) << logical;
        ASSERT_EQ(entry.data & 0xF, record.type) << logical;
        ASSERT_EQ(entry.data >> 15 & 1, record.cycles ? 1U : 0U) << logical;
        if (record.cycles && (!stack || *record.cycles < 4096)) { // else popped counts were coarse
            ASSERT_EQ(entry.data >> 16, encoded(*record.cycles)) << logical;
        }
    }
}

// --- Random programs ----------------------------------------------------------------------------

constexpr Address kMain = BareMachine::kCode + 0x10;
constexpr Address kFunctions = BareMachine::kCode + 0x400;
constexpr Address kSpacing = 0x400;
constexpr unsigned kFunctionCount = 8;

struct Shape {
    Privilege mode = Privilege::User;
    std::uint64_t control = 0;
    std::uint64_t depth = 0;
    bool touches = false; ///< programs access CTR registers themselves
};

class Writer {
  public:
    Writer(std::mt19937& random, Address base, bool touches)
        : random_(random), base_(base), touches_(touches) {}

    /// A function that calls those behind it.
    void function(unsigned number) {
        put({addi(sp, sp, -16), sd(ra, sp, 0)});
        for (unsigned count = 3 + random_() % 12; count != 0; --count) {
            item(number + 1);
        }
        if (random_() % 4 == 0) {
            put({ld(t0, sp, 0), addi(sp, sp, 16), jalr(zero, t0, 0)});
        } else {
            put({ld(ra, sp, 0), addi(sp, sp, 16), jalr(random_() % 4 == 0 ? a7 : zero, ra, 0)});
        }
    }
    void loop() {
        for (unsigned count = 4; count != 0; --count) {
            item(0);
        }
        put({j(-4 * static_cast<std::int32_t>(words.size()))});
    }

    std::vector<Word> words;

  private:
    Address here() const { return base_ + 4 * words.size(); }
    void put(std::initializer_list<Word> more) { words.insert(words.end(), more); }

    void item(unsigned first) {
        const bool may_call = first < kFunctionCount && random_() % (first + 1) == 0;
        const unsigned callee = first + random_() % (kFunctionCount - std::min(first, 7U));
        const Reg reg = random_register(random_);
        switch (random_() % (touches_ ? 17 : 14)) {
        case 0:
        case 1:
        case 2:
            return may_call ? call(callee) : put({mul(reg, reg, random_register(random_))});
        case 3:
        case 4:
            return may_call ? call_through_register(callee) : put({div(reg, reg, a0)});
        case 5:
            return put({auipc(t0, 0), jalr(ra, t0, 8)}); // a coroutine swap
        case 6:
            return put({jal(a7, 8), kNop});
        case 7:
            return put({auipc(s0, 0), jalr(random_() % 2 == 0 ? a7 : zero, s0, 8)});
        case 8:
            return put({j(4)});
        case 9:
        case 10:
            return put({bne(reg, random_register(random_), 8), addi(reg, reg, 13)});
        case 11:
            return put({random_() % 4 == 0 ? kEbreak : kEcall});
        case 12:
            return put({ld(reg, s4, static_cast<std::int32_t>(8 * (random_() % 200)))});
        case 13:
            return put({addi(reg, reg, 7), andi(reg, reg, 0x3F)});
        default:
            return touch(reg);
        }
    }
    void call(unsigned callee) {
        put({jal(ra, static_cast<std::int32_t>(kFunctions + kSpacing * callee - here()))});
    }
    void call_through_register(unsigned callee) {
        const auto distance = static_cast<std::int32_t>(kFunctions + kSpacing * callee - here());
        put({auipc(s0, static_cast<Word>(distance + 0x800) >> 12),
             jalr(ra, s0, distance - ((distance + 0x800) & ~0xFFF))});
    }
    /// Of CTR's registers. Traps in user mode.
    void touch(Reg reg) {
        const auto alias = static_cast<std::uint16_t>(0x151 + random_() % 3);
        switch (random_() % 8) {
        case 0:
            return put({csrrs(reg, kSctrctl, s3)});
        case 1:
            return put({csrrc(reg, kSctrctl, s3)});
        case 2:
            return put({kSctrclr});
        case 3:
            return put({csrrw(reg, kSctrdepth, reg)});
        case 4:
            return put({csrrw(reg, kSctrstatus, reg)});
        case 5:
            return put({csrr(reg, kSctrstatus), csrr(reg, kSctrctl)});
        case 6:
            return put({csrrw(reg, alias, reg)});
        default:
            return put({csrr(reg, alias)});
        }
    }

    std::mt19937& random_;
    const Address base_;
    const bool touches_;
};

/// An exception goes on behind its instruction; an interrupt is that of an overflow.
void place_handler(BareMachine& machine) {
    constexpr auto blt = [](Reg rs1, Reg rs2, std::int32_t distance) {
        return b_type(4, rs1, rs2, distance);
    };
    machine.place(BareMachine::kHandler,
                  {csrr(t3, csr::kMcause), blt(t3, zero, 20), csrr(t4, csr::kMepc), addi(t4, t4, 4),
                   csrw(csr::kMepc, t4), kMret, csrw(csr::kMhpmcounter3, s5),
                   csrw(csr::kMhpmevent3, s6), csrrc(zero, csr::kMip, s7),
                   csrrc(zero, kSctrstatus, s1), kMret});
}

void prepare(BareMachine& machine, const Shape& shape, std::uint32_t seed) {
    std::mt19937 random(seed);
    constexpr std::uint64_t kIntegerEvent = 20;
    machine.open_protection();
    machine.place(BareMachine::kCode,
                  {csrw(csr::kMhpmevent3, s6), csrw(csr::kMhpmcounter3, s5), kMret});
    Writer main(random, kMain, shape.touches);
    main.loop();
    machine.place(kMain, main.words);
    for (unsigned number = 0; number < kFunctionCount; ++number) {
        Writer function(random, kFunctions + kSpacing * number, shape.touches);
        function.function(number);
        ASSERT_LT(4 * function.words.size(), kSpacing);
        machine.place(kFunctions + kSpacing * number, function.words);
    }
    place_handler(machine);
    for (const Reg reg : {a0, a1, a2, a3, a4, a5}) {
        machine.set(reg, random() % 64);
    }
    machine.set(sp, BareMachine::kData + 0x4000);
    machine.set(s1, kFrozen);
    machine.set(s3, bit(32 + random() % 16) | bit(random() % 13));
    machine.set(s4, BareMachine::kData);
    machine.set(s5, 0ULL - 50 - random() % 500);
    machine.set(s6, kIntegerEvent);
    machine.set(s7, 1U << 13);
    machine.set_csr(csr::kMtvec, BareMachine::kHandler);
    machine.set_csr(csr::kMie, 1U << 13);
    machine.set_csr(csr::kMepc, kMain);
    machine.set_csr(csr::kMstatus, static_cast<std::uint64_t>(shape.mode) << 11 | 1U << 7);
    machine.set_csr(csr::kSiselect, 0x200 + random() % 20);
    machine.set_csr(kSctrdepth, shape.depth);
    machine.set_csr(kMctrctl, shape.control);
}

Shape random_shape(std::mt19937& random) {
    constexpr Privilege kModes[] = {Privilege::User, Privilege::Supervisor, Privilege::Machine};
    Shape shape{.mode = kModes[random() % 3], .control = random() % 8, .depth = random() % 5};
    shape.control |=
        random() % 3 == 0
            ? 7
            : bit(shape.mode == Privilege::Machine ? 2 : static_cast<unsigned>(shape.mode));
    for (const std::uint64_t field : {kRasEmu, kSte, kMte, kBpFrz, kLcofiFrz, kNtbrEn}) {
        shape.control |= random() % 3 == 0 ? field : 0;
    }
    for (unsigned type = 1; type < 16; ++type) {
        shape.control |= random() % 8 == 0 ? bit(32 + type) & 0xFF3E'0000'0000 : 0;
    }
    return shape;
}

std::vector<TransferEntry> observe(const Shape& shape, std::uint32_t seed, Model& model) {
    BareMachine machine(counting_everything(ExecutionPath::Step));
    prepare(machine, shape, seed);
    machine.stop_observing();
    machine.hart().add_observer(model);
    machine.hart().set_pc(BareMachine::kCode);
    machine.hart().set_horizon(kLifetime);
    machine.hart().run();
    model.finish(machine.hart().state().privilege);
    return life_of(machine).transfers;
}

TEST(HartCtrPaths, RecordsAreTheLastTransfersOfTheRetirementStream) {
    std::set<unsigned> types;
    std::size_t most = 0;
    std::mt19937 random(1);
    for (std::uint32_t seed = 0; seed < 150; ++seed) {
        SCOPED_TRACE(seed);
        const Shape shape = random_shape(random);
        Model model(shape.control, 16U << shape.depth);
        const std::vector<TransferEntry> seen = observe(shape, seed, model);
        ASSERT_EQ(seen.size(), 16U << shape.depth);
        expect_records(seen, model, (shape.control & kRasEmu) != 0);
        types.insert(model.types.begin(), model.types.end());
        most = std::max(most, model.records.size());
        const Life life =
            live_on_both_paths([&](BareMachine& machine) { prepare(machine, shape, seed); });
        ASSERT_EQ(life.transfers, seen);
        ASSERT_GT(life.instret, 5000U);
    }
    const std::set<unsigned> all{1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15};
    EXPECT_EQ(types, all);
    EXPECT_EQ(most, 256U);
}

/// Entries, depth, filters and FROZEN change under way, and what is read lands in registers.
TEST(HartCtrPaths, BothPathsAgreeUnderProgramsThatChangeTheRecords) {
    std::mt19937 random(2);
    for (std::uint32_t seed = 1000; seed < 1100; ++seed) {
        SCOPED_TRACE(seed);
        Shape shape = random_shape(random);
        shape.touches = true;
        live_on_both_paths([&](BareMachine& machine) { prepare(machine, shape, seed); });
    }
}

} // namespace
} // namespace pes::test

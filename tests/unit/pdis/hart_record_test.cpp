// SPDX-License-Identifier: Apache-2.0
// Every field of a record against what is seen of the same dynamic instruction from outside: the
// stream of retirements, the hart's time, the totals of its pulses, and the registers.
#include "hw/interface/riscv/instruction_class.h"
#include "tests/unit/pdis/sampled_machine.h"

#include "hw/core/arch/csr_numbers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace pes::test {
namespace {

namespace header = pdis::header;

constexpr Cycle kRecordedLife = 40'000;
constexpr std::uint64_t kAllRecorded = pdis::control::kM | pdis::control::kS | pdis::control::kU |
                                       pdis::control::kOf | pdis::control::kTs | pdis::control::kPa;

/// What is seen of an instruction when it retires, or of a trap.
struct Seen {
    Address pc = 0;
    Address next_pc = 0;
    std::uint32_t raw = 0;
    Cycle decode = 0;
    Cycle end = 0;
    Cycle before = 0; ///< the end of the one before
    std::optional<Address> data;
    EventTotals from{}, to{}; ///< of the hart's pulses
};

std::int32_t signed_bits(std::uint32_t raw, unsigned low) {
    return static_cast<std::int32_t>(raw) >> low;
}

/// By the formats I and S of the unprivileged specification; AMO, LR and SC have no offset.
std::optional<Address> data_address(std::uint32_t raw, const std::array<std::uint64_t, 32>& x) {
    const std::uint64_t base = x[raw >> 15 & 0x1F];
    switch (raw & 0x7F) {
    case 0x03:
    case 0x07:
        return base + static_cast<Address>(std::int64_t{signed_bits(raw, 20)});
    case 0x23:
    case 0x27: {
        const std::int32_t offset =
            (signed_bits(raw, 25) * 32) | static_cast<std::int32_t>(raw >> 7 & 0x1F);
        return base + static_cast<Address>(std::int64_t{offset});
    }
    case 0x2F:
        return base;
    default:
        return std::nullopt;
    }
}

class Witness : public HartObserver {
  public:
    explicit Witness(Hart& hart) : hart_(hart) { copy_registers(); }

    void retired(const Retirement& retirement) override {
        Seen seen = begin(retirement.pc, retirement.cycle);
        seen.next_pc = retirement.next_pc;
        seen.raw = retirement.raw;
        seen.data = data_address(retirement.raw, registers_);
        finish(seen, retirements_);
    }
    void trapped(const TrapTaken& trap) override {
        Seen seen = begin(trap.epc, trap.cycle);
        finish(seen, traps_);
    }

    /// Null: no such instruction retired in that cycle.
    const Seen* retirement(Address pc, Cycle cycle) const { return find(retirements_, pc, cycle); }
    const Seen* trap(Address pc, Cycle cycle) const { return find(traps_, pc, cycle); }

  private:
    using Stream = std::map<std::pair<Cycle, Address>, Seen>;

    Seen begin(Address pc, Cycle cycle) const {
        Seen seen;
        seen.pc = pc;
        seen.decode = hart_.now();
        seen.end = cycle;
        seen.before = last_;
        seen.from = totals_;
        return seen;
    }
    void finish(Seen& seen, Stream& stream) {
        totals_ = seen.to = hart_.totals();
        last_ = seen.end;
        stream[{seen.end, seen.pc}] = seen;
        copy_registers();
    }
    void copy_registers() {
        std::copy_n(hart_.state().x.begin(), registers_.size(), registers_.begin());
    }
    static const Seen* find(const Stream& stream, Address pc, Cycle cycle) {
        const auto place = stream.find({cycle, pc});
        return place == stream.end() ? nullptr : &place->second;
    }

    Hart& hart_;
    std::array<std::uint64_t, 32> registers_{};
    EventTotals totals_{};
    Cycle last_ = 0;
    Stream retirements_, traps_;
};

std::uint64_t type_of(std::uint32_t raw) {
    const FlowKind flow = classify_flow(raw).kind;
    if (flow != FlowKind::Sequential) {
        return 4;
    }
    switch (raw & 0x7F) {
    case 0x03:
    case 0x07:
        return 1;
    case 0x23:
    case 0x27:
        return 2;
    case 0x2F: {
        const std::uint32_t function = raw >> 27;
        return function == 2 ? 1 : function == 3 ? 2 : 3; // LR, SC, AMO
    }
    default:
        return 0;
    }
}

std::uint64_t latency(const pdis::Record& record, unsigned number) {
    return record[pdis::kLatencies] >> (12 * number) & 0xFFF;
}

bool pulsed(const Seen& seen, Event event) {
    const auto source = static_cast<std::size_t>(event);
    return seen.to.events[source] != seen.from.events[source];
}

bool throws_away(const Seen& seen) {
    const std::uint32_t opcode = seen.raw & 0x7F;
    return pulsed(seen, Event::BranchMispredict) || opcode == 0x0F || opcode == 0x2F ||
           opcode == 0x73;
}

void expect_retirement(const pdis::Record& record, const Seen& seen) {
    const std::uint64_t word = record[pdis::kHeader];
    const std::uint64_t type = type_of(seen.raw);
    EXPECT_EQ(word & 7, type);
    EXPECT_EQ(word & (header::kFlushed | std::uint64_t{3} << header::kFlushShift), 0U);
    EXPECT_EQ(word >> 56, 0U);
    EXPECT_EQ(latency(record, 0), std::min<Cycle>(seen.end - seen.decode, 4095));
    EXPECT_EQ(latency(record, 4),
              std::min<Cycle>(seen.end - std::max(seen.before, seen.decode), 4095));
    EXPECT_GE(latency(record, 0), latency(record, 1) + latency(record, 2) + latency(record, 3));
    EXPECT_EQ(record[pdis::kLatencies] >> 60, 0xFU);
    if (!throws_away(seen)) { // then L1I misses for what is behind it, too
        EXPECT_EQ((word & header::kIcacheMiss) != 0, pulsed(seen, Event::L1IMiss));
    }
    EXPECT_NE(word & header::kFetchValid, 0U);

    const FlowKind flow = classify_flow(seen.raw).kind;
    const bool transfers = type == 4 && flow != FlowKind::TrapReturn &&
                           (flow != FlowKind::Branch || seen.next_pc != seen.pc + 4);
    EXPECT_EQ((word & header::kAddress1Valid) != 0, seen.data.has_value() || transfers);
    EXPECT_EQ((word & header::kAddress2Valid) != 0, seen.data.has_value());
    if (seen.data) {
        EXPECT_EQ(record[pdis::kAddress1], *seen.data);
        EXPECT_EQ(record[pdis::kAddress2], *seen.data >> 2); // not translated
        if (type == 1 && (seen.raw & 0x7F) == 0x03) {
            EXPECT_EQ((word & header::kFirstMiss) != 0, pulsed(seen, Event::L1DMiss));
            EXPECT_EQ((word & header::kLastMiss) != 0, pulsed(seen, Event::L1DMiss));
            EXPECT_EQ(word >> header::kSourceShift & 15, pulsed(seen, Event::L1DMiss) ? 2 : 1);
        }
        EXPECT_EQ((word & header::kPartial) != 0, type == 2);
    } else if (type == 4) {
        EXPECT_EQ(record[pdis::kAddress1], transfers ? seen.next_pc : 0);
        EXPECT_EQ((word & header::kMispredicted) != 0, pulsed(seen, Event::BranchMispredict));
        if (flow == FlowKind::Branch) {
            EXPECT_EQ((word & header::kTaken) != 0, transfers);
            EXPECT_EQ((word & header::kNotTaken) != 0, !transfers);
        }
    }
}

struct RecordKinds {
    std::size_t retired = 0, trapped = 0, flushed = 0;
    std::size_t missed = 0, mispredicted = 0;
};

/// Runs a random program with a sample every `period` instructions.
void compare(unsigned seed, std::uint64_t period, RecordKinds& kinds) {
    SampledMachine machine;
    std::mt19937 random(seed);
    place_random_program(machine, random);
    Witness witness(machine.hart());
    machine.hart().add_observer(witness);
    machine.write(kMpdisctl, kAllRecorded);
    machine.write(kSpdiscounter, every(period));
    machine.run(BareMachine::kCode, BareMachine::kData, kRecordedLife);
    EXPECT_TRUE(machine.adds_up());
    for (const auto& [instruction, record] : machine.keeper().records()) {
        const Address pc = record[pdis::kPc];
        const Cycle cycle = record[pdis::kTime]; // the bench's time is the cycle
        SCOPED_TRACE(testing::Message() << std::hex << pc << std::dec << " in " << cycle);
        if ((record[pdis::kHeader] & header::kFlushed) != 0) {
            ++kinds.flushed;
            // The frontend takes an mret for a jump to itself until that retires.
            const Seen* const same = witness.retirement(pc, cycle);
            EXPECT_TRUE(same == nullptr || same->raw == kMret);
            const std::uint64_t reason = record[pdis::kHeader] >> header::kFlushShift & 3;
            EXPECT_TRUE(reason == 1 || reason == 3);
            const Address by = record[pdis::kAddress1];
            // A branch that mispredicts resolves the cycle before it retires, or earlier.
            if (reason == 3) {
                EXPECT_TRUE(witness.retirement(by, cycle) != nullptr ||
                            witness.trap(by, cycle) != nullptr);
            }
        } else if (const Seen* seen = witness.retirement(pc, cycle)) {
            ++kinds.retired;
            expect_retirement(record, *seen);
            kinds.missed += (record[pdis::kHeader] & 7) == 1 &&
                                    (record[pdis::kHeader] & header::kFirstMiss) != 0
                                ? 1
                                : 0;
            kinds.mispredicted += (record[pdis::kHeader] & 7) == 4 &&
                                          (record[pdis::kHeader] & header::kMispredicted) != 0
                                      ? 1
                                      : 0;
        } else {
            ++kinds.trapped;
            const Seen* trap = witness.trap(pc, cycle);
            ASSERT_NE(trap, nullptr);
            EXPECT_EQ(latency(record, 0), trap->end - trap->decode);
        }
    }
}

TEST(PdisRecord, IsWhatIsSeenOfTheInstruction) {
    RecordKinds kinds;
    for (unsigned seed = 0; seed < 20; ++seed) {
        for (const std::uint64_t period : {1, 2, 7, 50}) {
            SCOPED_TRACE(testing::Message() << "seed " << seed << " period " << period);
            compare(seed, period, kinds);
        }
    }
    EXPECT_GT(kinds.retired, 10'000U);
    EXPECT_GT(kinds.trapped, 10U);
    EXPECT_GT(kinds.flushed, 100U);
    EXPECT_GT(kinds.missed, 50U);
    EXPECT_GT(kinds.mispredicted, 50U);
}

} // namespace
} // namespace pes::test

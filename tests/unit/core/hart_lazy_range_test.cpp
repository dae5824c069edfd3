// SPDX-License-Identifier: Apache-2.0
// A master that fills a part of main memory late, whenever the hart accesses it: the hart finds
// there what it would find if it stopped for every burst.
#include "hw/core/arch/csr_numbers.h"
#include "tests/unit/core/hart_life.h"

#include <gtest/gtest.h>

#include <random>

namespace pes::test {
namespace {

constexpr Cycle kPeriod = 173;                                                 ///< between bursts
constexpr MemoryRange kBuffer{.base = BareMachine::kData + 0x1F8, .size = 64}; ///< not a page

/// Writes one double word after the other, round and round, each a function of its cycle.
class Master : public LateWriter {
  public:
    explicit Master(BareMachine& machine) : machine_(machine) {}

    void catch_up(Cycle at) override {
        for (; due_ <= at; due_ += kPeriod) {
            machine_.poke<std::uint64_t>(kBuffer.base + place_, value(due_));
            place_ = (place_ + 8) % kBuffer.size;
        }
    }
    Cycle due() const { return due_; }
    std::function<std::uint64_t(Cycle)> value = [](Cycle at) { return at * 0x9E37'79B9'7F4A'7C15; };

  private:
    BareMachine& machine_;
    Cycle due_ = kPeriod;
    std::uint64_t place_ = 0;
};

using Settle = std::function<void(BareMachine&, Master&)>;

struct Seen {
    std::vector<std::tuple<Cycle, Address, std::uint64_t>> accesses;
    std::array<std::uint64_t, 64> registers{};
    Cycle now = 0;
};

enum class Bursts : std::uint8_t { OnTime, Late };

Seen live(ExecutionPath path, Bursts bursts, const Settle& settle) {
    HartConfig config = BareMachine::default_config();
    config.path = path;
    BareMachine machine(config);
    Master master(machine);
    machine.set(sp, BareMachine::kData);
    machine.set(s1, kBuffer.base);
    machine.set(a6, BareMachine::kDevice);
    settle(machine, master);
    machine.stop_observing();
    machine.hart().set_pc(BareMachine::kCode);
    if (bursts == Bursts::Late) {
        machine.fill_late(kBuffer, master);
    } else {
        machine.on_access([&master](const BusAccess& access) { master.catch_up(access.at); });
    }
    while (machine.hart().now() < kLifetime) {
        const Cycle stop = bursts == Bursts::Late ? kLifetime : master.due();
        machine.hart().set_horizon(std::min(stop, kLifetime));
        machine.hart().run();
        if (bursts == Bursts::OnTime) {
            master.catch_up(machine.hart().now());
        }
    }
    Seen seen;
    seen.now = machine.hart().now();
    for (const BusAccess& one : machine.accesses()) {
        seen.accesses.emplace_back(one.at, one.address, one.value);
    }
    for (RegisterIndex index = 0; index < seen.registers.size(); ++index) {
        seen.registers[index] = machine.hart().state().x[index];
    }
    return seen;
}

/// Returns what was seen.
Seen compare(const Settle& settle) {
    const Seen on_time = live(ExecutionPath::Step, Bursts::OnTime, settle);
    for (const ExecutionPath path : {ExecutionPath::Step, ExecutionPath::Fast}) {
        const Seen late = live(path, Bursts::Late, settle);
        EXPECT_EQ(late.accesses, on_time.accesses);
        EXPECT_EQ(late.registers, on_time.registers);
        EXPECT_EQ(late.now, on_time.now);
    }
    return on_time;
}

std::size_t different_values(const Seen& seen) {
    std::vector<std::uint64_t> values;
    for (const auto& [at, address, value] : seen.accesses) {
        values.push_back(value);
    }
    std::ranges::sort(values);
    return static_cast<std::size_t>(std::ranges::unique(values).begin() - values.begin());
}

TEST(HartLazyRange, ALoopReadsWhatIsThereInItsCycle) {
    const Seen seen = compare([](BareMachine& machine, Master&) {
        machine.place(BareMachine::kCode,
                      {// loop
                       ld(a0, s1, 0), add(a1, a1, a0), ld(a2, s1, 56), add(a1, a1, a2),
                       mul(a3, a1, a1), sd(a3, sp, 0), sd(a1, a6, 0), j(-28)});
    });
    EXPECT_GT(different_values(seen), 400U);
}

TEST(HartLazyRange, StoresAndAtomicsOfTheHartMeetTheBursts) {
    compare([](BareMachine& machine, Master&) {
        machine.place(BareMachine::kCode,
                      {// loop
                       addi(a0, a0, 1), sd(a0, s1, 8), sb(a0, s1, 19), addi(a4, s1, 24),
                       amoadd(Width::Double, a1, a0, a4), ld(a2, s1, 8), lw(a3, s1, 20),
                       sd(a1, a6, 0), sd(a2, a6, 8), sd(a3, a6, 16), j(-40)});
    });
}

TEST(HartLazyRange, CodeIsFetchedAsItIsWritten) {
    const Seen seen = compare([](BareMachine& machine, Master& master) {
        constexpr Word kReturn = 0x0000'8067; // jalr x0, 0(ra)
        for (Address at = kBuffer.base; at < kBuffer.base + kBuffer.size; at += 8) {
            machine.place(at, {addi(a0, a0, 1), kReturn});
        }
        master.value = [](Cycle at) {
            const auto step = static_cast<std::int32_t>(at / kPeriod % 1000);
            return std::uint64_t{kReturn} << 32 | addi(a0, a0, step);
        };
        machine.place(BareMachine::kCode,
                      {// loop
                       kFenceI, jalr(ra, s1, 0), sd(a0, a6, 0), addi(a1, a1, 1), j(-16)});
    });
    EXPECT_GT(different_values(seen), 100U);
}

TEST(HartLazyRange, RandomLoops) {
    for (unsigned seed = 0; seed < 40; ++seed) {
        SCOPED_TRACE(seed);
        compare([seed](BareMachine& machine, Master&) {
            std::mt19937 random(seed);
            const auto below = [&random](unsigned limit) { return random() % limit; };
            const auto reg = [&below] { return static_cast<Reg>(10 + below(6)); };
            std::vector<Word> words;
            for (unsigned left = 6 + below(40); left != 0; --left) {
                const auto place = static_cast<std::int32_t>(8 * below(kBuffer.size / 8));
                const unsigned kind = below(12);
                words.push_back(kind == 0   ? ld(reg(), s1, place)
                                : kind == 1 ? lw(reg(), s1, place + 4)
                                : kind == 2 ? sh(reg(), s1, place + 2)
                                : kind == 3 ? sd(reg(), a6, place)
                                            : random_plain_instruction(random));
            }
            words.push_back(kNop); // where a branch at the end lands
            words.push_back(j(-4 * static_cast<std::int32_t>(words.size())));
            machine.place(BareMachine::kCode, words);
        });
    }
}

TEST(HartLazyRange, ItComesAndGoesWhileTheHartRuns) {
    BareMachine machine;
    Master master(machine);
    machine.stop_observing();
    machine.set(s1, kBuffer.base);
    machine.place(BareMachine::kCode, {ld(a0, s1, 0), addi(a1, a1, 1), j(-8)});
    machine.hart().set_pc(BareMachine::kCode);
    machine.hart().set_horizon(5 * kPeriod);
    machine.hart().run();
    EXPECT_EQ(master.due(), kPeriod);
    machine.fill_late(kBuffer, master);
    machine.hart().set_horizon(10 * kPeriod);
    machine.hart().run();
    EXPECT_GT(master.due(), 9 * kPeriod);
    machine.stop_filling(master);
    const Cycle due = master.due();
    machine.hart().set_horizon(20 * kPeriod);
    machine.hart().run();
    EXPECT_EQ(master.due(), due);
}

} // namespace
} // namespace pes::test

// SPDX-License-Identifier: Apache-2.0
// pes_pcer in lockstep with the model and beside the naive second model on random streams, and
// copies of it with one line wrong (CMakeLists.txt lists them), each of which the streams find.
#include "hw/hpm/lockstep_bank.h"
#include "tests/unit/hpm/bank_bench.h"
#include "tests/unit/hpm/pcer_reference.h"
#include "tests/unit/hpm/recorded_wave.h"
#include "tests/unit/hpm/rtl/test_models.h"

#include <gtest/gtest.h>

#include <ostream>
#include <random>

namespace pes {

/// How GoogleTest names a mutant.
void PrintTo(const Mutant& mutant, std::ostream* out) {
    *out << mutant.name;
}

namespace test {
namespace {

constexpr std::uint16_t kPcmr = 0x7E1, kPcer = 0x7E0, kPccr0 = 0x780;
constexpr std::uint64_t kSeeds = 20;
constexpr Cycle kLength = 3000;

CounterConfig config_of(PcerVariant variant) {
    return counters_of(variant == PcerVariant::Shared ? kCv32e40pAsicProfile : kCv32e40pProfile);
}

std::uint64_t value_for(std::uint16_t csr, std::mt19937_64& random) {
    const std::uint64_t any = random();
    if (csr == kPcmr) {
        return any % 3 == 0 ? any : any | 1;
    }
    if (csr == kPcer) {
        return any % 2 == 0 ? any : any & random() & random();
    }
    return any % 3 == 0 ? any : 0xFFFF'FFFF - any % 6;
}

/// One random stream: pulses, writes of every register, reads by every number. Returns what
/// differed between model and RTL; the two agree with the naive model.
std::optional<LockstepBank::Difference> run(std::uint64_t seed, PcerVariant variant,
                                            const RtlFactory& make) {
    LockstepBank bank(config_of(variant), make, {});
    PcerReference reference(variant);
    std::mt19937_64 random(seed);
    const std::vector<std::uint16_t> csrs = owned_csrs(bank);
    const std::uint64_t share = random() % 60;
    for (Cycle cycle = 1; cycle <= kLength && !bank.difference(); ++cycle) {
        CyclePulses pulses{.events = {}, .retired = static_cast<std::uint8_t>(random() % 3)};
        for (std::size_t source = 0; source < kEventCount; ++source) {
            pulses.events |=
                random() % 100 < share ? event_bit(static_cast<Event>(source)) : EventMask();
        }
        const std::uint16_t seen = csrs[random() % csrs.size()];
        EXPECT_EQ(bank.read(seen), reference.read(seen)) << "CSR " << seen << ", seed " << seed;
        if (random() % 10 == 0) {
            const std::uint16_t numbers[] = {kPcmr, kPcer,
                                             static_cast<std::uint16_t>(kPccr0 + random() % 32)};
            const std::uint16_t csr = numbers[random() % 3];
            const std::uint64_t value = value_for(csr, random);
            bank.write(csr, value);
            reference.clock_edge(pulses, csr, value);
        } else {
            reference.clock_edge(pulses);
        }
        bank.tick(pulses, cycle);
    }
    bank.finish();
    return bank.difference();
}

TEST(PcerRtl, BothVariantsAreBuilt) {
    for (const PcerVariant variant : {PcerVariant::PerEvent, PcerVariant::Shared}) {
        const BuiltModel* model = find_shape(pcer_models(), config_of(variant));
        ASSERT_NE(model, nullptr);
        EXPECT_EQ(model->profile, config_of(variant).profile);
    }
    EXPECT_EQ(find_shape(pcer_models(), CounterConfig{}), nullptr);
}

TEST(PcerRtl, AProfileWithOtherEventsHasNoRtl) {
    PmuProfile fewer = kCv32e40pProfile;
    --fewer.event_count;
    EXPECT_EQ(find_shape(pcer_models(), counters_of(fewer)), nullptr);
}

TEST(PcerRtl, AgreesWithTheModelOnRandomStreams) {
    for (const PcerVariant variant : {PcerVariant::PerEvent, PcerVariant::Shared}) {
        const BuiltModel* model = find_shape(pcer_models(), config_of(variant));
        ASSERT_NE(model, nullptr);
        for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
            const auto difference = run(seed, variant, model->make);
            ASSERT_FALSE(difference.has_value())
                << "seed " << seed << ": " << difference->signal << " in cycle "
                << difference->cycle << " is " << difference->model << " in the model and "
                << difference->rtl << " in the RTL";
        }
    }
}

TEST(PcerRtl, AgreesWithTheModelInDebugMode) {
    for (const PcerVariant variant : {PcerVariant::PerEvent, PcerVariant::Shared}) {
        LockstepBank bank(config_of(variant), find_shape(pcer_models(), config_of(variant))->make,
                          {});
        BankBench bench(bank);
        bench.write(kPcer, 1);
        bench.cycles(3);
        bank.set_debug(true);
        bench.cycles(4);
        bank.set_debug(false);
        bench.cycles(2);
        EXPECT_EQ(bench.read(kPccr0), 5U);
        bank.finish();
        EXPECT_FALSE(bank.difference().has_value());
    }
}

TEST(PcerRtl, ShowsItsSignalsInWaveforms) {
    RecordedWave wave(0, 100, "rtl");
    RtlCounterBank bank(config_of(PcerVariant::PerEvent), pcer_models().front().make());
    bank.attach_wave(wave, "hart0.hpm");
    BankBench bench(bank);
    bench.write(kPcer, 1);
    bench.cycles(2);
    bank.finish();
    EXPECT_EQ(wave.widths["hart0.hpm.rtl.enable_q"], 31U);
    const std::vector<std::pair<Cycle, std::uint64_t>> enabled{{2, 1}};
    EXPECT_EQ(wave.changes["hart0.hpm.rtl.enable_q"], enabled);
}

class PcerMutants : public testing::TestWithParam<Mutant> {};

TEST_P(PcerMutants, AreCaught) {
    const bool shared = std::string_view(GetParam().name).starts_with("shared");
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
        if (run(seed, shared ? PcerVariant::Shared : PcerVariant::PerEvent, GetParam().make)) {
            return;
        }
    }
    FAIL() << "no stream tells " << GetParam().name << " from the model";
}

std::string name_of(const testing::TestParamInfo<Mutant>& info) {
    return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Mutants, PcerMutants, testing::ValuesIn(mutants()), name_of);

} // namespace
} // namespace test
} // namespace pes

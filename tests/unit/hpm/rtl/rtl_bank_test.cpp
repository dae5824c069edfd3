// SPDX-License-Identifier: Apache-2.0
// What the comparison with the model cannot show: pins that no hart drives, the RTL's own idea of
// which CSR numbers are its, its sample capture, and what lockstep says about a difference.
#include "hw/common/archive.h"
#include "hw/hpm/lockstep_bank.h"
#include "hw/hpm/rtl_bank.h"
#include "hw/interface/pmu/counter_csr.h"
#include "platform/soc/waves/lockstep_window.h"
#include "tests/unit/common/temporary_directory.h"
#include "tests/unit/hpm/bank_bench.h"
#include "tests/unit/hpm/rtl/test_models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>

namespace pes::test {
namespace {

using testing::HasSubstr;

RtlFactory cva6_rtl() {
    return test_models().front().make;
}

RtlFactory mutant(std::string_view name) {
    for (const Mutant& candidate : mutants()) {
        if (candidate.name == name) {
            return candidate.make;
        }
    }
    return nullptr;
}

std::string contents(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

/// Remembers what each signal of group "rtl" was in each cycle in which it changed.
class RtlGroup final : public WaveSink {
  public:
    RtlGroup(Cycle from, Cycle to) : from_(from), to_(to) {}

    bool wants(std::string_view group) const override { return group == "rtl"; }
    SignalId declare(std::string_view, std::string_view scope, std::string_view name,
                     unsigned width, std::uint64_t initial) override {
        const std::string path = std::string(scope) + '.' + std::string(name);
        EXPECT_TRUE(width >= 1 && width <= 64) << path;
        EXPECT_TRUE(names_.emplace(path, signals_.size()).second) << path << " twice";
        signals_.push_back({{0, initial}});
        return static_cast<SignalId>(signals_.size() - 1);
    }
    void change(SignalId signal, Cycle at, std::uint64_t value) override {
        signals_.at(static_cast<std::size_t>(signal))[at] = value;
    }
    Cycle window_from() const override { return from_; }
    Cycle window_to() const override { return to_; }

    bool has(const std::string& name) const { return names_.contains("hpm.rtl." + name); }
    std::uint64_t value(const std::string& name, Cycle at) const {
        return std::prev(signals_.at(names_.at("hpm.rtl." + name)).upper_bound(at))->second;
    }

  private:
    Cycle from_, to_;
    std::map<std::string, std::size_t> names_;
    std::vector<std::map<Cycle, std::uint64_t>> signals_;
};

class Rtl : public testing::Test {
  protected:
    void retire(Address pc, EventMask events = {}) {
        bank_.observer()->retired({.cycle = bank_.now() + 1,
                                   .pc = pc,
                                   .next_pc = pc + 4,
                                   .raw = 0,
                                   .length = 4,
                                   .privilege = Privilege::User,
                                   .events = events});
    }
    static constexpr EventMask kLoad = event_bit(Event::Load);
    static constexpr EventMask kStore = event_bit(Event::Store);

    RtlCounterBank bank_{CounterConfig{}, cva6_rtl()()};
    BankBench bench_{bank_};
};

TEST_F(Rtl, ClaimsExactlyTheCsrNumbersOfTheModel) {
    for (std::uint16_t number = 0; number < 0x1000; ++number) {
        EXPECT_EQ(bank_.model().hit(number),
                  decode_counter_csr(number).kind != CounterRegister::None)
            << std::hex << number;
    }
}

TEST_F(Rtl, ReadsZeroWhereItHasNoRegister) {
    bench_.cycles(5, {Event::Load}, 2);
    for (const std::uint16_t number : {0xB01, 0xB20, 0x300, 0xDA1, 0xC00}) {
        EXPECT_EQ(bank_.model().read(number), 0U) << std::hex << number;
    }
}

TEST_F(Rtl, WithoutTheExtensionsItClaimsNoneOfTheirCsrNumbers) {
    const CounterConfig config{.sscofpmf = false, .smcntrpmf = false};
    const BuiltModel* model = find_shape(test_models(), config);
    ASSERT_NE(model, nullptr);
    RtlCounterBank bank(config, model->make());
    for (const std::uint16_t number : {0x321, 0x322, 0xDA0}) {
        EXPECT_FALSE(bank.model().hit(number)) << std::hex << number;
        EXPECT_TRUE(bank_.model().hit(number)) << std::hex << number;
    }
}

TEST_F(Rtl, RequestsAnOverflowForOneCycleAndKeepsTheBit) {
    bench_.write(csr::kMhpmevent3, 5);
    bench_.write(csr::kMhpmcounter3, ~std::uint64_t{0});
    bench_.cycle({Event::Load});
    EXPECT_TRUE(bench_.overflow());
    EXPECT_EQ(bench_.read(csr::kScountovf), 1U << 3);
    bench_.cycle();
    EXPECT_FALSE(bench_.overflow());
    EXPECT_EQ(bench_.read(csr::kMhpmevent3), csr::kMhpmeventOverflow | 5);
}

TEST_F(Rtl, StandsStillInDebugModeButForTheFixedCounters) {
    bench_.write(csr::kMhpmevent3, 5);
    bank_.set_debug(true);
    bench_.cycles(3, {Event::Load}, 1);
    bank_.set_debug(false);
    bench_.cycle({Event::Load}, 1);
    EXPECT_EQ(bench_.read(csr::kMhpmcounter3), 1U);
    EXPECT_EQ(bench_.read(csr::kMcycle), 5U);
    EXPECT_EQ(bench_.read(csr::kMinstret), 4U);
}

TEST_F(Rtl, CapturesTheInstructionWhoseEventReachedTheThreshold) {
    bench_.change_privilege(Privilege::User);
    bench_.write(csr::kMhpmevent3, 5);
    bench_.write(csr::kMhpmthreshold3, 2);
    retire(0x1000);
    bench_.cycle({Event::Load}, 1);
    retire(0x1004);
    retire(0x1008);
    bench_.cycle({Event::Load}, 2); // cycle 4: the counter gets 2
    EXPECT_TRUE(bench_.irq());
    EXPECT_EQ(bank_.outputs().sample_pc, 0U); // the line is up in 5, the sample there in 6
    retire(0x100C);
    bench_.cycle({Event::Load}, 1);
    EXPECT_EQ(bank_.outputs().sample_pc, 0x1008U);
    EXPECT_EQ(bank_.outputs().sample_cycle, 4U); // mcycle as read in cycle 5
    EXPECT_EQ(bank_.outputs().sample_reached, 1U << 3);
    EXPECT_EQ(bank_.outputs().sample_privilege, static_cast<unsigned>(Privilege::User));
}

// docs/pes.md, "Sample capture": two instructions retire in the cycle of the crossing.
TEST_F(Rtl, CapturesThePortWhoseEventReachedTheThreshold) {
    const auto sample_of = [this](Event counted, EventMask older, EventMask younger) {
        bench_.write(csr::kMhpmthreshold3, 0);
        bench_.write(csr::kMhpmcounter3, 0);
        bench_.write(csr::kMhpmevent3, static_cast<std::uint64_t>(counted));
        bench_.write(csr::kMhpmthreshold3, 1);
        retire(0x1000, older);
        retire(0x1004, younger);
        bench_.cycle({Event::Load, Event::Store, Event::L1DMiss}, 2);
        bench_.cycle();
        return bank_.outputs().sample_pc;
    };
    EXPECT_EQ(sample_of(Event::Load, kLoad, kStore), 0x1000U);
    EXPECT_EQ(sample_of(Event::Store, kLoad, kStore), 0x1004U);
    EXPECT_EQ(sample_of(Event::Load, kStore, kLoad), 0x1004U);
    EXPECT_EQ(sample_of(Event::Load, kLoad, kLoad), 0x1000U) << "both: the first raises the event";
    EXPECT_EQ(sample_of(Event::L1DMiss, kLoad, kStore), 0x1004U)
        << "no instruction's: the youngest";
}

TEST_F(Rtl, CapturesTheOneOfTwoInstructionsThatMadeTheCount) {
    for (const auto& [value, pc] : {std::pair{8U, 0x1004U}, std::pair{9U, 0x1000U}}) {
        bench_.write(csr::kMhpmthresholdInstret, 0);
        bench_.write(csr::kMinstret, value);
        bench_.write(csr::kMhpmthresholdInstret, 10);
        retire(0x1000, kLoad);
        retire(0x1004, kStore);
        bench_.cycle({Event::Load, Event::Store}, 2); // minstret gets 10 or 11
        bench_.cycle();
        EXPECT_EQ(bank_.outputs().sample_pc, pc) << value;
    }
}

TEST_F(Rtl, CapturesForTheLowestOfSeveralCounters) {
    bench_.write(csr::kMhpmevent3, 6);
    bench_.write(csr::kMhpmevent3 + 1, 5);
    bench_.write(csr::kMhpmthreshold3, 1);
    bench_.write(csr::kMhpmthreshold3 + 1, 1);
    retire(0x1000, kLoad);
    retire(0x1004, kStore);
    bench_.cycle({Event::Load, Event::Store}, 2);
    bench_.cycle();
    EXPECT_EQ(bank_.outputs().sample_reached, 3U << 3);
    EXPECT_EQ(bank_.outputs().sample_pc, 0x1004U) << "the store, which counter 3 counts";
}

TEST_F(Rtl, RestoresTheStateThatItSaved) {
    bench_.write(csr::kMhpmthreshold3, 77);
    bench_.cycles(10, {}, 2);
    std::string state;
    bank_.model().save(state);
    bench_.cycles(10, {}, 2);
    EXPECT_EQ(bench_.read(csr::kMinstret), 40U);
    bank_.model().restore(state);
    EXPECT_EQ(bench_.read(csr::kMinstret), 20U);
    EXPECT_EQ(bench_.read(csr::kMhpmthreshold3), 77U);
}

TEST_F(Rtl, RefusesWhatAnotherBlockHasSaved) {
    Archive saved;
    bank_.state(saved);
    const auto other = std::ranges::find_if(test_models(), [](const BuiltModel& model) {
        return model.width != test_models().front().width;
    });
    ASSERT_NE(other, test_models().end());
    RtlCounterBank bank({.programmable = other->programmable, .width = other->width},
                        other->make());
    Archive archive(std::span<const std::byte>(saved.bytes()));
    EXPECT_THROW(bank.state(archive), ArchiveError);
}

TEST_F(Rtl, ShowsEveryPinInItsCycle) {
    RtlGroup wave(0, kNever);
    bank_.attach_wave(wave, "hpm");
    bench_.write(csr::kMhpmevent3, 5);                       // cycle 1
    bench_.write(csr::kMhpmthreshold3, 1, {Event::Load}, 2); // 2: reached from 3 on
    bank_.set_debug(true);
    bench_.cycle(); // 3
    bank_.finish();
    for (const char* pin :
         {"rst_ni", "csr_addr_i", "csr_we_i", "csr_wdata_i", "csr_rdata_o", "csr_hit_o", "pulses_i",
          "retire_valid_i", "retire_pc_i(0)", "retire_pc_i(1)", "priv_lvl_i", "debug_mode_i",
          "threshold_irq_o", "buffer_full_irq_o", "reached_o", "sample_reached_o", "sample_cycle_o",
          "sample_pc_o", "sample_priv_o"}) {
        EXPECT_TRUE(wave.has(pin)) << pin;
    }
    EXPECT_EQ(wave.value("csr_addr_i", 1), csr::kMhpmevent3);
    EXPECT_EQ(wave.value("csr_hit_o", 1), 1U);
    EXPECT_EQ(wave.value("csr_we_i", 2), 1U);
    EXPECT_EQ(wave.value("csr_we_i", 3), 0U);
    EXPECT_EQ(wave.value("retire_valid_i", 2), 3U);
    EXPECT_EQ(wave.value("threshold_irq_o", 2), 0U);
    EXPECT_EQ(wave.value("threshold_irq_o", 3), 1U);
    EXPECT_EQ(wave.value("debug_mode_i", 2), 0U);
    EXPECT_EQ(wave.value("debug_mode_i", 3), 1U);
    EXPECT_EQ(wave.value("sample_cycle_o", 4), 2U); // mcycle as read in cycle 3
}

TEST_F(Rtl, ShowsWhatSoftwareReadsInItsCycle) {
    RtlGroup wave(0, kNever);
    bank_.attach_wave(wave, "hpm");
    bench_.write(csr::kMhpmevent3, 5);              // cycle 1
    bench_.cycles(3, {Event::Load});                // 2, 3, 4
    EXPECT_EQ(bench_.read(csr::kMhpmcounter3), 3U); // 5
    bench_.cycle({Event::Load});
    EXPECT_EQ(bench_.read(csr::kMcycle), 5U); // 6, as csrrw does
    bench_.write(csr::kMcycle, 100);
    bench_.cycle(); // 7
    EXPECT_EQ(wave.value("csr_addr_i", 5), csr::kMhpmcounter3);
    EXPECT_EQ(wave.value("csr_we_i", 5), 0U);
    EXPECT_EQ(wave.value("csr_rdata_o", 5), 3U);
    EXPECT_EQ(wave.value("csr_addr_i", 6), csr::kMcycle);
    EXPECT_EQ(wave.value("csr_we_i", 6), 1U);
    EXPECT_EQ(wave.value("csr_rdata_o", 6), 5U);
    EXPECT_EQ(wave.value("csr_addr_i", 7), 0U);
}

TEST_F(Rtl, ShowsItsRegistersInTheWindow) {
    RtlGroup wave(3, 6);
    bank_.attach_wave(wave, "hpm");
    bench_.write(csr::kMhpmevent3, 5);       // cycle 1
    bench_.write(csr::kMhpmthreshold3, 70);  // 2
    bench_.write(csr::kMhpmmoffset, 64);     // 3
    bench_.write(csr::kMcountinhibit, 0x10); // 4
    bench_.cycles(3, {Event::Load}, 1);      // 5, 6, 7
    EXPECT_EQ(wave.value("i_file.selector_q(3)", 3), 5U);
    EXPECT_EQ(wave.value("gen_threshold(3).gen_present.i_threshold.threshold_q", 3), 70U);
    EXPECT_EQ(wave.value("i_buffer.offset_q", 3), 0U);
    EXPECT_EQ(wave.value("i_buffer.offset_q", 4), 64U);
    EXPECT_EQ(wave.value("inhibit_q", 5), 0x10U);
    EXPECT_EQ(wave.value("i_cycle.value_q", 4), 3U);
    EXPECT_EQ(wave.value("i_file.gen_counter(3).gen_present.value_q", kNever), 0U)
        << "after the window";
    EXPECT_TRUE(wave.has("i_capture.youngest_pc_q"));
    EXPECT_TRUE(wave.has("i_capture.line_q"));
}

class Lockstep : public testing::Test {
  protected:
    LockstepBank::Hooks hooks() {
        return {.on_difference =
                    [this](const std::string& text) {
                        report_ = text;
                        ++reports_;
                    },
                .keep_window = lockstep_window((directory_.path() / "window.vcd").string())};
    }

    static constexpr CounterConfig kMutantConfig{.programmable = 2, .width = 40};

    TemporaryDirectory directory_;
    std::string report_;
    unsigned reports_ = 0;
};

TEST_F(Lockstep, IsSilentWhereModelAndRtlAgree) {
    LockstepBank bank(CounterConfig{}, cva6_rtl(), hooks());
    BankBench bench(bank);
    bench.write(csr::kMhpmevent3, 20);
    bench.cycles(3000, {Event::Integer}, 1);
    EXPECT_EQ(bench.read(csr::kMhpmcounter3), 3000U);
    EXPECT_EQ(reports_, 0U);
    EXPECT_FALSE(std::filesystem::exists(directory_.path() / "window.vcd"));
}

TEST_F(Lockstep, NamesCyclePcSignalBothValuesAndTheLastPulses) {
    LockstepBank bank(kMutantConfig, mutant("threshold_one_too_high"), hooks());
    BankBench bench(bank);
    bench.write(csr::kMhpmevent3, 5);     // cycle 1
    bench.write(csr::kMhpmthreshold3, 3); // cycle 2
    bench.cycles(40, {Event::Store}, 1);  // ..42
    for (Address pc = 0x8000'0100; pc != 0x8000'010C; pc += 4) {
        bank.observer()->retired({.cycle = bank.now() + 1,
                                  .pc = pc,
                                  .next_pc = pc + 4,
                                  .raw = 0,
                                  .length = 4,
                                  .privilege = Privilege::User});
        bench.cycle({Event::Load}, 1); // 43, 44, 45
    }
    EXPECT_EQ(reports_, 1U);
    ASSERT_TRUE(bank.difference());
    EXPECT_EQ(bank.difference()->cycle, 46U);
    EXPECT_EQ(bank.difference()->pc, 0x8000'0108U);
    EXPECT_EQ(bank.difference()->signal, "threshold_irq_o");
    EXPECT_EQ(bank.difference()->model, 1U);
    EXPECT_EQ(bank.difference()->rtl, 0U);
    EXPECT_THAT(report_, HasSubstr("counters differ in cycle 46, pc 0x80000108: threshold_irq_o is "
                                   "0x1 in the model and 0x0 in the RTL"));
    EXPECT_THAT(report_,
                HasSubstr("the last 32 cycles with pulses:\n  cycle 14: 1 retired, store\n"));
    EXPECT_THAT(report_, HasSubstr("  cycle 45: 1 retired, load\n"));
    bench.cycles(5, {Event::Load}, 1);
    EXPECT_EQ(reports_, 1U) << "only the first difference counts";
}

TEST_F(Lockstep, TellsThePulsesHoweverLongAgoTheyWere) {
    LockstepBank bank(kMutantConfig, mutant("threshold_one_too_high"), hooks());
    BankBench bench(bank);
    bench.write(csr::kMhpmevent3, 5);     // cycle 1
    bench.cycles(3, {Event::Load}, 0);    // 2, 3, 4
    bench.cycles(7000);                   // ..7004
    bench.write(csr::kMhpmthreshold3, 3); // 7005
    bench.cycle();
    EXPECT_THAT(report_, HasSubstr("the last 3 cycles with pulses:\n"
                                   "  cycle 1: 0 retired, write mhpmevent3 (CSR 0x323) = 0x5\n"
                                   "  cycle 2: 0 retired, load\n"
                                   "  cycle 3: 0 retired, load\n"
                                   "  cycle 4: 0 retired, load\n"
                                   "  cycle 7005: 0 retired, write mhpmthreshold3 (CSR 0xB23) = "
                                   "0x3\n"));
}

TEST_F(Lockstep, TellsTheLast32PulsesAndLeavesOutQuietCycles) {
    LockstepBank bank(kMutantConfig, mutant("threshold_one_too_high"), hooks());
    BankBench bench(bank);
    bench.write(csr::kMhpmevent3, 5); // cycle 1
    for (unsigned pulse = 0; pulse < 40; ++pulse) {
        bench.cycles(99); // pulse n from 0 is in cycle 101 + 100 n
        bench.cycle({Event::Load});
    }
    bench.write(csr::kMhpmthreshold3, 40);
    bench.cycle();
    EXPECT_THAT(report_, HasSubstr("the last 32 cycles with pulses:\n  cycle 901: 0 retired, load\n"
                                   "  cycle 1001: 0 retired, load\n"));
}

// Fetches pulse in every cycle and instructions retire in most; each event has the same share.
TEST_F(Lockstep, EventsOfNearlyEveryCycleLeaveRoomForTheOthers) {
    LockstepBank bank(kMutantConfig, mutant("threshold_one_too_high"), hooks());
    BankBench bench(bank);
    bench.write(csr::kMhpmevent3, 2);                                       // cycle 1
    bench.cycle({Event::L1DMiss, Event::L1IAccess});                        // 2
    bench.cycles(5000, {Event::L1IAccess, Event::Integer}, 1);              // ..5002
    bench.cycle({Event::DtlbMiss});                                         // 5003
    bench.cycles(5000, {Event::L1IAccess, Event::Integer, Event::Load}, 2); // ..10003
    bench.write(csr::kMhpmthreshold3, 1);
    bench.cycle();
    EXPECT_THAT(report_, HasSubstr("the last 32 cycles with pulses:\n"));
    EXPECT_THAT(report_, HasSubstr("\n  cycle 2: 0 retired, l1d-miss, l1i-access\n"));
    EXPECT_THAT(report_, HasSubstr("\n  cycle 5003: 0 retired, dtlb-miss\n"));
    EXPECT_THAT(report_, HasSubstr("\n  cycle 10003: 2 retired, load, l1i-access, integer\n"));
    EXPECT_THAT(report_, testing::Not(HasSubstr("cycle 9900")));
}

TEST_F(Lockstep, NamesTheCounterItsSelectorItsInhibitBitTheFunctionAndTheAge) {
    LockstepBank::Hooks where = hooks();
    where.name_of_pc = [](Address pc) { return pc == 0x8000'0100 ? "work+0x10" : ""; };
    LockstepBank bank({.programmable = 2, .width = 40}, mutant("inhibit_of_the_neighbour"), where);
    BankBench bench(bank);
    bench.write(csr::kMhpmevent3, 5);
    bench.cycles(200); // the idle read port has seen it
    bench.write(csr::kMcountinhibit, 0x10);
    bank.observer()->retired({.cycle = bank.now() + 1,
                              .pc = 0x8000'0100,
                              .next_pc = 0x8000'0104,
                              .raw = 0,
                              .length = 4,
                              .privilege = Privilege::User});
    bench.cycle({Event::Load}, 1); // 203: lost
    bench.cycles(128);
    ASSERT_EQ(reports_, 1U);
    ASSERT_TRUE(bank.difference());
    EXPECT_THAT(report_,
                HasSubstr(", pc 0x80000100 in work+0x10: mhpmcounter3 (CSR 0xB03) is 0x1 in "
                          "the model and 0x0 in the RTL\n"
                          "mhpmcounter3: mhpmevent3 is 0x5 (load), bit 3 of mcountinhibit "
                          "is 0\nthe idle read port found it, which looks at each of "));
    EXPECT_EQ(bank.difference()->found, CounterDifference::Found::Idle);
    EXPECT_LE(bank.difference()->equal_in, 203U);
    EXPECT_GT(bank.difference()->equal_in + bank.difference()->registers, 202U);
}

TEST_F(Lockstep, ScansAbsentRegistersToo) {
    LockstepBank bank(kMutantConfig, mutant("absent_selector_holds_a_value"), hooks());
    BankBench bench(bank);
    bench.write(csr::kMhpmevent3 + 20, 7); // counter 23 of 2
    bench.cycles(128);
    EXPECT_EQ(reports_, 1U);
    EXPECT_THAT(report_,
                HasSubstr("mhpmevent23 (CSR 0x337) is 0x0 in the model and 0x7 in the RTL\n"
                          "mhpmcounter23: this counter does not exist; it reads 0 and "
                          "drops writes\n"));
}

TEST_F(Lockstep, ComparesEveryRegisterOnceMoreAtTheEnd) {
    LockstepBank bank(kMutantConfig, mutant("second_retirement_missed"), hooks());
    BankBench bench(bank);
    bench.cycle({}, 2);
    EXPECT_EQ(reports_, 0U);
    bank.finish();
    EXPECT_EQ(reports_, 1U);
    EXPECT_THAT(report_,
                HasSubstr("counters differ in cycle 2, pc 0x0: minstret (CSR 0xB02) is 0x2 in "
                          "the model and 0x1 in the RTL\nminstret: bit 2 of "
                          "mcountinhibit is 0\nfound when the run ended: the two values "
                          "may differ since cycle 1\n"));
}

TEST_F(Lockstep, WritesTheWindowBeforeTheDifference) {
    LockstepBank bank(kMutantConfig, mutant("second_retirement_missed"), hooks());
    BankBench bench(bank);
    bench.cycles(5000, {Event::Load}, 1);
    EXPECT_EQ(reports_, 0U);
    bench.cycle({}, 2);
    bench.cycles(128); // the idle read port comes by minstret
    ASSERT_EQ(reports_, 1U);
    EXPECT_THAT(report_,
                HasSubstr("minstret (CSR 0xB02) is 0x138a in the model and 0x1389 in the RTL"));
    const std::string vcd = contents(directory_.path() / "window.vcd");
    EXPECT_THAT(vcd, HasSubstr("threshold_irq_o"));
    EXPECT_THAT(vcd, HasSubstr("value_q")); // internal
    const std::string end = "\n#" + std::to_string((bank.difference()->cycle) * 10) + "\n";
    EXPECT_THAT(vcd, HasSubstr(end));
    EXPECT_THAT(vcd, testing::Not(HasSubstr("\n#30000\n"))) << "more than two intervals";
}

TEST_F(Lockstep, TellsTheSameFromAStateThatWasSaved) {
    Archive saved;
    std::vector<std::string> told;
    for (const bool restored : {false, true}) {
        LockstepBank bank(kMutantConfig, mutant("second_retirement_missed"), hooks());
        BankBench bench(bank);
        if (restored) {
            Archive archive(std::span<const std::byte>(saved.bytes()));
            bank.state(archive);
            EXPECT_TRUE(archive.at_end());
        } else {
            bench.cycles(3000, {Event::Load}, 1);
            bank.state(saved);
        }
        bench.cycle({}, 2);
        bench.cycles(128);
        told.push_back(report_ + contents(directory_.path() / "window.vcd"));
    }
    EXPECT_EQ(reports_, 2U);
    EXPECT_EQ(told[0], told[1]);
}

TEST_F(Lockstep, FindsADifferenceThatSoftwareReads) {
    LockstepBank bank(kMutantConfig, mutant("inhibit_stores_absent_bits"), hooks());
    BankBench bench(bank);
    bench.write(csr::kMcountinhibit, 0x80);
    EXPECT_EQ(bench.read(csr::kMcountinhibit), 0U); // the model's
    EXPECT_EQ(reports_, 1U);
}

TEST_F(Lockstep, EndsTheWindowWithTheReadThatFoundTheDifference) {
    LockstepBank bank(kMutantConfig, mutant("second_retirement_missed"), hooks());
    BankBench bench(bank);
    bench.cycle({}, 2);
    EXPECT_EQ(reports_, 0U);
    EXPECT_EQ(bench.read(csr::kMinstret), 2U); // cycle 2
    EXPECT_EQ(reports_, 1U);
    const std::string vcd = contents(directory_.path() / "window.vcd");
    const std::size_t read = vcd.find("\n#21\n");
    ASSERT_NE(read, std::string::npos);
    EXPECT_THAT(vcd.substr(read), HasSubstr("b101100000010 ")); // 0xB02
}

TEST_F(Lockstep, ComparesWhichCsrNumbersAreClaimed) {
    LockstepBank bank(kMutantConfig, mutant("buffer_not_claimed_in_interrupt"), hooks());
    BankBench bench(bank);
    bench.write(csr::kMhpmthresholdCycle, 1);
    EXPECT_TRUE(bank.owns(csr::kMcycle));
    EXPECT_FALSE(bank.owns(0x300)); // mstatus
    EXPECT_EQ(reports_, 0U);
    EXPECT_TRUE(bank.owns(csr::kMhpmmcontrol)); // the model's
    EXPECT_EQ(reports_, 1U);
    EXPECT_THAT(
        report_,
        HasSubstr("csr_hit_o of mhpmmcontrol (CSR 0xBC3) is 0x1 in the model and 0x0 in the RTL"));
}

TEST_F(Lockstep, ComparesWhichCsrNumbersAreClaimedOnThePins) {
    LockstepBank bank(kMutantConfig, mutant("buffer_not_claimed_in_interrupt"), hooks());
    BankBench bench(bank);
    bench.write(csr::kMhpmthresholdCycle, 1);
    bench.write(csr::kMhpmmcontrol, 0);
    EXPECT_EQ(reports_, 1U);
    EXPECT_EQ(bank.difference()->signal, "csr_hit_o");
}

TEST_F(Lockstep, ShowsEarlierReadsInTheWindow) {
    LockstepBank bank(kMutantConfig, mutant("threshold_zero_fires"), hooks());
    BankBench bench(bank);
    EXPECT_EQ(bench.read(csr::kMhpmmcontrol), 0x801U); // 64 bytes a record, enabled
    bench.cycle();
    ASSERT_EQ(reports_, 1U);
    const std::string vcd = contents(directory_.path() / "window.vcd");
    const std::size_t read = vcd.find("\n#11\n");
    ASSERT_NE(read, std::string::npos);
    EXPECT_THAT(vcd.substr(read), HasSubstr("b101111000011 ")); // 0xBC3
}

TEST_F(Lockstep, SaysSoIfTheWindowCannotBeWritten) {
    LockstepBank::Hooks where = hooks();
    where.keep_window = lockstep_window((directory_.path() / "absent" / "window.vcd").string());
    LockstepBank bank(kMutantConfig, mutant("threshold_zero_fires"), where);
    BankBench bench(bank);
    bench.cycle();
    EXPECT_THAT(report_, HasSubstr("\nno waveform of the RTL before it: cannot write "));
}

} // namespace
} // namespace pes::test

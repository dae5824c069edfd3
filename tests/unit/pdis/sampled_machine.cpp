// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/pdis/sampled_machine.h"

#include "hw/core/arch/csr_numbers.h"
#include "hw/interface/maps/csr.h"
#include "hw/interface/pmu/profile_cva6_pdis.h"
#include "platform/soc/instruction_sampling.h"

#include <gtest/gtest.h>

#include <iterator>
#include <string_view>

namespace pes::test {

DecodeVerdict RecordKeeper::decoded(const DecodedInstruction& instruction,
                                    const DecodedTotals& totals) {
    reports_.push_back(instruction);
    return sampler_.decoded(instruction, totals);
}

SampleEffect RecordKeeper::ended(const SampledInstruction& instruction) {
    const std::uint64_t before = sampler_.counts().samples;
    const SampleEffect effect = sampler_.ended(instruction);
    if (sampler_.counts().samples != before) {
        Kept kept{.instruction = instruction, .record = {}};
        for (unsigned word = 0; word < pdis::kShownWords; ++word) {
            kept.record[word] = sampler_.read(
                {.level = IndirectLevel::Supervisor, .select = pdis::kSelect, .alias = word + 1});
        }
        records_.push_back(kept);
    }
    return effect;
}

HartConfig SampledMachine::config(Extensions extensions, ExecutionPath path) {
    HartConfig config = default_config();
    config.extensions = extensions;
    config.extensions.smpdis = true;
    config.path = path;
    config.sources = kBaseEvents | profile_sources(kCva6PdisProfile);
    return config;
}

std::uint64_t SampledMachine::counted(const char* event) {
    std::uint16_t number = csr::kMhpmcounter3;
    for (const EventRow& row : kPdisEvents) {
        if (std::string_view(row.name) == event) {
            return bank().read(number);
        }
        ++number;
    }
    ADD_FAILURE() << event;
    return 0;
}

std::unique_ptr<CounterBank> SampledMachine::counters() {
    CounterConfig config{.profile = &kCva6PdisProfile};
    config.programmable = std::size(kPdisEvents);
    auto bank = std::make_unique<TlmCounterBank>(config);
    std::uint16_t number = csr::kMhpmevent3;
    for (const EventRow& row : kPdisEvents) {
        bank->write(number++, row.selector);
        bank->tick({}, bank->now() + 1);
    }
    return bank;
}

SampledMachine::SampledMachine(Extensions extensions, ExecutionPath path)
    : BareMachine(config(extensions, path), counters()) {
    attach(sampler_, hart());
    hart().connect(keeper_, sampler_.config().stateen_bit);
}

bool SampledMachine::adds_up() const {
    const pdis::SampleCounts& counts = sampler_.counts();
    const std::uint64_t ended = counts.samples + counts.collisions + counts.filtered +
                                counts.dropped + (sampler_.active() ? 1 : 0);
    return ended == counts.overflows + counts.accelerated;
}

namespace {

constexpr Reg kLog = s1;  ///< where the handler puts the next record
constexpr Reg kTemp = t3; ///< the handler's
constexpr Reg kMask = t4;

Word random_instruction(std::mt19937& random) {
    const auto below = [&random](unsigned limit) { return random() % limit; };
    const auto reg = [&below] { return static_cast<Reg>(a0 + below(6)); };
    const auto offset = static_cast<std::int32_t>(8 * below(200));
    switch (below(20)) {
    case 0:
    case 1:
        return mul(reg(), reg(), reg());
    case 2:
        return div(reg(), reg(), reg());
    case 3:
    case 4:
    case 5:
        return ld(reg(), sp, offset);
    case 6:
        return lb(reg(), sp, offset + 3);
    case 7:
    case 8:
        return sd(reg(), sp, offset);
    case 9:
        return sw(reg(), sp, offset + 4);
    case 10:
    case 11:
        return bne(reg(), reg(), 8);
    case 12:
        return beq(reg(), reg(), 12);
    case 13:
        return jal(below(2) != 0 ? ra : zero, 8);
    case 14:
        return amoadd(Width::Double, reg(), reg(), sp);
    case 15:
        return below(4) == 0 ? kFence : csrr(reg(), csr::kMcycle);
    case 16:
        return below(3) == 0 ? kEcall : csrw(csr::kMscratch, reg());
    case 17:
        return below(2) == 0 ? jal(tp, 4) : csrr(reg(), kSpdiscounter);
    default:
        return addi(reg(), reg(), static_cast<std::int32_t>(below(2000)));
    }
}

/// Takes six words of a record to the log, allows the next LCOFI and returns.
std::vector<Word> take_record() {
    std::vector<Word> words{csrrsi(zero, csr::kMcountinhibit, 2)};
    for (unsigned alias = 1; alias <= pdis::kShownWords; ++alias) {
        const auto number =
            static_cast<std::uint16_t>(csr::kSiselect + alias + (alias > 3 ? 1 : 0));
        words.push_back(csrr(kTemp, number));
        words.push_back(sd(kTemp, kLog, static_cast<std::int32_t>(8 * (alias - 1))));
    }
    const std::vector<Word> rest{
        addi(kLog, kLog, 64),
        addi(kMask, zero, -1),
        i_type(0x13, 1, kMask, kMask, 63), // slli
        csrrc(zero, kMpdisctl, kMask),
        lui(kMask, 2), // 1 << 13
        csrrc(zero, csr::kMip, kMask),
        addi(kMask, zero, 2),
        csrrc(zero, csr::kMcountinhibit, kMask),
        kMret,
    };
    words.insert(words.end(), rest.begin(), rest.end());
    return words;
}

} // namespace

void place_random_program(SampledMachine& machine, std::mt19937& random) {
    std::vector<Word> words(20 + random() % 80);
    for (Word& word : words) {
        word = random_instruction(random);
    }
    words.insert(words.end(), {kNop, kNop});
    words.push_back(j(-4 * static_cast<std::int32_t>(words.size())));
    machine.place(BareMachine::kCode, words);
    const Address taker =
        machine.place(BareMachine::kHandler, {csrr(kTemp, csr::kMcause), b_type(4, kTemp, zero, 20),
                                              csrr(kTemp, csr::kMepc), addi(kTemp, kTemp, 4),
                                              csrw(csr::kMepc, kTemp), kMret});
    machine.place(taker, take_record());
    // blt goes to the word behind the mret
    machine.set_csr(csr::kMtvec, BareMachine::kHandler);
    machine.set_csr(csr::kSiselect, pdis::kSelect);
    machine.set_csr(csr::kMcounteren, 2); // TM: records may have the time
    machine.set_csr(csr::kMie, std::uint64_t{1} << 13);
    machine.set_csr(csr::kMstatus, mstatus::kMie);
    machine.set(sp, BareMachine::kData);
    machine.set(kLog, BareMachine::kData + 0x1'0000);
}

} // namespace pes::test

// SPDX-License-Identifier: Apache-2.0
// Random equivalence: the naive per-cycle reference, the model ticked every cycle and the model
// that takes spans see the same pulses and the same CSR writes, and must agree in every register
// and in level and cycle of both lines after every step.
#include "hw/hpm/tlm_bank.h"
#include "hw/interface/pmu/profile_u74.h"
#include "tests/unit/hpm/bank_bench.h"
#include "tests/unit/hpm/reference_bank.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <random>
#include <sstream>
#include <vector>

namespace pes::test {
namespace {

constexpr Cycle kLongestSpan = 60;

class Equivalence {
  public:
    Equivalence(std::uint64_t seed, const CounterConfig& config)
        : random_(seed), config_(config), reference_(config), ticked_(config), spanned_(config),
          csrs_(owned_csrs(reference_)), pulse_share_(below(100)), write_share_(1 + below(30)) {}

    /// An explanation of the first difference, or nothing.
    std::string run(Cycle cycles) {
        while (reference_.now() < cycles) {
            if (reference_.now() >= next_mode_ && below(20) == 0) {
                change_mode();
            }
            const Cycle safe = spanned_.safe_cycles();
            const bool high = reference_.interrupt(BankLine::Threshold).level;
            const bool overflowed = reference_.interrupt(BankLine::Overflow).level;
            requests_ += overflowed ? 1 : 0;
            // What is announced belongs to instructions before those that write.
            const bool writes = reference_.now() + 1 >= next_mode_;
            if (writes && high && below(2) == 0) {
                write_as_handler();
                step();
            } else if (writes && config_.programmable != 0 && below(30) == 0) {
                prepare_overflow();
            } else if (writes && below(100) < write_share_) {
                write_anything();
                step();
            } else if (safe > 0 && below(4) != 0) {
                span(1 + below(std::min(safe, kLongestSpan)));
            } else {
                step();
            }
            std::string difference = compare();
            if (!difference.empty()) {
                return difference;
            }
        }
        return {};
    }
    unsigned edges() const { return edges_; }
    unsigned requests() const { return requests_; }
    Cycle spans() const { return spans_; }

  private:
    std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

    CyclePulses pulses() {
        CyclePulses result;
        for (unsigned event = 0; event < kEventCount; ++event) { // bit 0 must not count either
            if (below(100) < pulse_share_) {
                result.events |= event_bit(static_cast<Event>(event));
                ++totals_.events[event];
            }
        }
        result.retired = static_cast<std::uint8_t>(below(3));
        totals_.retired += result.retired;
        return result;
    }

    /// The counter that a counter or threshold CSR belongs to.
    std::uint64_t counter_of(std::uint16_t csr) const {
        const CounterCsr target = decode_counter_csr(csr);
        return reference_.read(counter_csr(target.index));
    }

    /// Values at the edges: near the counter's present value (a threshold written on the cycle of
    /// its crossing), near its threshold, near the wrap, small ones, anything.
    std::uint64_t value_for(std::uint16_t csr) {
        const CounterCsr target = decode_counter_csr(csr);
        const std::uint64_t wrap = config_.width == 64 ? 0 : 1ULL << config_.width;
        switch (target.kind) {
        case CounterRegister::Event:
            return any_selector() | (below(2) == 0 ? below(256) << 56 : 0);
        case CounterRegister::Filter:
            return below(256) << 56;
        case CounterRegister::Inhibit:
            return random_() & random_();
        case CounterRegister::Counter: {
            const std::uint64_t threshold = reference_.read(threshold_csr(target.index));
            const std::uint64_t choices[] = {
                0,        below(8), wrap - 1 - below(12), wrap - 1 - below(4), threshold - below(5),
                random_()};
            return choices[below(6)];
        }
        case CounterRegister::Threshold: {
            const std::uint64_t present = counter_of(csr);
            const std::uint64_t choices[] = {0, present + below(4), present + below(100),
                                             present - below(3), wrap - 1 - below(8)};
            return choices[below(5)];
        }
        default:
            return below(2) == 0 ? below(300) : random_();
        }
    }

    /// Reserved ones too.
    std::uint64_t any_selector() {
        if (config_.profile->selector_kind == SelectorKind::Number) {
            return below(40) | below(2) << 40;
        }
        const std::uint64_t event_class = below(8) == 0 ? below(256) : below(3);
        const std::uint64_t mask = below(3) == 0 ? random_() & random_() : 1ULL << below(20);
        return event_class | (mask << 8 & config_.profile->selector_mask);
    }

    /// One that counts.
    std::uint64_t live_selector() {
        if (config_.profile->selector_kind == SelectorKind::Number) {
            return 1 + below(24);
        }
        constexpr std::uint64_t kSeveral[] = {0x4200, 0x6001, 0x0302};
        constexpr std::uint64_t kOne[] = {0x2000, 0x2001, 0x0202};
        return below(2) == 0 ? kSeveral[below(3)] : kOne[below(3)];
    }

    /// Mostly a register of a counter that every shape has or that may be armed; else any at all.
    void write_anything() {
        constexpr unsigned kFavourites[] = {kCycleIndex, kInstretIndex, 3, 4, 5};
        const unsigned index = kFavourites[below(5)];
        std::uint16_t csr = csrs_[below(csrs_.size())];
        if (below(4) != 0) {
            const std::uint16_t choices[] = {
                threshold_csr(index), threshold_csr(index),           counter_csr(index),
                counter_csr(index),   event_csr(std::max(index, 3U)), csr::kMcountinhibit};
            csr = choices[below(6)];
        }
        write(csr, value_for(csr));
    }

    /// What Linux does to sample: OF = 0 and a value short of the wrap.
    void prepare_overflow() {
        const auto index = static_cast<unsigned>(kFirstProgrammable + below(2));
        const std::uint64_t wrap = config_.width == 64 ? 0 : 1ULL << config_.width;
        write(event_csr(index), live_selector() | (below(4) == 0 ? below(8) << 60 : 0));
        step();
        write(counter_csr(index), wrap - 1 - below(40));
        step();
    }

    /// What a handler does about a line that is high: takes one comparator back below its
    /// threshold.
    void write_as_handler() {
        for (unsigned index = 0; index < kCounterLimit; ++index) {
            if (index == 1) {
                continue; // no such counter
            }
            const std::uint64_t threshold = reference_.read(threshold_csr(index));
            const std::uint64_t present = reference_.read(counter_csr(index));
            if (threshold != 0 && present >= threshold) {
                const bool reset = below(2) == 0;
                const std::uint64_t back = 1 + below(std::min<std::uint64_t>(threshold, 40));
                reset ? write(counter_csr(index), threshold - back)
                      : write(threshold_csr(index), below(3) == 0 ? 0 : present + back);
                return;
            }
        }
        write_anything();
    }

    void write(std::uint16_t csr, std::uint64_t value) {
        std::ostringstream text;
        text << std::hex << "last write csr 0x" << csr << " value 0x" << value << std::dec
             << " in cycle " << reference_.now() + 1;
        last_write_ = text.str();
        for (CounterBank* bank : banks()) {
            bank->write(csr, value);
        }
    }

    /// From a cycle on that may lie ahead of this one, as a hart is ahead of its counters.
    void change_mode() {
        constexpr Privilege kModes[] = {Privilege::User, Privilege::Supervisor, Privilege::Machine};
        const Privilege mode = kModes[below(3)];
        next_mode_ = reference_.now() + 2 + below(12);
        for (CounterBank* bank : banks()) {
            bank->set_privilege(mode, next_mode_);
        }
    }

    void step() {
        const CyclePulses now = pulses();
        const Cycle cycle = reference_.now() + 1;
        for (CounterBank* bank : banks()) {
            bank->tick(now, cycle);
        }
    }

    void span(Cycle length) {
        const bool level = reference_.interrupt(BankLine::Threshold).level;
        const bool heavy = below(4) == 0; // the most a hart can do, up to the end of the bound
        for (Cycle i = 0; i < length; ++i) {
            CyclePulses now = pulses();
            if (heavy) {
                for (unsigned event = 1; event < kEventCount; ++event) {
                    totals_.events[event] += now.events.has(static_cast<Event>(event)) ? 0 : 1;
                }
                totals_.retired += 2U - now.retired;
                now = {.events = kAllEvents | event_bit(Event::None), .retired = 2};
            }
            const Cycle cycle = reference_.now() + 1;
            reference_.tick(now, cycle);
            ticked_.tick(now, cycle);
            if (reference_.interrupt(BankLine::Threshold).level != level ||
                reference_.interrupt(BankLine::Overflow).level) {
                broken_promise_ = cycle;
            }
        }
        spanned_.advance(totals_, reference_.now());
        ++spans_;
    }

    std::string compare() {
        std::ostringstream text;
        if (broken_promise_ != 0) {
            text << "line moved inside safe_cycles() in cycle " << broken_promise_ << ' ';
        }
        for (const CounterBank* bank :
             {static_cast<CounterBank*>(&ticked_), static_cast<CounterBank*>(&spanned_)}) {
            const char* name = bank == &ticked_ ? "ticked" : "spanned";
            for (const std::uint16_t csr : csrs_) {
                if (bank->read(csr) != reference_.read(csr)) {
                    text << name << " csr 0x" << std::hex << csr << " reads 0x" << bank->read(csr)
                         << " expected 0x" << reference_.read(csr) << std::dec << ' ';
                }
            }
            for (const BankLine line :
                 {BankLine::Threshold, BankLine::BufferFull, BankLine::Overflow}) {
                const BankInterrupt got = bank->interrupt(line), want = reference_.interrupt(line);
                if (got.level != want.level || got.since != want.since) {
                    text << name << " line " << static_cast<int>(line) << " is " << got.level
                         << " since " << got.since << " expected " << want.level << " since "
                         << want.since << ' ';
                }
            }
        }
        const Cycle edge = reference_.interrupt(BankLine::Threshold).since;
        edges_ += edge != last_edge_ ? 1 : 0;
        last_edge_ = edge;
        if (!text.str().empty()) {
            text << "after cycle " << reference_.now() << "; " << last_write_;
        }
        return text.str();
    }

    std::array<CounterBank*, 3> banks() { return {&reference_, &ticked_, &spanned_}; }

    std::mt19937_64 random_;
    CounterConfig config_;
    ReferenceBank reference_;
    TlmCounterBank ticked_;
    TlmCounterBank spanned_;
    std::vector<std::uint16_t> csrs_;
    std::uint64_t pulse_share_; ///< per cent of cycles in which a source pulses
    std::uint64_t write_share_; ///< per cent of steps that begin with a CSR write
    EventTotals totals_;
    std::string last_write_ = "no write yet";
    Cycle broken_promise_ = 0;
    Cycle last_edge_ = 0;
    unsigned edges_ = 0;
    unsigned requests_ = 0;
    Cycle next_mode_ = 0;
    Cycle spans_ = 0;
};

struct Shape {
    const char* name;
    CounterConfig config;
};

void PrintTo(const Shape& shape, std::ostream* stream) {
    *stream << shape.name;
}

class BankEquivalence : public testing::TestWithParam<Shape> {};

TEST_P(BankEquivalence, ReferenceTickedAndSpannedAgreeOnRandomStreams) {
    constexpr std::uint64_t kSeeds = 60;
    unsigned edges = 0;
    unsigned requests = 0;
    Cycle spans = 0;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
        Equivalence run(seed, GetParam().config);
        ASSERT_EQ(run.run(4000), "") << "seed " << seed;
        edges += run.edges();
        requests += run.requests();
        spans += run.spans();
    }
    const bool can_overflow = GetParam().config.sscofpmf && GetParam().config.programmable != 0;
    EXPECT_EQ(requests > kSeeds, can_overflow) << requests;
    EXPECT_GT(edges, 10 * kSeeds);  // the streams do move the line
    EXPECT_GT(spans, 100 * kSeeds); // and leave room for spans
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, BankEquivalence,
    testing::Values(Shape{"cva6", {}}, Shape{"narrow", {.width = 32}},
                    Shape{"odd_width", {.programmable = 2, .width = 47}},
                    Shape{"all_counters", {.programmable = 29}},
                    Shape{"own_strobes", {.width = 40, .write_freezes = false}},
                    Shape{"fixed_only", {.programmable = 0}},
                    Shape{"as_the_core", {.sscofpmf = false, .smcntrpmf = false}},
                    Shape{"overflow_only", {.width = 33, .smcntrpmf = false}},
                    Shape{"u74", counters_of(kU74Profile)},
                    Shape{"u74_with_one_strobe",
                          {.profile = &kU74Profile, .programmable = 4, .width = 40}}),
    [](const auto& info) { return info.param.name; });

} // namespace
} // namespace pes::test

// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/hpm/rtl/counter_stream.h"

#include "hw/hpm/tlm_bank.h"
#include "hw/interface/pmu/counter_csr.h"
#include "tests/unit/hpm/bank_bench.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <random>
#include <sstream>
#include <tuple>
#include <utility>

namespace pes::test {
namespace {

/// The hart's side of Sspesa: what a step says.
class StreamHost final : public SampleHost {
  public:
    bool overflow_pending() const override { return step_.pending; }
    std::uint32_t sampled_counters() const override { return step_.sampled; }
    void overflowed(const Crossing&) override {}
    void find_cause(const Crossing&) override {}

    void enter(const Step& step, CounterBank& bank) {
        step_ = step;
        const Address pc = 0x8000'0001 + 6 * bank.now(); // bit 0 is not stored
        for (const auto kind : {Crossing::Kind::Overflow, Crossing::Kind::Threshold}) {
            const unsigned bit = kind == Crossing::Kind::Overflow ? 1 : 2;
            if ((step.answers & bit) != 0) {
                bank.name_cause({.kind = kind,
                                 .counter = static_cast<unsigned>(bank.now() * bit % kCounterLimit),
                                 .pc = pc * bit,
                                 .data = ~pc});
            }
        }
    }

  private:
    Step step_;
};

/// Makes steps while a model follows them, to know where the edges are.
class Generator {
  public:
    Generator(std::uint64_t seed, const CounterConfig& config, const Constraint& constraint)
        : random_(seed), config_(config), constraint_(constraint), bank_(make_bank()),
          csrs_(owned_csrs(*bank_)), pulse_share_(below(100)), write_share_(1 + below(40)) {}

    Step next() {
        Step step;
        if (below(700) == 0) {
            step.reset = true;
            bank_ = make_bank();
            debug_ = false;
            mode_ = Privilege::Machine;
            return step;
        }
        const std::size_t pins = pulse_pins(*config_.profile);
        for (unsigned event = 0; event < pins; ++event) { // bit 0 must not count either
            step.events |= static_cast<EventBits>(below(100) < pulse_share_) << event;
        }
        step.retired = static_cast<unsigned>(below(3));
        step.older = step.retired == 2 ? step.events & random_() : 0;
        constexpr std::array kModes{Privilege::User, Privilege::Supervisor, Privilege::Machine};
        step.privilege = below(3) == 0 ? kModes[below(kModes.size())] : mode_;
        debug_ = below(debug_ ? 12 : 150) == 0 ? !debug_ : debug_; // short stays, now and then
        step.debug = debug_;
        step.pending = below(3) == 0;
        step.sampled = static_cast<std::uint32_t>(below(2) == 0 ? random_() : ~std::uint64_t{0});
        step.answers = below(3) == 0 ? static_cast<unsigned>(below(4)) : 0;
        if (bank_->interrupt(BankLine::Threshold).level && below(2) == 0) {
            write_as_handler(step);
        } else if ((below(4) != 0 || !write_at_edge(step)) && below(100) < write_share_) {
            write_anything(step);
        }
        if (constraint_) {
            constraint_(step);
        }
        follow(step);
        return step;
    }

  private:
    std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

    std::unique_ptr<TlmCounterBank> make_bank() {
        auto bank = std::make_unique<TlmCounterBank>(config_);
        bank->connect_samples(host_);
        return bank;
    }

    void follow(const Step& step) {
        host_.enter(step, *bank_);
        if (step.csr != 0) {
            bank_->write(step.csr, step.value);
        }
        if (step.privilege != mode_) {
            bank_->set_privilege(mode_ = step.privilege, bank_->now() + 2);
        }
        bank_->set_debug(step.debug);
        bank_->tick(
            {.events = mask_of(step.events), .retired = static_cast<std::uint8_t>(step.retired)},
            bank_->now() + 1);
    }

    void write_anything(Step& step) {
        const std::array<unsigned, 6> favourites{kCycleIndex, kInstretIndex, 3, 4, 5, any_index()};
        const unsigned index = favourites[below(favourites.size())];
        const std::array choices{threshold_csr(index), threshold_csr(index), counter_csr(index),
                                 event_csr(std::max(index, kFirstProgrammable)),
                                 csr::kMcountinhibit};
        const std::uint64_t aim = below(8);
        if (aim == 0) {
            step.csr = csrs_[below(csrs_.size())];
        } else if (aim == 1) {
            step.csr = static_cast<std::uint16_t>(csr::kMhpmmmaped + below(4));
        } else {
            step.csr = choices[below(choices.size())];
        }
        step.value = value_for(step.csr);
    }

    unsigned any_index() {
        const unsigned end = std::min(kFirstProgrammable + config_.programmable + 1, kCounterLimit);
        return kFirstProgrammable + static_cast<unsigned>(below(end - kFirstProgrammable));
    }

    /// Takes one comparator that is high back below its threshold.
    void write_as_handler(Step& step) {
        const std::uint32_t reached = bank_->reached();
        const auto index = static_cast<unsigned>(std::countr_zero(reached));
        const std::uint64_t threshold = bank_->read(threshold_csr(index));
        const std::uint64_t back = 1 + below(std::min<std::uint64_t>(threshold, 20));
        if (below(2) == 0) {
            step.csr = counter_csr(index);
            step.value = threshold - back;
        } else {
            step.csr = threshold_csr(index);
            step.value = below(3) == 0 ? 0 : bank_->read(counter_csr(index)) + back;
        }
    }

    /// A counter that is about to wrap, or its selector, is written just then, or the next counter
    /// is brought as far and counts the same, so that both wrap together, or one less, so that it
    /// wraps behind it. Or the selector of a counter that is about to reach its threshold is
    /// written. False: there is none.
    bool write_at_edge(Step& step) {
        const std::uint64_t last = ~std::uint64_t{0} >> (64 - config_.width);
        for (unsigned place = 0; place < config_.programmable; ++place) {
            const unsigned index = kFirstProgrammable + place;
            const std::uint64_t value = bank_->read(counter_csr(index));
            const std::uint64_t threshold = bank_->read(threshold_csr(index));
            if (threshold > value && threshold - value <= 2) {
                step.csr = event_csr(index);
                step.value = value_for(step.csr);
                return true;
            }
            if (last - value > 1) {
                continue;
            }
            const unsigned next = kFirstProgrammable + (place + 1) % config_.programmable;
            const std::array writes{std::pair{counter_csr(index), value_for(counter_csr(index))},
                                    std::pair{event_csr(index), value_for(event_csr(index))},
                                    std::pair{counter_csr(next), value},
                                    std::pair{counter_csr(next), value - 1},
                                    std::pair{event_csr(next), bank_->read(event_csr(index)) &
                                                                   ~csr::kMhpmeventOverflow}};
            std::tie(step.csr, step.value) = writes[below(writes.size())];
            return true;
        }
        return false;
    }

    /// Reserved ones too; of a class and a mask, one event or several.
    std::uint64_t any_selector() {
        if (config_.profile->selector_kind == SelectorKind::Number) {
            const bool last_row = below(4) == 0; // instructions: the one that counts by two
            const std::uint64_t number =
                last_row ? std::prev(config_.profile->end())->selector : below(40);
            return number | below(2) << 40;
        }
        const std::uint64_t event_class = below(8) == 0 ? below(256) : below(3);
        const std::uint64_t mask =
            below(3) == 0 ? random_() & random_() : std::uint64_t{1} << below(20);
        return event_class | (mask << 8 & config_.profile->selector_mask);
    }

    /// One counter, all but one, any, or none.
    std::uint64_t any_inhibit() {
        const std::uint64_t one = std::uint64_t{1} << any_index();
        const std::array choices{one, ~one, random_() & random_(), std::uint64_t{0}};
        return choices[below(choices.size())];
    }

    std::uint64_t value_for(std::uint16_t number) {
        const CounterCsr target = decode_counter_csr(number);
        const std::uint64_t wrap = config_.width == 64 ? 0 : std::uint64_t{1} << config_.width;
        switch (target.kind) {
        case CounterRegister::Event:
            return any_selector() | (below(2) == 0 ? below(256) << 56 : 0);
        case CounterRegister::Filter:
            return below(256) << 56;
        case CounterRegister::Inhibit:
            return any_inhibit();
        case CounterRegister::Counter: {
            const std::uint64_t threshold = bank_->read(threshold_csr(target.index));
            const std::uint64_t carry = std::uint64_t{1} << (below(2) == 0 ? 32 : below(64));
            const std::array choices{std::uint64_t{0},     below(8),
                                     wrap - 1 - below(6),  std::uint64_t{0} - 1 - below(6),
                                     threshold - below(4), random_(),
                                     carry - 1 - below(4)};
            return choices[below(choices.size())];
        }
        case CounterRegister::Threshold: {
            const std::uint64_t present = bank_->read(counter_csr(target.index));
            const std::array choices{std::uint64_t{0},    present + below(4), present + below(4),
                                     present + below(60), present - below(3), wrap - 1 - below(8)};
            return choices[below(choices.size())];
        }
        case CounterRegister::BufferControl:
            return below(4) << 8 | (below(4) != 0 ? csr::kMhpmmcontrolFullEnable : 0) |
                   below(2) << 63 | below(2) << 40;
        default: { // the buffer: a few records, in multiples of 8 and not, at both ends of 2^64
            const std::uint64_t few = below(12) * 8 + (below(8) == 0 ? below(8) : 0);
            const std::array choices{few, few, few, 0 - few, random_()};
            return choices[below(choices.size())];
        }
        }
    }

    std::mt19937_64 random_;
    CounterConfig config_;
    const Constraint& constraint_;
    StreamHost host_;
    std::unique_ptr<TlmCounterBank> bank_;
    std::vector<std::uint16_t> csrs_;
    std::uint64_t pulse_share_; ///< per cent of cycles in which a source pulses
    std::uint64_t write_share_; ///< per cent of cycles with a CSR write
    bool debug_ = false;
    Privilege mode_ = Privilege::Machine;
};

/// Replaces a part of the stream by something smaller as long as it still fails.
class Shrinker {
  public:
    Shrinker(Stream stream, const std::function<bool(const Stream&)>& fails)
        : stream_(std::move(stream)), fails_(fails) {}

    Stream run() {
        do {
            progress_ = false;
            remove_steps();
            trade_steps();
            simplify_steps();
        } while (progress_);
        return stream_;
    }

  private:
    bool accept(Stream candidate) {
        if (!fails_(candidate)) {
            return false;
        }
        stream_ = std::move(candidate);
        progress_ = true;
        return true;
    }

    void remove_steps() {
        for (std::size_t chunk = std::max<std::size_t>(stream_.size() / 2, 1); chunk != 0;
             chunk /= 2) {
            for (std::size_t at = 0; at + chunk <= stream_.size();) {
                Stream candidate = stream_;
                const auto from = candidate.begin() + static_cast<std::ptrdiff_t>(at);
                candidate.erase(from, from + static_cast<std::ptrdiff_t>(chunk));
                at += accept(std::move(candidate)) ? 0 : chunk;
            }
        }
    }

    /// A counter that starts one higher needs one pulse less; that of instructions, two higher. So
    /// does one whose threshold is lower.
    void trade_steps() {
        constexpr std::size_t kFewSteps = 40;
        for (std::size_t at = 0; stream_.size() <= kFewSteps && at < stream_.size();) {
            bool traded = false;
            for (std::size_t write = 0; write < stream_.size() && !traded; ++write) {
                if (write == at || stream_[write].csr == 0) {
                    continue;
                }
                for (const int more : {1, 2, -1, -2}) {
                    Stream candidate = stream_;
                    candidate[write].value += static_cast<std::uint64_t>(more);
                    candidate.erase(candidate.begin() + static_cast<std::ptrdiff_t>(at));
                    traded = accept(std::move(candidate));
                    if (traded) {
                        break;
                    }
                }
            }
            at += traded ? 0 : 1;
        }
    }

    void simplify_steps() {
        for (std::size_t at = 0; at < stream_.size(); ++at) {
            change(at, [](Step& step) { step.csr = 0, step.value = 0; });
            change(at, [](Step& step) { step.events = 0; });
            change(at, [](Step& step) { step.older = 0; });
            change(at, [](Step& step) { step.retired = 0; });
            change(at, [](Step& step) { step.privilege = Privilege::Machine; });
            change(at, [](Step& step) { step.debug = false; });
            change(at, [](Step& step) { step.pending = false; });
            change(at, [](Step& step) { step.sampled = ~std::uint32_t{0}; });
            change(at, [](Step& step) { step.answers = 0; });
            for (unsigned bit = 0; bit < 64; ++bit) {
                change(at, [bit](Step& step) { step.events &= ~(EventBits{1} << bit); });
                change(at, [bit](Step& step) { step.older &= ~(EventBits{1} << bit); });
                change(at, [bit](Step& step) { step.value &= ~(std::uint64_t{1} << (63 - bit)); });
            }
        }
    }

    template <typename Change>
    void change(std::size_t at, Change simplify) {
        Stream candidate = stream_;
        Step& step = candidate[at];
        simplify(step);
        if (step != stream_[at]) {
            accept(std::move(candidate));
        }
    }

    Stream stream_;
    const std::function<bool(const Stream&)>& fails_;
    bool progress_ = false;
};

/// "        {.events = 0x20, .retired = 1},", what has its default left out.
void print(std::ostream& out, const Step& step) {
    const char* separator = "";
    const auto member = [&](const char* name, auto value, const char* prefix = "") {
        out << separator << '.' << name << " = " << prefix << value;
        separator = ", ";
    };
    out << "        {";
    if (step.events != 0) {
        member("events", step.events, "0x");
    }
    if (step.older != 0) {
        member("older", step.older, "0x");
    }
    if (step.retired != 0) {
        member("retired", step.retired);
    }
    if (step.csr != 0) {
        member("csr", step.csr, "0x");
        member("value", step.value, "0x");
    }
    if (step.privilege != Privilege::Machine) {
        member("privilege", step.privilege == Privilege::User ? "User" : "Supervisor",
               "Privilege::");
    }
    if (step.debug) {
        member("debug", "true");
    }
    if (step.reset) {
        member("reset", "true");
    }
    if (step.pending) {
        member("pending", "true");
    }
    if (step.sampled != ~std::uint32_t{0}) {
        member("sampled", step.sampled, "0x");
    }
    if (step.answers != 0) {
        member("answers", step.answers);
    }
    out << "},\n";
}

} // namespace

Stream random_stream(std::uint64_t seed, const CounterConfig& config, std::size_t length,
                     const Constraint& constraint) {
    Generator generator(seed, config, constraint);
    Stream stream(length);
    std::generate(stream.begin(), stream.end(), [&generator] { return generator.next(); });
    return stream;
}

void play(const Stream& stream, LockstepBank& bank) {
    StreamHost host;
    bank.connect_samples(host);
    const std::vector<std::uint16_t> csrs = owned_csrs(bank);
    Address pc = 0x8000'0000;
    Privilege mode = Privilege::Machine;
    for (const Step& step : stream) {
        if (step.reset) {
            bank.reset();
            mode = Privilege::Machine;
        } else {
            for (unsigned port = 0; port < step.retired; ++port) {
                pc += 4;
                bank.observer()->retired(
                    {.cycle = bank.now() + 1,
                     .pc = pc,
                     .next_pc = pc + 4,
                     .raw = 0,
                     .length = 4,
                     .privilege = step.privilege,
                     .events = mask_of(port == 0 ? step.events & step.older : step.events)});
            }
            if (step.csr != 0) {
                bank.write(step.csr, step.value);
            }
            if (step.privilege != mode) {
                bank.set_privilege(mode = step.privilege, bank.now() + 2);
            }
            bank.set_debug(step.debug);
            host.enter(step, bank);
            bank.tick({.events = mask_of(step.events),
                       .retired = static_cast<std::uint8_t>(step.retired)},
                      bank.now() + 1);
        }
        for (const std::uint16_t csr : csrs) {
            bank.read(csr);
        }
        if (bank.difference()) {
            break;
        }
    }
}

std::optional<LockstepBank::Difference> run(const Stream& stream, const CounterConfig& config,
                                            const RtlFactory& make) {
    LockstepBank bank(config, make, {});
    play(stream, bank);
    return bank.difference();
}

Stream shrink(Stream stream, const std::function<bool(const Stream&)>& fails) {
    return Shrinker(std::move(stream), fails).run();
}

std::string as_test_case(const Stream& stream, const CounterConfig& config, std::string_view make) {
    std::ostringstream out;
    out << "TEST(RtlEquivalence, Shrunk) {\n"
        << "    const CounterConfig config{"
        << (config.profile == &kCva6Profile ? "" : ".profile = &kU74Profile, ")
        << ".programmable = " << config.programmable << ", .width = " << config.width
        << ", .write_freezes = " << (config.write_freezes ? "true" : "false")
        << ", .sscofpmf = " << (config.sscofpmf ? "true" : "false")
        << ", .smcntrpmf = " << (config.smcntrpmf ? "true" : "false") << "};\n"
        << "    const Stream stream{\n"
        << std::hex << std::uppercase;
    for (const Step& step : stream) {
        print(out, step);
    }
    out << "    };\n"
        << "    expect_no_difference(stream, config, " << make << ");\n}\n";
    return out.str();
}

} // namespace pes::test

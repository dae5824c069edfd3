// SPDX-License-Identifier: Apache-2.0
#include "tb/sample_steps.h"

#include "hw/common/event.h"
#include "hw/interface/maps/interrupts.h"
#include "hw/interface/maps/plic.h"
#include "hw/interface/pmu/counter_csr.h"
#include "platform/host/user_error.h"

namespace pes {
namespace {

constexpr std::int64_t kMepcCsr = 0x341;
constexpr std::uint32_t kMret = 0x3020'0073;
constexpr unsigned kMachineExternal = 11; // bit of mip

bool writes_store(const Retired& retired) {
    return retired.instruction.commit_events.has(Event::Store);
}

/// Finds the steps one behind the other: each search starts where the step before it was found.
class Finder {
  public:
    Finder(const VcdFile& wave, const CommitTrace& commits, const PmuProfile& profile, Cycle line)
        : wave_(wave), commits_(commits), profile_(profile), line_(line) {}

    Sample find() {
        find_counter();
        find_event();
        find_request();
        find_handler();
        if (sample_.taken == Taken::ByInterrupt) {
            find_end();
        }
        return sample_;
    }

  private:
    using Found = std::optional<Cycle>;

    void set(Step step, Found at) { sample_.steps[static_cast<std::size_t>(step)] = at; }
    Found get(Step step) const { return sample_.at(step); }

    std::uint64_t value_at(Cycle cycle) const {
        return wave_.signal(signals_.value).at(cycle).value_or(0);
    }
    std::uint64_t threshold_at(Cycle cycle) const {
        return wave_.signal(signals_.threshold).at(cycle).value_or(0);
    }
    bool reached_at(Cycle cycle) const {
        const std::uint64_t threshold = threshold_at(cycle);
        return threshold != 0 && value_at(cycle) >= threshold;
    }
    Found edge_after(Found from, std::string_view signal, unsigned bit, Edge edge) const {
        return from ? wave_.signal(signal).edge(*from, bit, edge) : std::nullopt;
    }
    Found retirement(Found from, const CommitTrace::Condition& condition) const {
        const Retired* const found = from ? commits_.first(*from, condition) : nullptr;
        return found == nullptr ? std::nullopt : Found(found->cycle);
    }

    /// The lowest counter that is at its threshold.
    void find_counter() {
        for (; sample_.counter < kCounterLimit; ++sample_.counter) {
            signals_ = signals_of(sample_.counter);
            if (wave_.find(signals_.threshold) != nullptr && reached_at(line_)) {
                break;
            }
        }
        if (sample_.counter == kCounterLimit) {
            throw UserError("the threshold line rises in cycle " + std::to_string(line_) +
                            " and no counter of hart 0 is at its threshold");
        }
        sample_.threshold = threshold_at(line_);
        sample_.selector =
            signals_.selector.empty() ? 0 : wave_.signal(signals_.selector).at(line_).value_or(0);
    }

    /// The counter's events of T by docs/pes.md, "Sample capture".
    void find_event() {
        const Cycle event = line_ - 1;
        set(Step::Event, event);
        set(Step::ThresholdReached, line_);
        set(Step::Line, line_);
        event_ = cause_in(event);
        if (event_ == nullptr) {
            const bool written =
                threshold_at(event) != sample_.threshold || value_at(event) > value_at(line_);
            sample_.cause = written ? EventCause::Write : EventCause::Other;
            event_ = commits_.last(line_, [](const Retired&) { return true; });
        }
        sample_.event_pc = event_ == nullptr ? 0 : event_->pc;
    }

    /// The instruction that retires in this cycle with an event that the counter counts.
    const Retired* cause_in(Cycle cycle) const {
        const bool instret = sample_.counter == kInstretIndex;
        const EventMask sources =
            instret ? event_bit(Event::Instructions)
            : sample_.counter == kCycleIndex
                ? EventMask()
                : sources_of(profile_, sample_.selector & profile_.selector_mask);
        const bool counts_each = sources.has(Event::Instructions);
        const Retired* const first = commits_.first(cycle, [=](const Retired& r) {
            return counts_each || (r.instruction.commit_events & sources).any();
        });
        if (first == nullptr || first->cycle != cycle) {
            return nullptr;
        }
        if (!counts_each || value_at(line_) - 1 >= sample_.threshold) {
            return first;
        }
        const Retired* const last = commits_.last(cycle + 1, [](const Retired&) { return true; });
        return last; // the one that made it reach the threshold
    }

    void find_request() {
        const unsigned source = irq::kPesThresholdSource;
        set(Step::Request, edge_after(get(Step::Line), "plic.irq_sources_i", source, Edge::Rise));
        set(Step::Pending, edge_after(get(Step::Request), "plic.ip", source, Edge::Rise));
        const Found pending = get(Step::Pending);
        const WaveSignal& target = wave_.signal("plic.eip_targets_o");
        sample_.line_shared =
            pending && (target.at(*pending).value_or(0) >> plic::kMachineContext & 1) != 0;
        if (!sample_.line_shared) {
            set(Step::Target,
                edge_after(pending, "plic.eip_targets_o", plic::kMachineContext, Edge::Rise));
            set(Step::Mip,
                edge_after(get(Step::Target), "hart0.commit.mip_q", kMachineExternal, Edge::Rise));
        }
        set(Step::Reset, below_again());
        const Found trap = external_trap(sample_.line_shared ? pending : get(Step::Mip));
        const Found reset = get(Step::Reset);
        if (reset && (!trap || *reset <= *trap)) {
            sample_.taken = Taken::ByCall;
            return;
        }
        set(Step::TrapTaken, trap);
        if (!trap) {
            return;
        }
        sample_.counted = value_at(*trap);
        sample_.mepc = wave_.signal("hart0.commit.mepc_q").at(*trap + 1).value_or(0);
        sample_.skid = event_ == nullptr ? 0 : commits_.between(*event_, *trap) + 1;
        set(Step::HandlerStarts, retirement(*trap + 1, [](const Retired&) { return true; }));
    }

    Found below_again() const {
        for (Cycle cycle = line_; cycle < wave_.to(); ++cycle) {
            if (!reached_at(cycle)) {
                return cycle;
            }
        }
        return std::nullopt;
    }

    /// The machine external interrupt, and no other trap that comes first.
    Found external_trap(Found from) const {
        Found trap = edge_after(from, "hart0.commit.trap_valid", 0, Edge::Rise);
        while (trap && !is_external(*trap + 1)) {
            trap = edge_after(*trap + 1, "hart0.commit.trap_valid", 0, Edge::Rise);
        }
        return trap;
    }
    bool is_external(Cycle behind) const {
        constexpr std::uint64_t kMachine = 3;
        constexpr std::uint64_t kCause = std::uint64_t{1} << 63 | kMachineExternal;
        return wave_.signal("hart0.commit.priv_lvl_q").at(behind) == kMachine &&
               wave_.signal("hart0.commit.mcause_q").at(behind) == kCause;
    }

    void find_handler() {
        const bool called = sample_.taken == Taken::ByCall;
        const Found start = called ? Found(line_) : get(Step::HandlerStarts);
        set(Step::Inhibit,
            edge_after(start, "hart0.hpm.mcountinhibit_q", sample_.counter, Edge::Rise));
        if (!called) {
            set(Step::Claim, edge_after(start, "plic.claim", irq::kPesThresholdSource, Edge::Rise));
        }
        const Retired* const read = !start ? nullptr : commits_.first(*start, [](const Retired& r) {
            return r.instruction.timing == TimingClass::Csr && r.instruction.imm == kMepcCsr;
        });
        const Found reset = get(Step::Reset);
        if (read == nullptr || !reset || read->cycle > *reset) {
            return; // not recorded
        }
        const RegisterIndex holder = read->instruction.rd;
        const Found stored = retirement(read->cycle, [holder](const Retired& r) {
            return writes_store(r) && r.instruction.rs2 == holder;
        });
        if (stored && *stored < *reset) {
            set(Step::Store, stored);
        }
    }

    void find_end() {
        set(Step::Complete,
            edge_after(get(Step::Reset), "plic.complete", irq::kPesThresholdSource, Edge::Rise));
        const Found released = edge_after(get(Step::Inhibit), "hart0.hpm.mcountinhibit_q",
                                          sample_.counter, Edge::Fall);
        set(Step::UninhibitRetires, released ? Found(*released - 1) : std::nullopt);
        set(Step::ReturnRetires, retirement(get(Step::Reset), [](const Retired& r) {
                return r.instruction.raw == kMret;
            }));
        const Found back = get(Step::ReturnRetires);
        const Retired* const next =
            back ? commits_.first(*back + 1, [](const Retired&) { return true; }) : nullptr;
        if (next != nullptr) {
            const Found trap = edge_after(*back + 1, "hart0.commit.trap_valid", 0, Edge::Rise);
            sample_.trapped_again = trap && *trap < next->cycle;
            sample_.resumed_pc = next->pc;
            set(Step::Resume, next->cycle);
        }
    }

    const VcdFile& wave_;
    const CommitTrace& commits_;
    const PmuProfile& profile_;
    Cycle line_;
    CounterSignals signals_;
    const Retired* event_ = nullptr;
    Sample sample_;
};

} // namespace

std::string_view title_of(Step step) {
    static constexpr std::array<std::string_view, kStepCount> kTitles{
        "event",
        "counter reaches threshold",
        "perf_counter_irq_o rises",
        "request at the PLIC",
        "pending",
        "target output",
        "mip",
        "trap taken",
        "handler's first instruction retires",
        "counter inhibited",
        "claim",
        "mepc stored",
        "counter below threshold",
        "complete",
        "inhibit released (retires)",
        "mret retires",
        "program resumes",
    };
    return kTitles[static_cast<std::size_t>(step)];
}

bool Sample::complete() const {
    return at(taken == Taken::ByCall ? Step::Reset : Step::Resume).has_value();
}

CounterSignals signals_of(unsigned counter) {
    const std::string scope = "hart0.hpm.";
    if (counter == kCycleIndex) {
        return {"mcycle", scope + "cycle_q", scope + "threshold_cycle_q", ""};
    }
    if (counter == kInstretIndex) {
        return {"minstret", scope + "instret_q", scope + "threshold_instret_q", ""};
    }
    const unsigned place = counter - kFirstProgrammable + 1; // figures number them from 1
    return {"mhpmcounter" + std::to_string(counter), indexed(scope + "generic_counter_q", place),
            indexed(scope + "threshold_q", place), indexed(scope + "mhpmevent_q", place)};
}

std::vector<Sample> find_samples(const VcdFile& wave, const PmuProfile& profile, Cycle from) {
    const CommitTrace commits(wave);
    const WaveSignal& line = wave.signal("hart0.hpm.perf_counter_irq_o");
    std::vector<Sample> samples;
    for (std::optional<Cycle> rise = line.edge(from, 0, Edge::Rise); rise;
         rise = line.edge(*rise + 1, 0, Edge::Rise)) {
        samples.push_back(Finder(wave, commits, profile, *rise).find());
    }
    return samples;
}

} // namespace pes

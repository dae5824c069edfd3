// SPDX-License-Identifier: Apache-2.0
#include "tb/sample_steps.h"

#include "hw/common/event.h"
#include "hw/common/host/user_error.h"
#include "hw/common/maps/interrupts.h"
#include "hw/common/maps/plic.h"

namespace pes {
namespace {

constexpr std::int64_t kMepcCsr = 0x341;
constexpr std::uint32_t kMret = 0x3020'0073;
constexpr unsigned kMachineExternal = 11; // bit of mip

bool writes_store(const Retired& retired) {
    return (retired.instruction.commit_events & event_bit(Event::Store)) != 0;
}

/// Finds the steps one behind the other: each search starts where the step before it was found.
class Finder {
  public:
    Finder(const VcdFile& wave, const CommitTrace& commits, const PmuProfile& profile, Cycle line)
        : wave_(wave), commits_(commits), profile_(profile), line_(line) {}

    Sample find() {
        find_counter();
        find_request();
        find_handler();
        find_end();
        return sample_;
    }

  private:
    using Found = std::optional<Cycle>;

    void set(Step step, Found at) { sample_.steps[static_cast<std::size_t>(step)] = at; }
    Found get(Step step) const { return sample_.at(step); }

    const WaveSignal& counter_signal(std::string_view name) const {
        return wave_.signal(indexed(std::string("hart0.hpm.").append(name), sample_.counter));
    }
    Found edge_after(Found from, std::string_view signal, unsigned bit, Edge edge) const {
        return from ? wave_.signal(signal).edge(*from, bit, edge) : std::nullopt;
    }
    Found retirement(Found from, const CommitTrace::Condition& condition) const {
        const Retired* const found = from ? commits_.first(*from, condition) : nullptr;
        return found == nullptr ? std::nullopt : Found(found->cycle);
    }

    /// Which counter fired, and which instruction made it.
    void find_counter() {
        for (sample_.counter = 1;; ++sample_.counter) {
            if (wave_.find(indexed("hart0.hpm.threshold_q", sample_.counter)) == nullptr) {
                throw UserError("no programmable counter has reached its threshold in cycle " +
                                std::to_string(line_));
            }
            sample_.threshold = counter_signal("threshold_q").at(line_).value_or(0);
            const std::uint64_t value = counter_signal("generic_counter_q").at(line_).value_or(0);
            if (sample_.threshold != 0 && value >= sample_.threshold) {
                break;
            }
        }
        sample_.selector = counter_signal("mhpmevent_q").at(line_).value_or(0);
        const EventMask event = sources_of(profile_, sample_.selector & profile_.selector_mask);
        const Retired* const cause = commits_.last(line_, [event](const Retired& r) {
            return (r.instruction.commit_events & event) != 0;
        });
        if (cause != nullptr) {
            event_ = cause;
            sample_.event_pc = cause->pc;
            set(Step::EventRetires, cause->cycle);
        }
        // Before the line's rise the counter was below, or the line would have been up.
        const Cycle from = get(Step::EventRetires).value_or(line_);
        set(Step::ThresholdReached,
            counter_signal("generic_counter_q").first(from, [this](std::uint64_t value) {
                return value >= sample_.threshold;
            }));
        set(Step::Line, line_);
    }

    void find_request() {
        const unsigned source = irq::kPesThresholdSource;
        set(Step::Request, edge_after(get(Step::Line), "plic.irq_sources_i", source, Edge::Rise));
        set(Step::Pending, edge_after(get(Step::Request), "plic.ip", source, Edge::Rise));
        set(Step::Target, edge_after(get(Step::Pending), "plic.eip_targets_o",
                                     plic::kMachineContext, Edge::Rise));
        set(Step::Mip,
            edge_after(get(Step::Target), "hart0.commit.mip_q", kMachineExternal, Edge::Rise));
        set(Step::TrapTaken, edge_after(get(Step::Mip), "hart0.commit.trap_valid", 0, Edge::Rise));
        const Found trap = get(Step::TrapTaken);
        if (!trap) {
            return;
        }
        sample_.counted = counter_signal("generic_counter_q").at(*trap).value_or(0);
        sample_.mepc = wave_.signal("hart0.commit.mepc_q").at(*trap + 1).value_or(0);
        sample_.skid = event_ == nullptr ? 0 : commits_.between(*event_, *trap) + 1;
        set(Step::HandlerStarts, retirement(*trap + 1, [](const Retired&) { return true; }));
    }

    void find_handler() {
        const Found start = get(Step::HandlerStarts);
        set(Step::Inhibit,
            edge_after(start, "hart0.hpm.mcountinhibit_q", inhibit_bit(), Edge::Rise));
        set(Step::Claim, edge_after(start, "plic.claim", irq::kPesThresholdSource, Edge::Rise));
        const Retired* const read = !start ? nullptr : commits_.first(*start, [](const Retired& r) {
            return r.instruction.timing == TimingClass::Csr && r.instruction.imm == kMepcCsr;
        });
        if (read != nullptr) {
            const RegisterIndex holder = read->instruction.rd;
            set(Step::Store, retirement(read->cycle, [holder](const Retired& r) {
                    return writes_store(r) && r.instruction.rs2 == holder;
                }));
        }
        if (start) {
            set(Step::Reset,
                counter_signal("generic_counter_q").first(*start, [](std::uint64_t value) {
                    return value == 0;
                }));
        }
    }

    void find_end() {
        set(Step::Complete,
            edge_after(get(Step::Reset), "plic.complete", irq::kPesThresholdSource, Edge::Rise));
        const Found released =
            edge_after(get(Step::Inhibit), "hart0.hpm.mcountinhibit_q", inhibit_bit(), Edge::Fall);
        set(Step::UninhibitRetires, released ? Found(*released - 1) : std::nullopt);
        set(Step::ReturnRetires, retirement(get(Step::Reset), [](const Retired& r) {
                return r.instruction.raw == kMret;
            }));
        const Found back = get(Step::ReturnRetires);
        const Retired* const next =
            back ? commits_.first(*back + 1, [](const Retired&) { return true; }) : nullptr;
        if (next != nullptr) {
            sample_.resumed_pc = next->pc;
            set(Step::Resume, next->cycle);
        }
    }

    unsigned inhibit_bit() const { return sample_.counter + 2; }

    const VcdFile& wave_;
    const CommitTrace& commits_;
    const PmuProfile& profile_;
    Cycle line_;
    const Retired* event_ = nullptr;
    Sample sample_;
};

} // namespace

std::string_view title_of(Step step) {
    static constexpr std::array<std::string_view, kStepCount> kTitles{
        "event instruction retires",
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
        "counter reset",
        "complete",
        "inhibit released (retires)",
        "mret retires",
        "program resumes",
    };
    return kTitles[static_cast<std::size_t>(step)];
}

bool Sample::complete() const {
    return at(Step::Resume).has_value();
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

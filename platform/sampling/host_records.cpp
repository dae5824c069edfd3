// SPDX-License-Identifier: Apache-2.0
#include "platform/sampling/host_records.h"

#include "hw/interface/maps/csr.h"
#include "hw/interface/riscv/instruction_class.h"
#include "platform/sampling/method.h"

#include <algorithm>

namespace pes {
namespace {

constexpr std::size_t kDeepest = 4096; ///< calls that are followed; the outermost are forgotten

} // namespace

// --- Stimulus -----------------------------------------------------------------------------------

void HostRecords::Stimulus::store(unsigned bytes, std::uint32_t value) {
    encoder.write_stimulus(perf_record::kDefaultStimulus, bytes, value, at);
}

void HostRecords::Stimulus::word(std::uint32_t value) {
    store(sizeof value, value);
}

void HostRecords::Stimulus::half(std::uint16_t value) {
    store(sizeof value, value);
}

void HostRecords::Stimulus::byte(std::uint8_t value) {
    store(sizeof value, value);
}

// --- Counters -----------------------------------------------------------------------------------

/// Those of the plan, then the timer.
CounterBank& HostRecords::wrap(CounterBank& seen, HpmBank&) {
    std::vector<HostCounter> counters;
    for (const RecordPlan::Counter& counter : plan_.counters) {
        counters.push_back({.sources = counter.sources});
    }
    if (plan_.timer != 0) {
        counters.push_back({.sources = event_bit(Event::Cycles), .period = plan_.timer});
    }
    CrossingSink& sink = *this;
    return counters_.emplace(seen, counters, sink);
}

void HostRecords::attach(Hart& hart) {
    hart_ = &hart;
    if (plan_.timer == 0) {
        hart.add_observer(*this);
    }
}

std::vector<std::uint64_t> HostRecords::values() const {
    std::vector<std::uint64_t> values;
    for (unsigned index = 0; index < plan_.counters.size(); ++index) {
        values.push_back(counters_->counted(index));
    }
    return values;
}

// --- Timer --------------------------------------------------------------------------------------

void HostRecords::crossed(const Crossing& crossing) {
    const std::uint64_t tag = ticks_.size();
    ticks_.push_back(values());
    hart_->ask({.sight = Sight::Decoded,
                .cycle = crossing.cycle + kTimerToDecode,
                .sink = this,
                .tag = tag});
}

void HostRecords::seen(std::uint64_t tag, const SeenInstruction* instruction) {
    if (instruction != nullptr) {
        write(Kind::Interrupt, instruction->key.pc, 0, ticks_[tag], instruction->decode);
    }
    ticks_[tag] = {};
}

// --- Calls and returns --------------------------------------------------------------------------

void HostRecords::retired(const Retirement& retirement) {
    if (!may_leave_sequence(retirement.raw)) {
        return;
    }
    const InstructionFlow flow = classify_flow(retirement.raw);
    if (flow.is_return()) {
        leave(retirement);
    }
    if (flow.is_call()) {
        enter(retirement);
    }
}

void HostRecords::enter(const Retirement& call) {
    const Address behind = call.pc + call.length;
    const Address caller = functions_.empty() ? behind : functions_.back().start;
    if (functions_.size() == kDeepest) {
        functions_.erase(functions_.begin());
    }
    functions_.push_back({.start = call.next_pc, .returns_to = behind, .caller = caller});
    hart_->bring_counters_to(call.cycle);
    write(Kind::FunctionEnter, call.next_pc, caller, values(), call.cycle);
}

/// Also those functions that ended without a return of their own (tail calls, longjmp). A return to
/// where no call is known to have come from leaves nothing.
void HostRecords::leave(const Retirement& ret) {
    const auto returns_here = [&ret](const Function& one) { return one.returns_to == ret.next_pc; };
    const auto found = std::find_if(functions_.rbegin(), functions_.rend(), returns_here);
    if (found == functions_.rend()) {
        return;
    }
    hart_->bring_counters_to(ret.cycle);
    const auto left = static_cast<std::size_t>(found - functions_.rbegin()) + 1;
    for (std::size_t count = 0; count < left; ++count) {
        const Function function = functions_.back();
        functions_.pop_back();
        write(Kind::FunctionExit, function.start, function.caller, values(), ret.cycle);
    }
}

// --- Records ------------------------------------------------------------------------------------

void HostRecords::write(Kind kind, Address address, Address caller,
                        const std::vector<std::uint64_t>& values, Cycle at) {
    if (written_++ == 0) {
        write_header(at);
    }
    Stimulus to{*encoder_, at};
    perf_record::write_kind(to, kind);
    perf_record::write_address(to, address);
    if (perf_record::has_call_site(kind)) {
        perf_record::write_address(to, caller);
    }
    for (const std::uint64_t value : values) {
        perf_record::write_value(to, value);
    }
}

void HostRecords::write_header(Cycle at) {
    Stimulus to{*encoder_, at};
    std::uint32_t mask = 0;
    for (const RecordPlan::Counter& counter : plan_.counters) {
        mask |= 1U << counter.number;
    }
    perf_record::write_header(to, perf_record::CountType::Raw, mask);
    for (const RecordPlan::Counter& counter : plan_.counters) {
        const bool fixed = counter.number < 3;
        const std::uint32_t code =
            counter.number == 0 ? perf_record::kCyclesCode : perf_record::kInstructionsCode;
        perf_record::write_definition(
            to, fixed ? perf_record::EventType::General : perf_record::EventType::Raw,
            fixed ? code : counter.selector,
            {.csr = static_cast<std::uint32_t>(csr::kCycle + counter.number), .width = 64});
    }
}

} // namespace pes

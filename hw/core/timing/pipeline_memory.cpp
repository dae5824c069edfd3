// SPDX-License-Identifier: Apache-2.0
// Loads, stores and atomics on their way through the pipeline.
#include "hw/core/timing/pipeline.h"

#include <algorithm>

namespace pes {

namespace {

Cycle amo_cycles(const TimingConfig& config, TimingClass timing) {
    const Cycle own = timing == TimingClass::LoadReserved       ? config.load_reserved_cycles
                      : timing == TimingClass::StoreConditional ? config.store_conditional_cycles
                                                                : config.amo_cycles;
    return own + config.memory_latency;
}

/// Cycles for which memory is busy: an LR reads one word, an SC writes one unless it fails.
Cycle busy_with(const TimingConfig& config, TimingClass timing, bool failed) {
    const Cycle word = config.read_interval - 1;
    switch (timing) {
    case TimingClass::LoadReserved:
        return word;
    case TimingClass::StoreConditional:
        return failed ? word : config.write_interval;
    default:
        return config.amo_interval;
    }
}

} // namespace

Cycle Pipeline::memory_request(const Instruction& instruction, const MemoryAccess& access) {
    in_hand_ = &instruction;
    switch (instruction.timing) {
    case TimingClass::Load:
        request_ = load_store_.request_load(access);
        return *request_ + config_.device_request_cycles +
               load_store_.load_held_up(access, *request_);
    case TimingClass::Store: {
        request_ = load_store_.request_store(access);
        const Cycle ready =
            std::max(*request_ + config_.store_retire_cycles(), load_store_.store_retire_from());
        return load_store_.store_reaches_device(access,
                                                scoreboard_.retire_cycle(ready, RetirePort::First));
    }
    default: // AMO, LR, SC go out when they are the oldest instruction
        request_ = load_store_.request_store(access);
        return atomic_head().head + 1;
    }
}

bool Pipeline::follows_at_once(const Instruction& instruction, const Instruction& next) {
    const Cycle offered = frontend_.next_offered(next_pc_, next.length);
    if (offered == kNever) {
        return false;
    }
    const Cycle decode = std::max({offered, decode_ + 1, issue_});
    Cycle issue =
        std::max({decode + 1, scoreboard_.operands_ready(next), scoreboard_.entry_free(1)});
    if (write_after_write_) {
        issue = std::max(issue, scoreboard_.writer_retires(next));
        if (next.rd == instruction.rd && next.rd != kSinkRegister) {
            return false;
        }
    }
    return request_ && issue <= *request_;
}

/// The cycle in which the current AMO is the oldest instruction and no earlier store is in flight.
/// In the cycle of its request, the memory unit takes no write. [wt_dcache_missunit.sv]
AtomicRequest Pipeline::atomic_head() {
    constexpr Cycle kDrained = 2; ///< the write buffer is seen to be empty
    const Cycle oldest =
        scoreboard_.retire_cycle(*request_ + config_.store_retire_cycles(), RetirePort::Alone);
    const Cycle asked = std::max(oldest, load_store_.stores_left_from());
    data_cache_.writes().take_none_in(asked);
    const Cycle drained = load_store_.drained_from();
    AtomicRequest request{.asked = asked, .head = drained < asked ? asked : drained + kDrained};
    request.wait_for_port(data_cache_.writes().port_free(request.head + 1));
    return request;
}

Cycle Pipeline::retire_load(const Instruction& load, const MemoryAccess& access,
                            Cycle device_latency) {
    if (!request_) [[likely]] {
        in_hand_ = &load;
        request_ = load_store_.request_load(access);
    }
    const Cycle request = *request_;
    const Lookup lookup = load_store_.look_up(access);
    if (lookup != Lookup::Hit) [[unlikely]] {
        if (watch_ != nullptr) [[unlikely]] {
            watch_->missed_line();
        }
        data_asked(request + DataCache::kRequestToMemory);
    }
    const Cycle result = load_store_.complete_load(access, request, lookup, device_latency);
    const Cycle retired = finish(load, result + 1, result, RetirePort::Any);
    if (!access.cacheable) [[unlikely]] {
        further_.pulse(Event::ExternalLoad, retired);
    }
    return retired;
}

Cycle Pipeline::retire_store(const Instruction& store, const MemoryAccess& access,
                             Cycle device_latency) {
    if (!request_) [[likely]] {
        in_hand_ = &store;
        request_ = load_store_.request_store(access);
    }
    const Cycle ready =
        std::max(*request_ + config_.store_retire_cycles(), load_store_.store_retire_from());
    attribution_.wait(CycleReason::StoreBuffer, ready);
    const Cycle retired = finish(store, ready, ready, RetirePort::First);
    load_store_.retire_store(access, retired, device_latency);
    return retired;
}

Cycle Pipeline::retire_memory(const Instruction& instruction, const MemoryAccess& access,
                              std::uint32_t device_latency) {
    switch (instruction.timing) {
    case TimingClass::Load:
        return retire_load(instruction, access, device_latency);
    case TimingClass::Store:
        return retire_store(instruction, access, device_latency);
    default:
        if (!request_) {
            memory_request(instruction, access);
        }
        return retire_atomic(instruction, access, device_latency);
    }
}

/// The handler has left its result in the register; x0 has a register for this, too.
bool Pipeline::fails(const Instruction& conditional) {
    const std::uint64_t result = code_.integer_register(conditional.rd).value_or(0);
    tables_.register_value({.base = conditional.rd}, result);
    return result == 1;
}

/// Performed at retirement; then all following instructions are fetched again.
Cycle Pipeline::retire_atomic(const Instruction& atomic, const MemoryAccess& access,
                              Cycle latency) {
    AtomicRequest at = atomic_head();
    at.cycles = amo_cycles(config_, atomic.timing) + latency;
    const bool conditional = atomic.timing == TimingClass::StoreConditional;
    const bool failed = conditional && fails(atomic);
    at.interval = busy_with(config_, atomic.timing, failed);
    if (atomic.timing == TimingClass::LoadReserved) {
        at.head += tables_.ask<Query::AwaitReservation>(0, at.head + 1);
    }
    discard_behind(atomic, at);
    tables_.ask<Query::InvalidateSet>(access.physical); // its response does. [wt_axi_adapter.sv]
    data_cache_.writes().send(at);
    further_.level(Event::DataBusy, at.head, at.flush());
    attribution_.wait(CycleReason::StoreBuffer, at.head);
    attribution_.wait(CycleReason::L1DMiss, at.flush());
    const Cycle retired = finish(atomic, at.flush(), *request_ + 1, RetirePort::Alone);
    attribution_.flush(CycleReason::Flush);
    if (failed) {
        tables_.ask<Query::FailReservation>(0, retired + 1);
    } else if (conditional) {
        tables_.ask<Query::PassReservation>(0);
    }
    if (at.late) { // the memory unit is idle again in the next cycle
        load_store_.release_port(0);
        tables_.set_operand(at.late_operand);
        load_store_.refill_discarded(*at.late, retired + 1 - DataCache::kRequestToMemory);
    }
    empty();
    restart_frontend(retired);
    return retired;
}

} // namespace pes

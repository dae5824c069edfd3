// SPDX-License-Identifier: Apache-2.0
#include "hw/core/timing/memory/load_store_unit.h"

#include <algorithm>

namespace pes {

LoadStoreUnit::LoadStoreUnit(const TimingConfig& config, PulseLog& pulses, FurtherPulses further,
                             DataCache& data_cache, PageWalker& walker, Tables& tables,
                             Waits& waits, CodeAhead& ahead)
    : speculative_entries_(config.speculative_stores), committed_entries_(config.committed_stores),
      load_hit_cycles_(config.load_hit_cycles), load_result_cycles_(config.load_result_cycles()),
      uncached_cycles_(config.uncached_cycles), conflict_cycles_(config.store_conflict_cycles),
      counts_load_dtlb_misses_(config.load_dtlb_event == UpstreamDefect::Corrected),
      write_buffer_(data_cache.writes()), data_cache_(data_cache), walker_(walker), pulses_(pulses),
      further_(further), tables_(tables), waits_(waits), ahead_(ahead) {}

/// A TLB miss aborts the access; it starts again when the walk is done.
Cycle LoadStoreUnit::translate(const MemoryAccess& access, Cycle from, bool counted) {
    if (access.walk == nullptr) {
        return from;
    }
    if (counted) {
        pulses_.pulse(Event::DtlbMiss, from + 1);
    }
    return walker_.walk(*access.walk, from, ahead_);
}

/// A load accesses L1D while its address is translated; the exception then cancels the access.
/// [load_unit.sv]
Cycle LoadStoreUnit::request_failing_load() {
    const Cycle asked = arrival();
    const Cycle request = std::max(asked, port_free_);
    pulses_.level(Event::L1DAccess, asked, request + 1);
    walker_.data_tlb_asked(asked, request);
    take(request);
    port_free_ = request + 1;
    return request;
}

/// The result of the last read is the error, and no request follows, unless the TLB has the page.
Cycle LoadStoreUnit::failed_walk(PageWalk walk, Kind kind) {
    constexpr Cycle kNoRequest = 2;
    const Cycle request = kind == Kind::Load ? request_failing_load() : arrival();
    if (kind == Kind::Store || counts_load_dtlb_misses_) {
        pulses_.pulse(Event::DtlbMiss, request + 1);
    }
    const Cycle end = walker_.walk(walk, request, ahead_);
    walker_.data_tlb_asked(request + (kind == Kind::Load ? kTranslationAwaited : 0),
                           end - (walk.fills_tlb ? 0 : 1));
    waits_.until(CycleReason::Dtlb, end);
    if (!walk.fills_tlb) {
        return end - kNoRequest;
    }
    if (kind == Kind::Load) {
        pulses_.pulse(Event::L1DAccess, end);
    }
    return end;
}

/// Only the stores that the buffer can hold at once are compared.
Cycle LoadStoreUnit::conflict_with_buffered(Address physical, Cycle from) {
    std::uint64_t buffered = 1; // a store that has left is older than all that have not
    while (buffered < kTracked &&
           stores_[(store_count_ - buffered - 1) % kTracked].granted >= from) {
        ++buffered;
    }
    const std::uint64_t age = tables_.ask<Query::ConflictingStore>(physical, buffered);
    return age == 0 ? 0 : stores_[(store_count_ - age) % kTracked].granted;
}

/// The request that the unit grants is given up, and made again behind the walk.
Cycle LoadStoreUnit::walk_load(const MemoryAccess& access, Cycle granted) {
    const Cycle request = translate(access, granted, counts_load_dtlb_misses_);
    walker_.data_tlb_asked(granted + kTranslationAwaited, request);
    pulses_.pulse(Event::L1DAccess, request);
    return request;
}

void LoadStoreUnit::note_load(const MemoryAccess& access, Cycle arrived, bool conflict, Cycle asked,
                              Cycle granted) {
    const Cycle retires = load_result_cycles_ + 1; // after the request of a load that hits
    waits_.until(CycleReason::Unit, arrived + retires);
    if (conflict) {
        waits_.until(CycleReason::StoreBuffer, asked + retires);
    }
    waits_.until(CycleReason::Unit, granted + retires);
    if (access.walk != nullptr) {
        waits_.until(CycleReason::Dtlb, request_ + retires);
    }
}

Cycle LoadStoreUnit::complete_missing_load(const MemoryAccess& access, Cycle request, Lookup lookup,
                                           Cycle device_latency) {
    if (!access.cacheable) {
        return complete_external_load(access, request, device_latency);
    }
    port_free_ = request + load_hit_cycles_ + data_cache_.refill(lookup, access.physical, request);
    const Cycle result = result_of(port_free_);
    waits_.until(CycleReason::L1DMiss, result + 1);
    return result;
}

/// It waits for the writes to the same device registers, and follows the others.
Cycle LoadStoreUnit::load_held_up(const MemoryAccess& access, Cycle request) {
    if (access.cacheable) {
        return 0;
    }
    const Cycle asked = request + 2;
    const Cycle written = write_buffer_.line_written_by(access.physical, asked);
    return write_buffer_.external_read(access.physical, written) - asked;
}

Cycle LoadStoreUnit::complete_external_load(const MemoryAccess& access, Cycle request,
                                            Cycle device_latency) {
    const Cycle asked = request + 1;
    const Cycle hit = request + load_hit_cycles_;
    Cycle done = hit + uncached_cycles_ + device_latency;
    if (done != hit) {
        done += load_held_up(access, request);
        port_free_ = done;
    }
    waits_.until(CycleReason::Device, result_of(done) + 1);
    further_.pulse(Event::DataMissOrIo, asked);
    further_.level(Event::DataBusy, hit, done);
    further_.level(Event::ExternalLoadWait, request, done);
    return result_of(done);
}

/// A request that has not been granted the port by the flush is dropped.
Cycle LoadStoreUnit::request_discarded(std::optional<Address> physical, Cycle flush) {
    Cycle asked = arrival();
    if (const Cycle conflict = physical ? conflict_until(*physical, asked) : 0; conflict != 0) {
        asked = conflict + conflict_cycles_;
    }
    const Cycle request = std::max(asked, port_free_);
    pulses_.level(Event::L1DAccess, asked, std::min(request, flush) + 1);
    take(std::min(request, flush));
    walker_.data_tlb_asked(asked, std::min(request, flush));
    if (request <= flush) {
        port_free_ = request + 1;
    }
    return request;
}

Cycle LoadStoreUnit::refill_discarded(Address physical, Cycle request) {
    port_free_ = request + load_hit_cycles_ + data_cache_.read(physical, request);
    return port_free_;
}

void LoadStoreUnit::flush(Cycle flush) {
    issued_ = std::min(issued_, flush);
    request_ = std::min(request_, flush);
    request_before_ = std::min(request_before_, flush);
}

/// If the speculative half is full, a store waits until the cycle after an entry is freed; a store
/// that arrives in exactly that cycle is taken immediately.
Cycle LoadStoreUnit::request_store(const MemoryAccess& access) {
    const Cycle freed = stores_[(store_count_ - speculative_entries_) % kTracked].retired;
    const Cycle arrived = arrival();
    const Cycle taken = arrived < freed ? freed + 1 : arrived;
    take(translate(access, taken, true));
    walker_.data_tlb_asked(arrived, request_);
    waits_.until(CycleReason::Unit, arrived + kStoreRetires);
    waits_.until(CycleReason::StoreBuffer, taken + kStoreRetires);
    waits_.until(CycleReason::Dtlb, request_ + kStoreRetires);
    return request_;
}

void LoadStoreUnit::retire_store(const MemoryAccess& access, Cycle retired, Cycle device_latency) {
    const Cycle asked = std::max(retired + 1, stores_[(store_count_ - 1) % kTracked].granted + 1);
    const Cycle granted = write_buffer_.accept(access.physical, access.size, asked, device_latency);
    pulses_.level(Event::L1DAccess, asked, granted + 1);
    stores_[store_count_++ % kTracked] = {.retired = retired, .granted = granted};
    if (further_.any()) [[unlikely]] {
        note_store(access, retired, asked, granted);
    }
}

/// `granted` is the cycle in which the store leaves the store buffer.
void LoadStoreUnit::note_store(const MemoryAccess& access, Cycle retired, Cycle asked,
                               Cycle granted) {
    further_.level(Event::DataBusy, asked, granted);
    if (!access.cacheable) {
        further_.pulse(Event::ExternalStore, retired);
        further_.pulse(Event::DataMissOrIo, granted);
        const Cycle end = write_buffer_.word_free_from(access.physical, granted);
        further_.level(Event::ExternalStoreWait, retired + 1, end);
    }
}

/// A write sends its address to the device first, then its data. A word of memory that the host
/// watches is written immediately.
Cycle LoadStoreUnit::store_reaches_device(const MemoryAccess& access, Cycle retired) {
    constexpr Cycle kData = 2;
    const Cycle asked = std::max(retired, stores_[(store_count_ - 1) % kTracked].granted) + 1;
    if (access.cacheable) {
        return asked + 1;
    }
    return write_buffer_.would_send(access.physical, asked) + kData;
}

} // namespace pes

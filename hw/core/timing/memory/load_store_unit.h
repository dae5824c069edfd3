// SPDX-License-Identifier: Apache-2.0
// Loads, stores and their buffers.
//
// Timing: an access issued in I reaches the unit in I + 1 and makes its request unless it is held.
// The unit works in order after a two-entry bypass queue; while that holds an access, nothing
// else issues to the unit except the one access that is already on its way. A load hit forwards its
// result two cycles after the request; a read miss keeps the port until its data is there. A
// store's address is known one cycle after its request; it waits in the speculative half of the
// store buffer until it retires, moves to the committed half and from there to the write buffer. A
// load whose address bits 11:3 equal those of a buffered store waits until that store has left (no
// forwarding).
#pragma once

#include "hw/core/timing/memory/data_cache.h"
#include "hw/core/timing/memory/page_walker.h"
#include "hw/core/timing/memory/write_buffer.h"
#include "hw/core/timing/memory_access.h"
#include "hw/core/timing/pulses/further_pulses.h"
#include "hw/core/timing/pulses/pulse_log.h"
#include "hw/core/timing/timing_config.h"
#include "hw/core/truth/waits.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace pes {

class LoadStoreUnit {
  public:
    LoadStoreUnit(const TimingConfig& config, PulseLog& pulses, FurtherPulses further,
                  DataCache& data_cache, PageWalker& walker, Tables& tables, Waits& waits,
                  CodeAhead& ahead);

    /// The first cycle from `earliest` on in which the unit takes another access.
    Cycle issue_from(Cycle earliest) const {
        if (earliest <= issued_ + 1 && request_before_ <= issued_) {
            return earliest;
        }
        return earliest > request_ ? earliest : request_ + 1;
    }
    void issue(Cycle cycle) { issued_ = cycle; }
    /// When an access that issues in `cycle` reaches the unit.
    Cycle arrival_of(Cycle cycle) const { return std::max(cycle, request_) + 1; }

    /// The load just issued: returns the cycle of its request, which holds the port.
    Cycle request_load(const MemoryAccess& access) {
        const Cycle arrived = arrival();
        const Cycle conflict = conflict_until(access.physical, arrived);
        const Cycle asked = conflict == 0 ? arrived : conflict + conflict_cycles_;
        const Cycle granted = std::max(asked, port_free_);
        pulses_.level(Event::L1DAccess, asked, granted + 1);
        if (conflict != 0) {
            walker_.data_tlb_asked(arrived, arrived);
        }
        walker_.data_tlb_asked(asked, granted);
        walker_.load_reads(granted);
        const Cycle request = access.walk == nullptr ? granted : walk_load(access, granted);
        take(request);
        port_free_ = request + 1;
        if (waits_.wanted()) [[unlikely]] {
            note_load(access, arrived, conflict != 0, asked, granted);
        }
        return request;
    }
    /// Then: looks the load up in L1D, if it is cacheable.
    Lookup look_up(const MemoryAccess& access) {
        return access.cacheable ? data_cache_.look_up(access.physical) : Lookup::Hit;
    }
    /// Then: returns the cycle from which its result is forwarded.
    Cycle complete_load(const MemoryAccess& access, Cycle request, Lookup lookup,
                        Cycle device_latency) {
        return access.cacheable && lookup == Lookup::Hit
                   ? request + load_result_cycles_
                   : complete_missing_load(access, request, lookup, device_latency);
    }

    /// The load just issued will fail; returns the cycle of its request.
    Cycle request_failing_load();
    enum class Kind : std::uint8_t { Load, Store };
    /// The page walk of the access just issued fails: returns the cycle of the request that
    /// fails.
    Cycle failed_walk(PageWalk walk, Kind kind);

    /// A load just issued that is discarded in `flush`; returns the cycle of its request.
    /// `physical` is its address, if known.
    Cycle request_discarded(std::optional<Address> physical, Cycle flush);
    /// Its request misses and goes to memory: returns the cycle of its data, in which the port is
    /// free again.
    Cycle refill_discarded(Address physical, Cycle request);
    /// Its request misses and goes to memory after the flush, and holds the port until then.
    void hold_port() { port_free_ = kNever; }
    void release_port(Cycle free) { port_free_ = free; }
    /// A store or AMO just issued that will be discarded.
    void take_discarded(Cycle flush) { take(std::min(arrival(), flush)); }
    /// A load just issued waits until `flush` for a store that will be discarded too.
    void wait_discarded(Cycle flush) { take(flush); }
    /// Discards all accesses issued after the instruction that retires in `flush`.
    void flush(Cycle flush);

    /// The store or AMO just issued: returns the cycle in which the unit takes it.
    Cycle request_store(const MemoryAccess& access);
    /// The earliest cycle in which the committed half has room for the store to retire.
    Cycle store_retire_from() const {
        return stores_[(store_count_ - committed_entries_) % kTracked].granted + 1;
    }
    /// The store retires in `retired` and goes to memory.
    void retire_store(const MemoryAccess& access, Cycle retired, Cycle device_latency);
    /// The cycle in which a store that retires in `retired` would reach a device.
    Cycle store_reaches_device(const MemoryAccess& access, Cycle retired);
    /// By how many cycles earlier writes delay the arrival at its device of the load that requested
    /// in `request`.
    Cycle load_held_up(const MemoryAccess& access, Cycle request);

    /// The first cycle in which all retired stores have reached memory.
    Cycle drained_from() const { return write_buffer_.empty_from(); }
    /// The first cycle with an empty store buffer.
    Cycle stores_left_from() const { return stores_[(store_count_ - 1) % kTracked].granted + 1; }

    /// See timing_state.h. `decode` is that of the last instruction: the next access issues two
    /// cycles later at the earliest and is here in the cycle after.
    template <typename Archive>
    void relative_state(Archive& archive, Cycle decode) {
        const Cycle issue = decode + 2;
        for (std::uint64_t age = kTracked; age != 0; --age) {
            Store& store = stores_[(store_count_ - age) % kTracked];
            archive.cycle(store.retired, issue);
            archive.cycle(store.granted, issue);
        }
        archive.cycle(request_, issue - 1);
        if (request_ >= issue) {
            archive.cycle(issued_, issue - 2);
            archive.cycle(request_before_, issue - 2);
        } else {
            issued_ = request_before_ = issue - 2;
        }
        archive.cycle(port_free_, issue + 1);
    }

    void state(class Archive& archive); ///< of a checkpoint

  private:
    /// The cycle from which the result of a load is forwarded whose access ends in `end`.
    Cycle result_of(Cycle end) const { return end - load_hit_cycles_ + load_result_cycles_; }

    static constexpr std::uint64_t kTracked = 8;
    static constexpr Cycle kStoreRetires = 2; ///< after its request
    /// A load that misses the data TLB gives up its request, and asks the TLB again from then on.
    static constexpr Cycle kTranslationAwaited = 2;

    struct Store {
        Cycle retired = 0;
        Cycle granted = 0; ///< last cycle in the store buffer
    };

    Cycle arrival() const { return arrival_of(issued_); }
    void take(Cycle request) {
        request_before_ = request_;
        request_ = request;
    }
    Cycle walk_load(const MemoryAccess& access, Cycle granted);
    [[gnu::cold]] void note_load(const MemoryAccess& access, Cycle arrived, bool conflict,
                                 Cycle asked, Cycle granted);
    Cycle complete_missing_load(const MemoryAccess& access, Cycle request, Lookup lookup,
                                Cycle device_latency);
    [[gnu::cold]] Cycle complete_external_load(const MemoryAccess& access, Cycle request,
                                               Cycle device_latency);
    [[gnu::cold]] void note_store(const MemoryAccess& access, Cycle retired, Cycle asked,
                                  Cycle granted);
    Cycle translate(const MemoryAccess& access, Cycle from, bool counted);
    /// The cycle in which the last conflicting store leaves the store buffer, 0 without conflict.
    Cycle conflict_until(Address physical, Cycle from) {
        return stores_[(store_count_ - 1) % kTracked].granted < from
                   ? 0
                   : conflict_with_buffered(physical, from);
    }
    Cycle conflict_with_buffered(Address physical, Cycle from);

    std::array<Store, kTracked> stores_{};
    std::uint64_t store_count_ = kTracked;
    Cycle issued_ = 0;         ///< of the latest access
    Cycle request_ = 0;        ///< of the latest access
    Cycle request_before_ = 0; ///< of the one before
    Cycle port_free_ = 0;      ///< first cycle in which the load port grants a request
    std::uint64_t speculative_entries_;
    std::uint64_t committed_entries_;
    Cycle load_hit_cycles_;
    Cycle load_result_cycles_;
    Cycle uncached_cycles_;
    Cycle conflict_cycles_;
    bool counts_load_dtlb_misses_;
    WriteBuffer& write_buffer_;
    DataCache& data_cache_;
    PageWalker& walker_;
    PulseLog& pulses_;
    FurtherPulses further_;
    Tables& tables_;
    Waits& waits_;
    CodeAhead& ahead_;
};

} // namespace pes

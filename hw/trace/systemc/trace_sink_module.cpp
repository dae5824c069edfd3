// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/systemc/trace_sink_module.h"

#include "hw/common/systemc/lazy_dmi.h"
#include "hw/common/systemc/notify_at.h"

#include <cstring>
#include <utility>

namespace pes::trace {

TraceSinkModule::TraceSinkModule(const sc_core::sc_module_name& name, const SinkConfig& config,
                                 const ClockDomain& clock, ProbeOutput* probe, PullNotice& notice,
                                 std::function<void()> kernel_changed)
    : sc_core::sc_module(name), bus("bus"), clock_(clock),
      unit_(sc_core::sc_module::name(), config, *this, this, probe), notice_(notice),
      kernel_changed_(std::move(kernel_changed)) {
    SC_HAS_PROCESS(TraceSinkModule);
    SC_THREAD(run); // and no method: a target of its bursts may wait
}

void TraceSinkModule::run() {
    for (;;) {
        sc_core::wait(wake_);
        if (lags()) {
            continue; // asked for while somebody followed
        }
        if (unit_.next_wake() <= clock_.now()) { // or else serve_until() was here before
            unit_.serve(clock_.now());
            notice_.pulled();
        }
        // A wake-up that was due while a target delayed the burst has been missed.
        notify_at(wake_, clock_, unit_.next_wake());
    }
}

void TraceSinkModule::serve_until(Cycle at) {
    while (unit_.next_wake() <= at) {
        unit_.serve(unit_.next_wake());
    }
}

void TraceSinkModule::follow() {
    bring_up_to(clock_.now());
    ++followers_;
    if (unit_.next_wake() != kNever) {
        wake_at(unit_.next_wake());
    }
}

void TraceSinkModule::wake_at(Cycle at) {
    if (lags()) {
        return;
    }
    notify_at(wake_, clock_, at);
    kernel_changed_();
}

void TraceSinkModule::renew_lazy_range(bool in_use) {
    const MemoryRange wanted = in_use && unit_.can_lag_in_memory() ? unit_.buffer() : MemoryRange{};
    if (wanted == wanted_) {
        return;
    }
    wanted_ = wanted;
    if (lazy_.memory != nullptr) {
        lazy_.memory->release(*this);
        lazy_ = {};
    }
    if (wanted.size != 0) {
        claim(wanted);
    }
    if (!can_lag() && unit_.next_wake() != kNever) {
        wake_at(unit_.next_wake());
    }
}

/// A target that grants direct access neither refuses a burst nor has side effects.
void TraceSinkModule::claim(const MemoryRange& range) {
    tlm::tlm_dmi region;
    LazyRange* memory = nullptr;
    payload_.set_command(tlm::TLM_WRITE_COMMAND);
    payload_.set_address(range.base);
    if (!request_direct_access(bus, payload_, region, memory) || memory == nullptr ||
        !region.is_write_allowed() || region.get_end_address() - range.base < range.size - 1) {
        return;
    }
    auto* const bytes = reinterpret_cast<std::byte*>(region.get_dmi_ptr()) +
                        (range.base - region.get_start_address());
    if (memory->claim({bytes, range.size}, *this)) {
        lazy_ = {.memory = memory,
                 .bytes = bytes,
                 .latency = clock_.cycle_of(region.get_write_latency())};
    }
}

/// A sink that lags goes on lagging: what it has not done is in its source.
void TraceSinkModule::state(Archive& archive) {
    if (in_burst_) {
        archive.refuse("a burst of trace that its target delays cannot be saved");
    }
    bool lazy = lazy_.memory != nullptr;
    archive(unit_, followers_, wanted_.base, wanted_.size, lazy);
    if (archive.saves()) {
        return;
    }
    if (lazy) {
        claim(wanted_);
        if (lazy_.memory == nullptr) {
            archive.refuse("the buffer of a trace sink is not in memory");
        }
    }
    if (followers_ != 0 || !can_lag()) {
        notify_at(wake_, clock_, unit_.next_wake());
    }
}

MemoryPort::Answer TraceSinkModule::write(Address address, std::span<const std::uint8_t> bytes) {
    if (lazy_.memory != nullptr) { // all that it writes lies there until a register changes
        std::memcpy(lazy_.bytes + (address - wanted_.base), bytes.data(), bytes.size());
        return {.accepted = true, .latency = lazy_.latency};
    }
    payload_.set_command(tlm::TLM_WRITE_COMMAND);
    payload_.set_address(address);
    // TLM takes writable data for both directions; a write leaves it alone (LRM 14.12).
    payload_.set_data_ptr(const_cast<unsigned char*>(bytes.data()));
    payload_.set_data_length(static_cast<unsigned>(bytes.size()));
    payload_.set_streaming_width(static_cast<unsigned>(bytes.size()));
    payload_.set_byte_enable_ptr(nullptr);
    payload_.set_dmi_allowed(false);
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): refers to the time that passes
    const sc_core::sc_time start = sc_core::sc_time_stamp();
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    in_burst_ = true;
    bus->b_transport(payload_, delay);
    in_burst_ = false;
    return {.accepted = payload_.is_response_ok(),
            .latency = clock_.cycle_of(sc_core::sc_time_stamp() - start + delay)};
}

} // namespace pes::trace

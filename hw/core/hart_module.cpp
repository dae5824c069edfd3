// SPDX-License-Identifier: Apache-2.0
#include "hw/core/hart_module.h"

#include "hw/common/copy_access.h"
#include "hw/common/systemc/lazy_dmi.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace pes {

namespace {

/// Cycles after which pulses and levels of earlier instructions have arrived everywhere.
constexpr Cycle kArrival = 64;

/// Cycles between two end checks, whatever the quantum: a fraction of a second even with counters
/// in RTL and waveforms.
constexpr Cycle kLookInterval = 100'000;

} // namespace

HartModule::~HartModule() = default;

HartModule::HartModule(const sc_core::sc_module_name& name, const HartConfig& config,
                       const ClockDomain& clock, CounterBank& bank, Cycle quantum, Timer timer)
    : sc_module(name), bus("bus"), threshold_irq("threshold_irq"),
      buffer_full_irq("buffer_full_irq"), clock_(clock), quantum_(quantum),
      timer_(std::move(timer)), bank_(bank), hart_(config, *this, bank) {
    bank.connect(BankLine::Threshold, counter_lines_);
    bank.connect(BankLine::BufferFull, counter_lines_);
    bus.register_invalidate_direct_mem_ptr(this, &HartModule::withdraw_direct_memory);
    SC_THREAD(run);
}

void HartModule::CounterLines::set_level(unsigned line, bool level, Cycle at) {
    LevelOut& out = static_cast<BankLine>(line) == BankLine::Threshold ? owner_.threshold_irq
                                                                       : owner_.buffer_full_irq;
    if (out.size() != 0) {
        out->set_level(level, at);
        owner_.renew_horizon();
    }
}

void HartModule::InterruptInput::set_level(unsigned line, bool level, Cycle at) {
    constexpr Cycle kMipRegister = 1;
    owner_.hart_.set_interrupt(static_cast<Interrupt>(line), level, at + kMipRegister);
    if (owner_.group_ != nullptr && owner_.hart_.sleeps()) {
        owner_.due_ = owner_.clock_.now();
        owner_.wake_.notify(sc_core::SC_ZERO_TIME);
    } else if (owner_.waits_for_wires_) {
        owner_.wake_.notify(sc_core::SC_ZERO_TIME);
    }
}

void HartModule::request_stop() {
    stop_requested_ = true;
    renew_horizon();
    if (waits_for_wires_) {
        wake_.notify(sc_core::SC_ZERO_TIME);
    }
}

void HartModule::look_now() {
    look_at_ = 0;
    give_horizon();
}

void HartModule::kernel_changed() {
    renew_horizon();
}

/// A hart that gets no new information need not look again.
void HartModule::renew_horizon() {
    const Turn next = next_horizon();
    if (next != horizon_) {
        horizon_ = next;
        give_horizon();
    }
}

void HartModule::give_horizon() {
    hart_.set_horizon(horizon_.end, std::min({horizon_.horizon, rest_at_, cycle_limit_, look_at_}));
}

/// Runs up to the horizon, or until the end is requested. A hart that returns before that, and
/// before it was due to look at its inputs, waits for other harts. While a debugger makes it stand
/// still, no time passes.
HartStop HartModule::run_hart() {
    HartStop stop = HartStop::Horizon;
    do {
        const Cycle wish = debugger_ != nullptr ? debugger_->look(number_) : kLookInterval;
        look_at_ = hart_.now() + std::min(wish, kLookInterval);
        give_horizon(); // a hart that waits among neighbours has given up its own
        runs_ = true;
        stop = hart_.run();
        runs_ = false;
        if (stop == HartStop::Halted && debugger_ != nullptr) {
            debugger_->halted(number_, hart_.halt());
        }
    } while (goes_on_behind(stop) && !end_requested_());
    return stop;
}

bool HartModule::goes_on_behind(HartStop stop) const {
    return stop == HartStop::Halted ||
           (stop != HartStop::TrapLoop && hart_.now() >= look_at_ && !turn_is_over() &&
            hart_.now() < std::min(rest_at_, cycle_limit_));
}

void HartModule::run() {
    if (rests_) {
        begin_restored();
    }
    await_turn();
    while (step()) {
    }
}

/// Ends a turn, or comes to rest inside it.
bool HartModule::step() {
    if (shares_bus_) {
        hart_.resume_among_neighbours();
    }
    rested_ = in_turn_ ? rested_ : 0;
    horizon_ = next_horizon();
    const HartStop stop = run_hart();
    if (end_requested_()) {
        sc_core::sc_pause();
    }
    if (stop == HartStop::TrapLoop) {
        fail(Outcome::TrapLoop, HaltReason::TrapLoop);
        return false;
    }
    if (stop_requested_) {
        end(Outcome::Stopped);
        return false;
    }
    in_turn_ = hart_.now() >= rest_at_ && !turn_is_over();
    if (in_turn_) {
        come_to_rest();
    }
    if (hart_.now() >= cycle_limit_ && hart_.now() < rest_at_) {
        if (group_ != nullptr) {
            wait_until(cycle_limit_); // the others come as far
        }
        end(Outcome::CycleLimit);
        return false;
    }
    if (in_turn_) {
        return true;
    }
    if (!hart_.needs_interrupt()) {
        silent_since_ = kNever;
        turn_.set_idle(false);
    } else if (const bool wakes = can_wake(); !wakes && !ended_) {
        hart_.sleeps() ? fail(Outcome::Deadlock, HaltReason::DeadWait)
                       : fail(Outcome::TrapLoop, HaltReason::TrapLoop);
        return false;
    } else if (!wakes && hart_.sleeps()) {
        wait_for_wires();
        return true;
    } else if (group_ != nullptr && hart_.sleeps()) {
        sleep();
        return true;
    }
    if (owes_the_kernel(clock_.now())) {
        turn_.wait(sc_core::SC_ZERO_TIME);
    } else {
        wait_until(hart_.now());
    }
    if (hart_.now() >= rest_at_) {
        come_to_rest();
    }
    return true;
}

/// The turn goes on afterwards as if the kernel had not come nearer: its end decides when a hart
/// that sleeps for ever is noticed.
void HartModule::come_to_rest() {
    const Cycle before = clock_.now() - rested_;
    wait_until(hart_.now());
    rested_ = clock_.now() - before;
    while (sc_core::sc_pending_activity_at_current_time()) {
        sc_core::wait(sc_core::SC_ZERO_TIME);
    }
    rest_at_ = kNever;
    rests_ = true;
    sc_core::sc_pause();
    sc_core::wait(rest_over_);
}

/// In a group it waits on for its turn.
void HartModule::begin_restored() {
    sc_core::wait(rest_over_);
    if (group_ == nullptr) {
        return;
    }
    if (hart_.sleeps()) {
        due_ = std::min(due_, std::max(cycle_limit_, clock_.now() + 1));
    }
    if (due_ > clock_.cycle_of(sc_core::sc_max_time())) {
        sc_core::wait(wake_);
    } else if (due_ > clock_.now()) {
        sc_core::wait(clock_.time_of(due_) - sc_core::sc_time_stamp(), wake_);
    }
}

void HartModule::leave_rest() {
    rests_ = false;
    rest_over_.notify(sc_core::SC_ZERO_TIME);
}

void HartModule::state(Archive& archive) {
    archive.section("bank", [this](Archive& part) { part(bank_); });
    archive.section(
        "turn", [this](Archive& part) { part(rested_, in_turn_, due_, silent_since_, accesses_); });
    archive(hart_);
}

/// A device has work in a cycle that the kernel has already reached: an edge of the counters, which
/// the hart learns of some cycles late, or the effect of an access that has moved the kernel ahead
/// of the hart. The hart must not run past its effects, whatever the quantum.
bool HartModule::owes_the_kernel(Cycle kernel_now) {
    return group_ == nullptr && hart_.now() <= kernel_now && turn_.activity_now();
}

void HartModule::end(Outcome outcome) {
    if (group_ != nullptr && !group_->may_end()) {
        return;
    }
    outcome_ = outcome;
    turn_.set_idle(true);
    if (ended_) {
        ended_();
    } else {
        sc_core::sc_stop();
    }
}

/// The hart cannot go on: a debugger may look at it before the run ends.
void HartModule::fail(Outcome outcome, HaltReason reason) {
    if (debugger_ != nullptr) {
        debugger_->halted(number_, {.reason = reason});
    }
    end(outcome);
}

/// Waits until an interrupt line changes, the hart's own counters reach their deadline, or it is
/// time to ask again whether anything can still wake a hart.
void HartModule::sleep() {
    const Cycle now = clock_.now();
    Cycle until = std::min(hart_.wakes_by_itself(), cycle_limit_);
    if (group_->all_need_interrupts()) {
        const Cycle event = group_->next_device_event();
        until = std::min(until, event == kNever ? now + kArrival : event + 1);
    }
    due_ = std::max(until, now + 1);
    if (due_ > clock_.cycle_of(sc_core::sc_max_time())) {
        sc_core::wait(wake_);
    } else {
        sc_core::wait(clock_.time_of(due_) - sc_core::sc_time_stamp(), wake_);
    }
    await_turn();
}

/// Kernel time is the cycle in which the hart continues. Devices act in this cycle first, then the
/// harts that are due in it in the order of their numbers, in whichever order the kernel wakes
/// them.
void HartModule::await_turn() {
    if (shares_bus_) {
        hart_.resume_among_neighbours();
    }
    if (group_ == nullptr) {
        return;
    }
    while (group_->others_come_first(*this, clock_.now())) {
        sc_core::wait(sc_core::SC_ZERO_TIME);
    }
    due_ = kNever;
    hart_.resume_among_neighbours();
}

bool HartModule::event_in_sight() {
    if (group_ == nullptr) {
        const bool counts = counter_can_interrupt();
        turn_.set_idle(!counts);
        return counts || turn_.activity();
    }
    return !group_->all_need_interrupts() || group_->next_device_event() != kNever ||
           group_->counters_can_interrupt();
}

/// The hart needs an interrupt. False once nothing can bring it or another hart one: there is no
/// event, no counter will reach an interrupt, and all earlier pulses and levels have had time to
/// arrive.
bool HartModule::can_wake() {
    if (event_in_sight()) {
        silent_since_ = kNever;
        return true;
    }
    silent_since_ = std::min(silent_since_, hart_.now());
    return hart_.now() < std::max(silent_since_, hart_.last_retirement()) + kArrival;
}

/// Nothing is left that could wake it, but what is outside of the kernel may come to it: its own
/// time goes on when a wire changes.
void HartModule::wait_for_wires() {
    waits_for_wires_ = true;
    sc_core::wait(wake_);
    waits_for_wires_ = false;
    silent_since_ = kNever;
}

bool HartModule::counter_can_interrupt() const {
    return bank_.can_interrupt(hart_.state().privilege,
                               hart_.sleeps() ? CountedEvents::Cycles : CountedEvents::All);
}

void HartModule::wait_until(Cycle cycle) {
    const sc_core::sc_time target = clock_.time_of(cycle);
    if (target > sc_core::sc_time_stamp()) {
        due_ = cycle;
        turn_.wait(target - sc_core::sc_time_stamp());
        await_turn();
        rested_ = 0;
    }
}

/// The turn ends with the quantum, the next event that can touch this hart, or at the cycle limit,
/// whichever comes first; never in the present cycle, so that the hart always moves, unless it
/// sleeps in a group or owes_the_kernel(). The block in hand may take another quantum.
HartModule::Turn HartModule::next_horizon() {
    if (stop_requested_) {
        return {};
    }
    const auto all_at = [](Cycle cycle) { return Turn{.end = cycle, .horizon = cycle}; };
    const sc_core::sc_time& stamp = sc_core::sc_time_stamp();
    const Cycle now = clock_.cycle_of(stamp);
    if (group_ != nullptr && hart_.sleeps()) {
        return all_at(std::min(now, cycle_limit_));
    }
    if (owes_the_kernel(now)) {
        return all_at(hart_.now());
    }
    const Cycle event = group_ != nullptr ? group_->next_device_event()
                                          : clock_.cycle_of(stamp + turn_.time_to_activity());
    const Cycle last = group_ != nullptr ? std::min(event, cycle_limit_) : event;
    const auto before_last = [&](Cycle cycle) { return std::max(std::min(last, cycle), now + 1); };
    const Cycle end = now - rested_ + quantum_;
    return {.end = before_last(end), .horizon = before_last(end + quantum_)};
}

BusResult HartModule::load(Address address, void* data, unsigned size, Cycle at) {
    return access(tlm::TLM_READ_COMMAND, address, data, size, at);
}

BusResult HartModule::store(Address address, const void* data, unsigned size, Cycle at) {
    std::uint64_t copy = 0; // a TLM payload needs writable data
    copy_access(&copy, data, size);
    return access(tlm::TLM_WRITE_COMMAND, address, &copy, size, at);
}

BusResult HartModule::access(tlm::tlm_command command, Address address, void* data, unsigned size,
                             Cycle at) {
    if (group_ != nullptr || shares_bus_ || at >= horizon_.end) {
        wait_until(at);
    }
    ++accesses_;
    payload_.set_command(command);
    payload_.set_address(address);
    payload_.set_data_ptr(static_cast<unsigned char*>(data));
    payload_.set_data_length(size);
    payload_.set_streaming_width(size);
    payload_.set_byte_enable_ptr(nullptr);
    payload_.set_dmi_allowed(false);
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    const sc_core::sc_time& now = sc_core::sc_time_stamp(); // the target may have time pass
    const sc_core::sc_time begin = std::max(clock_.time_of(at), now);
    sc_core::sc_time delay = begin - now;
    const std::uint64_t kernel = now.value();
    bus->b_transport(payload_, delay);
    rested_ = now.value() == kernel ? rested_ : 0;
    renew_horizon();
    return {.status = payload_.is_response_ok() ? BusStatus::Ok : BusStatus::Error,
            .latency = static_cast<std::uint32_t>(clock_.cycle_of(now + delay - begin))};
}

std::size_t HartModule::debug_load(Address address, std::span<std::byte> bytes) {
    return debug_access(tlm::TLM_READ_COMMAND, address, bytes.data(), bytes.size());
}

std::size_t HartModule::debug_store(Address address, std::span<const std::byte> bytes) {
    std::vector<std::byte> copy(bytes.begin(), bytes.end()); // a TLM payload needs writable data
    return debug_access(tlm::TLM_WRITE_COMMAND, address, copy.data(), copy.size());
}

/// Memory takes any length; registers of devices, at most their own.
std::size_t HartModule::debug_access(tlm::tlm_command command, Address address, std::byte* data,
                                     std::size_t size) {
    constexpr std::size_t kRegister = 8;
    std::size_t done = 0;
    while (done < size) {
        std::size_t length = size - done;
        unsigned now = 0;
        do {
            tlm::tlm_generic_payload payload;
            payload.set_command(command);
            payload.set_address(address + done);
            payload.set_data_ptr(reinterpret_cast<unsigned char*>(data + done));
            payload.set_data_length(static_cast<unsigned>(length));
            payload.set_streaming_width(static_cast<unsigned>(length));
            now = bus->transport_dbg(payload);
            length = length > kRegister ? kRegister : length / 2;
        } while (now == 0 && length != 0);
        if (now == 0) {
            break;
        }
        done += now;
    }
    return done;
}

/// It takes place in its own cycle, like an access to a device.
void HartModule::reach(Cycle at) {
    if (group_ != nullptr || shares_bus_ || at >= horizon_.end) {
        wait_until(at);
    }
    renew_horizon();
}

void HartModule::set_supervisor_timer(std::uint64_t stimecmp, Cycle at) {
    reach(at);
    timer_.set_stimecmp(stimecmp, std::max(at, clock_.now()));
    renew_horizon();
}

bool HartModule::direct_memory(Address address, DirectMemory& region) {
    tlm::tlm_dmi dmi;
    payload_.set_command(tlm::TLM_READ_COMMAND);
    payload_.set_address(address);
    payload_.set_data_length(1);
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    LazyRange* lazy = nullptr;
    if (!request_direct_access(bus, payload_, dmi, lazy) || !dmi.is_read_write_allowed()) {
        return false;
    }
    region = {.data = reinterpret_cast<std::byte*>(dmi.get_dmi_ptr()),
              .start = dmi.get_start_address(),
              .end = std::max(dmi.get_end_address() + 1, dmi.get_end_address()), // ~0: to the end
              .lazy = lazy};
    return true;
}

bool HartModule::read_memory(Address address, void* data, unsigned size, Cycle at) {
    return access_memory(tlm::TLM_READ_COMMAND, address, data, size, at);
}

bool HartModule::write_memory(Address address, const void* data, unsigned size, Cycle at) {
    std::uint64_t copy = 0; // a TLM payload needs writable data
    std::memcpy(&copy, data, size);
    return access_memory(tlm::TLM_WRITE_COMMAND, address, &copy, size, at);
}

/// Its time is that of the hart's own model of memory: what the target adds to the delay is not
/// taken.
bool HartModule::access_memory(tlm::tlm_command command, Address address, void* data, unsigned size,
                               Cycle at) {
    payload_.set_command(command);
    payload_.set_address(address);
    payload_.set_data_ptr(static_cast<unsigned char*>(data));
    payload_.set_data_length(size);
    payload_.set_streaming_width(size);
    payload_.set_byte_enable_ptr(nullptr);
    payload_.set_dmi_allowed(false);
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    sc_core::sc_time delay = std::max(clock_.time_of(at), now) - now;
    bus->b_transport(payload_, delay);
    renew_horizon();
    return payload_.is_response_ok();
}

/// This is rare, so the whole grant is dropped.
void HartModule::withdraw_direct_memory(sc_dt::uint64 /*first*/, sc_dt::uint64 /*last*/) {
    hart_.direct_memory_withdrawn();
}

} // namespace pes

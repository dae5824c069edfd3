// SPDX-License-Identifier: Apache-2.0
#include <pes-vp/hart.h>

#include "hw/interface/maps/interrupts.h"
#include "platform/host/numbers.h"
#include "platform/kit/clint_parts.h"
#include "platform/kit/errors.h"
#include "platform/kit/hart_parts.h"

#include <algorithm>

namespace pes::kit {

namespace {

void check_register(const Hart& hart, unsigned index) {
    constexpr unsigned kRegisters = 32;
    if (index >= kRegisters) {
        throw Error(std::string(hart.name()) + " has no register x" + std::to_string(index) +
                    ", expected x0 to x31");
    }
}

} // namespace

// --- Parts --------------------------------------------------------------------------------------

Hart::Parts::Parts(Hart& owner, Settings all, unsigned number)
    : settings(std::move(all)), index(number),
      unit(settings.internal(), clock,
           HartUnit::Place{.index = number,
                           .entry = settings.internal().hart.reset_pc,
                           .lockstep = lockstep(),
                           .timer = timer()}),
      port("port", owner.bus),
      readers{
          SignalReader("mei_reader", clock, owner.mei, unit.interrupts(), irq::kMachineExternal),
          SignalReader("sei_reader", clock, owner.sei, unit.interrupts(), irq::kSupervisorExternal),
          SignalReader("mti_reader", clock, owner.mti, unit.interrupts(), irq::kMachineTimer),
          SignalReader("msi_reader", clock, owner.msi, unit.interrupts(), irq::kMachineSoftware),
          SignalReader("sti_reader", clock, owner.sti, unit.interrupts(), irq::kSupervisorTimer)},
      threshold("threshold_driver", clock, owner.threshold),
      buffer_full("buffer_full_driver", clock, owner.buffer_full) {
    HartModule& module = unit.module();
    module.bus.bind(port.inside);
    module.threshold_irq.bind(threshold);
    module.buffer_full_irq.bind(buffer_full);
    module.live_among_others([this] { ended(); });
    unit.attach_observers(nullptr, nullptr);
}

HartModule::Timer Hart::Parts::timer() {
    return {.mtime = [this](Cycle at) { return mtime(at); },
            .set_stimecmp =
                [this](std::uint64_t value, Cycle at) {
                    if (stimecmp) {
                        stimecmp(value, at);
                    }
                }};
}

LockstepBank::Hooks Hart::Parts::lockstep() {
    return {.on_difference =
                [this](const std::string& report) {
                    difference = report;
                    unit.module().request_stop();
                },
            .wanted = [this] { return difference.empty(); }};
}

void Hart::Parts::settle() {
    if (!settled) {
        settled = true;
        unit.hart().settle(unit.hart().reached());
        unit.bank().finish();
        for (const auto& tell : at_end) {
            tell(unit.hart().reached());
        }
    }
}

void Hart::Parts::ended() {
    settle();
    has_ended.notify(sc_core::SC_ZERO_TIME);
}

/// All harts of the simulation, wherever they are.
void Hart::Parts::meet_others(const Hart& owner) {
    std::vector<HartTurn*> others;
    std::vector<sc_core::sc_object*> objects = sc_core::sc_get_top_level_objects();
    while (!objects.empty()) {
        sc_core::sc_object* const object = objects.back();
        objects.pop_back();
        const auto* const hart = dynamic_cast<const Hart*>(object);
        if (hart != nullptr && hart != &owner) {
            others.push_back(&hart->parts_->unit.module().turn());
        }
        const auto& children = object->get_child_objects();
        objects.insert(objects.end(), children.begin(), children.end());
    }
    unit.module().turn().meet(std::move(others));
}

void Hart::Parts::place_program(const Hart& owner) {
    const auto write = [&](Address address, std::span<const std::byte> bytes) {
        const std::size_t taken = unit.module().debug_store(address, bytes);
        if (taken != bytes.size()) {
            throw Error(std::string(owner.name()) + ": " + program->title() + " has a byte at " +
                        hex(address + taken) +
                        " that debug transport does not reach, expected memory there");
        }
    };
    program->place([&](Address address, std::span<const std::byte> bytes, std::uint64_t size) {
        write(address, bytes);
        const std::vector<std::byte> zeros(size - bytes.size());
        write(address + bytes.size(), zeros);
    });
}

// --- The module
// -----------------------------------------------------------------------------------

Hart::Hart(const sc_core::sc_module_name& name, const Settings& settings, unsigned index)
    : sc_core::sc_module(name), bus("bus"), mei("mei"), sei("sei"), mti("mti"), msi("msi"),
      sti("sti"), threshold("threshold"), buffer_full("buffer_full"),
      parts_(in_words_of(this->name(), [&] {
          if (const unsigned harts = settings.internal().harts; index >= harts) {
              throw UserError("index " + std::to_string(index) + " with harts = " +
                              std::to_string(harts) + ", expected a smaller index");
          }
          return std::make_unique<Parts>(*this, settings, index);
      })) {
    bus.register_invalidate_direct_mem_ptr(this, &Hart::withdraw);
}

Hart::~Hart() = default;

void Hart::end_of_elaboration() {
    require_bound(*this, bus, kTarget);
    for (const InterruptIn* port : {&mei, &sei, &mti, &msi}) {
        require_bound(*this, *port, kSignal);
    }
    if (!parts_->mtime) {
        throw Error(std::string(name()) +
                    " has no timer, expected a call of use() with a Clint or a function");
    }
    if (parts_->settings.internal().hart.extensions.sstc && !parts_->stimecmp) {
        throw Error(std::string(name()) + ": extensions.sstc = true needs the comparator of a "
                                          "Clint, expected a call of use() with one");
    }
    parts_->meet_others(*this);
}

void Hart::start_of_simulation() {
    if (parts_->program) {
        parts_->place_program(*this);
    }
}

void Hart::withdraw(sc_dt::uint64 first, sc_dt::uint64 last) {
    parts_->port.withdraw(first, last);
}

void Hart::load(const std::filesystem::path& elf) {
    in_words_of(name(), [&] {
        const MemoryRange& memory = parts_->settings.internal().hart.memory;
        Program program = Program::read(elf, memory.base);
        program.require_fits(memory);
        parts_->unit.hart().set_pc(program.entry());
        parts_->program = std::move(program);
    });
}

void Hart::start_at(std::uint64_t pc) {
    parts_->unit.hart().set_pc(pc);
}

void Hart::set_reg(unsigned index, std::uint64_t value) {
    check_register(*this, index);
    if (index != 0) {
        parts_->unit.hart().set_register(static_cast<RegisterIndex>(index), value);
    }
}

void Hart::use(Clint& timer) {
    DeviceModule& device = timer.parts_->shell.module();
    const unsigned index = parts_->index;
    parts_->mtime = [&device](Cycle at) { return device.device().mtime(at); };
    parts_->stimecmp = [&device, index](std::uint64_t value, Cycle at) {
        device.set_stimecmp(index, value, at);
    };
}

void Hart::use(std::function<std::uint64_t(std::uint64_t)> mtime) {
    parts_->mtime = std::move(mtime);
    parts_->stimecmp = {};
}

void Hart::share_bus(Hart& other) {
    if (&other == this) {
        throw Error(std::string(name()) + " shares its bus with itself, expected another hart");
    }
    HartModule& mine = parts_->unit.module();
    HartModule& theirs = other.parts_->unit.module();
    mine.share_bus(theirs);
    theirs.share_bus(mine);
}

void Hart::stop() {
    parts_->unit.module().request_stop();
}

void Hart::stop_at(std::uint64_t cycle) {
    parts_->unit.module().set_cycle_limit(cycle);
}

Hart::End Hart::end() const {
    if (!parts_->difference.empty()) {
        return End::CountersDiffer;
    }
    switch (parts_->unit.module().outcome()) {
    case HartModule::Outcome::Stopped:
        return End::Stopped;
    case HartModule::Outcome::CycleLimit:
        return End::CycleLimit;
    case HartModule::Outcome::TrapLoop:
        return End::TrapLoop;
    case HartModule::Outcome::Running:
    case HartModule::Outcome::Deadlock: // never, among others
        break;
    }
    return End::Running;
}

const sc_core::sc_event& Hart::ended() const {
    return parts_->has_ended;
}

std::string Hart::report() const {
    if (end() != End::TrapLoop) {
        return parts_->difference;
    }
    const TrapReport report = parts_->unit.hart().trap_report();
    return "the trap handler at " + hex(report.handler) +
           " cannot run: its first instruction has "
           "raised exception " +
           std::to_string(report.handler_cause) + "; the trap had cause " +
           std::to_string(report.cause) + " at " + hex(report.pc);
}

void Hart::finish() {
    parts_->settle();
}

std::uint64_t Hart::cycles() const {
    return parts_->unit.hart().reached();
}

std::uint64_t Hart::instructions() const {
    return parts_->unit.hart().instret();
}

std::uint64_t Hart::traps() const {
    return parts_->unit.hart().traps();
}

std::uint64_t Hart::pc() const {
    return parts_->unit.hart().state().pc;
}

std::uint64_t Hart::reg(unsigned index) const {
    check_register(*this, index);
    return parts_->unit.hart().state().x[index];
}

std::uint64_t Hart::csr(unsigned number) const {
    constexpr unsigned kNumbers = 0x1000;
    const std::optional<std::uint64_t> value =
        number < kNumbers ? parts_->unit.hart().peek_csr(static_cast<std::uint16_t>(number))
                          : std::nullopt;
    if (!value) {
        throw Error(std::string(name()) + " has no CSR " + hex(number) +
                    ", expected one of docs/hart.md");
    }
    return *value;
}

std::vector<Hart::Event> Hart::events() const {
    const EventTotals totals = parts_->unit.hart().totals();
    std::vector<Event> events;
    for (const EventRow& row : *parts_->settings.internal().counters.profile) {
        const auto source = static_cast<std::size_t>(row.source);
        if ((row.source != pes::Event::None || row.selector != 0) && source < kEventCount) {
            events.push_back({std::string(row.name), totals.events[source]});
        }
    }
    return events;
}

std::size_t Hart::debug_read(std::uint64_t address, std::span<std::byte> bytes) {
    return parts_->unit.module().debug_load(address, bytes);
}

std::size_t Hart::debug_write(std::uint64_t address, std::span<const std::byte> bytes) {
    return parts_->unit.module().debug_store(address, bytes);
}

void Hart::memory_written(std::uint64_t address, std::uint64_t bytes) {
    parts_->unit.hart().memory_written(address, bytes);
}

} // namespace pes::kit

// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/hart_unit.h"

#include "hw/core/blocks/native/native_code.h"
#include "platform/host/end_request.h"
#include "platform/host/user_error.h"
#include "platform/soc/instruction_sampling.h"

#include <algorithm>
#include <unistd.h>

namespace pes {
namespace {

constexpr unsigned kArgument0 = 10; // a0
constexpr unsigned kArgument1 = 11; // a1
constexpr unsigned kArgument2 = 12; // a2

std::string scope(unsigned index) {
    return "hart" + std::to_string(index);
}

/// A quarter of the host's memory, for all harts together.
std::uint64_t most_memo_memory(unsigned harts) {
    const auto pages = static_cast<std::uint64_t>(std::max(sysconf(_SC_PHYS_PAGES), 0L));
    return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) / 4 / harts;
}

HartConfig hart_config(const PlatformConfig& platform, const HartUnit::Place& place) {
    HartConfig config = platform.hart;
    if (config.jit == NativePaths::On && !NativeCode::available()) {
        throw UserError("hart.jit = on: this build has no native code for this host, expected auto "
                        "or off (it needs x86-64 and asmjit)");
    }
    config.memo_memory = std::min(config.memo_memory, most_memo_memory(platform.harts));
    config.id = place.index;
    config.reset_pc = place.entry;
    config.mtime = machine_time(platform).address;
    return config;
}

/// What the hart counts with. A recorded bank wants single cycles; the hart asks how many it may
/// skip when it is built.
CounterBank& set_up(HpmBank& bank, const HartUnit::Place& place) {
    if (place.wave != nullptr) {
        bank.attach_wave(*place.wave, scope(place.index) + ".hpm");
    }
    CounterBank* seen = &bank;
    for (HartTap* tap : place.taps) {
        seen = &tap->wrap(*seen, bank);
    }
    return *seen;
}

} // namespace

HartUnit::HartUnit(const PlatformConfig& config, const ClockDomain& clock, Place place)
    : commit_scope_(scope(place.index) + ".commit"),
      bank_(make_counter_bank(config.counters, place.lockstep, place.stimulus)),
      module_(scope(place.index).c_str(), hart_config(config, place), clock, set_up(*bank_, place),
              run_ahead(config), std::move(place.timer)),
      interrupts_(place.wave != nullptr && place.wave->wants(CommitWave::kGroup)
                      ? interrupt_wave_.emplace(*place.wave, commit_scope_, module_.interrupts())
                      : module_.interrupts()) {
    module_.set_end_check([] { return end_requested() != EndRequest::None; });
    for (HartTap* tap : place.taps) {
        tap->attach(hart());
    }
    if (config.hart.extensions.smpdis) {
        attach(sampler_.emplace(config.pdis), hart());
    }
    hart().set_register(kArgument0, place.index);
    hart().set_register(kArgument1, place.device_tree);
    hart().set_register(kArgument2, place.information);
}

void HartUnit::attach_observers(WaveSink* wave, const std::shared_ptr<FunctionNames>& functions) {
    if (interrupt_wave_) {
        commit_wave_.emplace(*wave, commit_scope_, functions);
        hart().add_observer(*commit_wave_);
    }
    if (HartObserver* observer = bank_->observer()) {
        hart().add_observer(*observer);
    }
}

void HartUnit::state(Archive& archive) {
    archive(module_);
    if (sampler_) {
        archive.section("sampler", [this](Archive& part) { part(*sampler_); });
    }
    if (commit_wave_) {
        archive.section("commit", [this](Archive& part) { part(*interrupt_wave_, *commit_wave_); });
    }
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// The one typed configuration of a platform. Every block keeps its own struct; this aggregates them
// and adds what belongs to the composition. The keys by which a file or `--set` reaches a member
// are listed once, in setting_table.cpp and by the devices.
#pragma once

#include "hw/core/hart_config.h"
#include "hw/hpm/counter_config.h"
#include "hw/pdis/sampler.h"
#include "platform/config/devices.h"
#include "platform/config/trace_config.h"
#include "platform/host/profile_file.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pes {

inline constexpr unsigned kMaxHarts = 8;

struct HtifConfig {
    bool enabled = true; ///< false: tohost and fromhost are plain memory
};

/// What the device tree tells firmware and kernel beside the hardware.
struct BootConfig {
    std::uint64_t rng_seed = 1; ///< /chosen/rng-seed follows from it; 0: none
    bool pmu_snapshot = false;  ///< our firmware offers snapshot shared memory
    bool pmu_delegated = false; ///< our firmware leaves the counters to the supervisor
};

struct PlatformConfig {
    std::uint64_t clock_hz = 50'000'000; ///< divides 10^12, see ClockDomain
    std::uint32_t harts = 1;             ///< 1..kMaxHarts
    Cycle quantum = 100'000;             ///< a hart runs ahead of the kernel by at most this
    Cycle turn = 1'000;                  ///< and, if there are several, by at most this
    std::uint64_t truth_memory = std::uint64_t{4} << 30; ///< bytes that the exact profile may take
    HartConfig hart;        ///< of each hart; the platform numbers them
    CounterConfig counters; ///< of each hart
    /// Owns counters.profile if that comes from a file.
    std::shared_ptr<const ProfileFile> profile_file{};
    /// Main memory is HartConfig::memory: the hart must know it anyway.
    DeviceSet devices = platform_devices();
    HtifConfig htif;
    BootConfig boot;
    TraceConfig trace;
    pdis::SamplerConfig pdis; ///< of each hart, with extensions.smpdis
    SoftwareTraceSettings software_trace;
};

/// Where the trace blocks answer; funnels and RAM sinks may be none, and then their range is empty.
MemoryRange encoder_range(const PlatformConfig& config);
MemoryRange stimuli_range(const PlatformConfig& config);
MemoryRange funnel_range(const PlatformConfig& config);
MemoryRange ram_sink_range(const PlatformConfig& config);
MemoryRange trace_port_range(const PlatformConfig& config); ///< only RAM sinks reach it
MemoryRange software_trace_range(const PlatformConfig& config);

/// How far a hart may run ahead. One hart: any value gives the same results. Several: this is how
/// finely they interleave.
constexpr Cycle run_ahead(const PlatformConfig& config) {
    return config.harts == 1 ? config.quantum : std::min(config.quantum, config.turn);
}

/// Where the harts find mtime, and its step.
MachineTime machine_time(const PlatformConfig& config);

/// Frequency of mtime.
std::uint64_t timebase_hz(const PlatformConfig& config);

/// Cycles by which a wave change may be reported late. The hart runs ahead by two quanta at most,
/// and an edge of a counter comes with the decode behind it, which a cleared instruction cache, a
/// page walk that misses, or stores that drain one by one hold up.
Cycle wave_slack(const PlatformConfig& config);

/// Takes the profile and what it brings: counters, width, extensions, the hart's pulses.
void choose_profile(PlatformConfig& config, const PmuProfile& profile,
                    std::shared_ptr<const ProfileFile> file = nullptr);

/// Defaults, then the file (if not empty), then each "key=value"; the PMU profile goes before the
/// other keys, which thus win over what it brings, and a core package before the other keys of the
/// file or of the assignments. Throws UserError; `origin` begins the sentence
/// about an assignment.
PlatformConfig make_config(const std::filesystem::path& file,
                           std::span<const std::string> assignments,
                           std::string_view origin = "--set");

/// Changes one setting; `origin` begins the sentence of an error ("--set", "soc.toml:12").
void set_value(PlatformConfig& config, std::string_view key, std::string_view value,
               std::string_view origin);

/// Rules that span settings: address map without overlaps, regions large enough. Throws UserError.
void validate(const PlatformConfig& config);

/// A TOML document with every setting, its meaning and its range; can be fed back as a file.
std::string show_config(const PlatformConfig& config);

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "platform/config/config.h"

#include "hw/core/arch/core_ids.h"
#include "hw/hpm/pcer_csr.h"
#include "hw/interface/maps/interrupts.h"
#include "hw/interface/maps/software_trace.h"
#include "platform/config/core_package.h"
#include "platform/config/settings.h"
#include "platform/host/toml_file.h"
#include "platform/host/user_error.h"

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <sstream>
#include <stdexcept>

namespace pes {
namespace {

namespace fs = std::filesystem;

/// A text in the place of a number or a switch keeps its quotes, so that it is refused.
std::string value_text(const std::string& key, const TomlValue& value) {
    const Setting* const setting = find_setting(key);
    const bool unquoted =
        value.is_text() && (setting == nullptr || is_text(*setting, value.text()));
    return unquoted ? value.text() : value.printed();
}

constexpr std::string_view kProfile = "counters.profile";
constexpr std::string_view kProfileFile = "counters.profile_file";

struct Assignment {
    std::string key;
    std::string value;
    std::string origin;

    bool chooses_profile() const {
        return key == kProfile || (key == kProfileFile && !value.empty());
    }
};
using Assignments = std::vector<Assignment>;

/// Nested tables are dotted keys; every leaf is a setting.
void gather_table(Assignments& to, const TomlValue& table, const std::string& prefix) {
    for (const TomlValue& value : table.members()) {
        const std::string path = prefix + value.key();
        if (value.is_table()) {
            gather_table(to, value, path + ".");
            continue;
        }
        if (value.is_list_of_tables()) {
            value.fail("[[" + path + "]] is an array of tables, expected one table, [" + path +
                       "]");
        }
        to.push_back({path, value_text(path, value), value.place()});
    }
}

/// A profile's file and a core package are named relative to the file that names them.
void finish_files(Assignments& assignments, const fs::path& file) {
    if (std::ranges::count_if(assignments, &Assignment::chooses_profile) > 1) {
        const auto second = std::ranges::find(assignments, kProfileFile, &Assignment::key);
        throw UserError(second->origin + ": counters.profile and counters.profile_file exclude "
                                         "each other, expected one of them");
    }
    for (Assignment& assignment : assignments) {
        const bool names_file = assignment.key == kProfileFile || assignment.key == kCorePackageKey;
        if (names_file && !assignment.value.empty()) {
            assignment.value = (file.parent_path() / assignment.value).string();
        }
    }
}

void gather(Assignments& to, std::string_view assignment, std::string_view origin) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string_view::npos) {
        throw UserError(std::string(origin) + ": '" + std::string(assignment) +
                        "' has no '=', expected key=value");
    }
    to.push_back({std::string(assignment.substr(0, equals)),
                  std::string(assignment.substr(equals + 1)), std::string(origin)});
}

/// The other keys of the file win over those of its core package.
void gather_file(Assignments& to, const fs::path& file) {
    Assignments own;
    gather_table(own, TomlValue::read_file(file, "configuration file"), "");
    finish_files(own, file);
    for (const Assignment& assignment : own) {
        if (assignment.key == kCorePackageKey && !assignment.value.empty()) {
            for (const std::string& setting : core_package_settings(assignment.value)) {
                gather(to, setting, assignment.value);
            }
        }
    }
    std::erase_if(own, [](const Assignment& a) { return a.key == kCorePackageKey; });
    to.insert(to.end(), own.begin(), own.end());
}

/// What the profile brings gives way to explicit keys, wherever they stand.
void apply(PlatformConfig& config, Assignments& assignments) {
    const auto first_other = std::stable_partition(assignments.begin(), assignments.end(),
                                                   std::mem_fn(&Assignment::chooses_profile));
    const std::span profiles(assignments.begin(), first_other);
    if (!profiles.empty()) { // the last one wins; what the others name need not even exist
        const Assignment& last = profiles.back();
        set_value(config, last.key, last.value, last.origin);
    }
    for (const Assignment& assignment : std::span(first_other, assignments.end())) {
        set_value(config, assignment.key, assignment.value, assignment.origin);
    }
}

bool is_table(std::string_view key) {
    return std::ranges::any_of(settings(), [key](const Setting& setting) {
        return setting.key.starts_with(key) && setting.key.substr(key.size()).starts_with('.');
    });
}

struct NamedRange {
    std::string_view key;
    MemoryRange range;
};

std::vector<NamedRange> address_map(const PlatformConfig& config) {
    std::vector<NamedRange> ranges{{"dram", config.hart.memory}};
    for (const auto& device : config.devices) {
        if (device->present()) {
            ranges.push_back({device->traits().name, device->range});
        }
    }
    if (config.trace.enabled) {
        ranges.push_back({"trace", encoder_range(config)});
        ranges.push_back({"trace.stimuli", stimuli_range(config)});
        if (const MemoryRange funnels = funnel_range(config); funnels.size != 0) {
            ranges.push_back({"trace.funnel", funnels});
        }
        if (const MemoryRange sinks = ram_sink_range(config); sinks.size != 0) {
            ranges.push_back({"trace.ram_sink", sinks});
            ranges.push_back({"trace.port", trace_port_range(config)});
        }
    }
    if (config.software_trace.enabled) {
        ranges.push_back({"trace.software", software_trace_range(config)});
    }
    return ranges;
}

void check_address_map(const PlatformConfig& config) {
    constexpr Address kEnd = Address{1} << kPhysicalBits;
    std::vector<NamedRange> ranges = address_map(config);
    for (const auto& [key, range] : ranges) {
        if (range.size > kEnd - range.base) {
            std::ostringstream text;
            text << std::hex << key << ".base = 0x" << range.base << " is too high for 0x"
                 << range.size << " bytes, expected the end at most at 2^56";
            throw UserError(text.str());
        }
    }
    std::ranges::sort(ranges, {}, [](const NamedRange& named) { return named.range.base; });
    for (std::size_t i = 1; i < ranges.size(); ++i) {
        const NamedRange& below = ranges[i - 1];
        const NamedRange& above = ranges[i];
        if (below.range.contains(above.range.base)) {
            std::ostringstream text;
            text << std::hex << "the address map overlaps: " << above.key << ".base = 0x"
                 << above.range.base << " lies inside " << below.key << " (0x" << below.range.base
                 << " to 0x" << below.range.base + below.range.size - 1 << ")";
            throw UserError(text.str());
        }
    }
}

void check_cache(std::string_view key, const CacheGeometry& cache) {
    if (cache.bytes < cache.ways * cache.line_bytes) {
        throw UserError(std::string(key) + ".bytes = " + std::to_string(cache.bytes) +
                        " holds less than one set, expected at least ways x line_bytes = " +
                        std::to_string(cache.ways * cache.line_bytes));
    }
}

void check_trace(const TraceConfig& trace) {
    if (trace.burst_bytes % trace.word_bytes != 0) {
        throw UserError("trace.burst_bytes = " + std::to_string(trace.burst_bytes) +
                        " is not a whole number of words, expected a multiple of "
                        "trace.word_bytes = " +
                        std::to_string(trace.word_bytes));
    }
    if (2 * trace.burst_bytes > trace.fifo_bytes) {
        throw UserError(
            "trace.burst_bytes = " + std::to_string(trace.burst_bytes) +
            " is more than half of trace.fifo_bytes = " + std::to_string(trace.fifo_bytes) +
            ": the FIFO would be full before a sink wakes");
    }
    const bool standard = trace.registers == trace::RegisterSet::Standard;
    if (trace.protocol == trace::Protocol::ETrace && !standard) {
        throw UserError("trace.protocol = \"e-trace\" is not there with trace.registers = "
                        "\"sifive\", expected trace.registers = \"standard\"");
    }
    if (standard && trace.timestamp_bits > trace_control::timestamp::kMostBits) {
        throw UserError("trace.timestamp_bits = " + std::to_string(trace.timestamp_bits) +
                        " does not fit trTsWidth, expected at most 63 with trace.registers = "
                        "\"standard\"");
    }
}

/// Sources of the interrupt controller belong to one device or counter each.
void check_interrupts(const PlatformConfig& config) {
    unsigned sources = 0;
    for (const auto& device : config.devices) {
        sources = std::max(sources, device->interrupt_sources());
    }
    std::vector<std::string> owners(sources);
    const auto take = [&owners](std::string_view owner, unsigned source) {
        if (source >= owners.size()) {
            throw UserError(std::string(owner) + ": there is no interrupt source " +
                            std::to_string(source) +
                            ", expected less than plic.sources = " + std::to_string(owners.size()));
        }
        if (!owners[source].empty()) {
            throw UserError(std::string(owner) + ": interrupt source " + std::to_string(source) +
                            " belongs to " + owners[source] + ", expected a free one");
        }
        owners[source] = owner;
    };
    for (unsigned hart = 0; hart < config.harts; ++hart) {
        take("the counters", irq::pes_threshold_source(hart));
        take("the counters", irq::pes_buffer_full_source(hart));
    }
    for (const auto& device : config.devices) {
        for (const DeviceLine& line : device->lines(config.harts)) {
            if (device->present() && line.to == DeviceLine::To::Controller) {
                take(device->traits().name, line.number);
            }
        }
    }
}

void check_devices(const PlatformConfig& config) {
    for (const auto& device : config.devices) {
        if (const std::optional<std::string> mistake = device->mistake(config.harts)) {
            throw UserError(*mistake);
        }
    }
    check_interrupts(config);
}

void check_counters(const PlatformConfig& config) {
    const CounterConfig& counters = config.counters;
    const std::string profile = counters.profile->name;
    if (counters.kind != CounterModel::Tlm && config.profile_file != nullptr) {
        throw UserError("there are no RTL counters of the profile file '" +
                        config.profile_file->path().string() +
                        "', expected counters.model = tlm with it");
    }
    const auto refuse = [&profile](const std::string& setting, const std::string& expected) {
        throw UserError(setting + " cannot be combined with counters.profile = " + profile +
                        ", expected " + expected);
    };
    if (counters.profile->registers == RegisterSet::Hpm) {
        if (counters.programmable > kMaxProgrammable) {
            refuse("counters.programmable = " + std::to_string(counters.programmable),
                   "at most " + std::to_string(kMaxProgrammable));
        }
        return;
    }
    // The PCER unit has one shape.
    if (counters.programmable != kPcerCounters) {
        refuse("counters.programmable = " + std::to_string(counters.programmable),
               std::to_string(kPcerCounters));
    }
    if (counters.width != kPcerWidth) {
        refuse("counters.width = " + std::to_string(counters.width), std::to_string(kPcerWidth));
    }
    if (counters.sscofpmf || counters.smcntrpmf) {
        refuse(std::string("counters.") + (counters.sscofpmf ? "sscofpmf" : "smcntrpmf") +
                   " = true",
               "false: it has no mhpmevent registers");
    }
}

void check_precise_sampling(const PlatformConfig& config) {
    const Extensions& extensions = config.hart.extensions;
    if (extensions.ssplcofi && !extensions.sspesa) {
        throw UserError(
            "extensions.ssplcofi = true cannot be combined with extensions.sspesa = false: "
            "the cause of a sample is in shpmspc, expected extensions.sspesa = true");
    }
    if (!extensions.sspesa) {
        return;
    }
    if (!config.counters.sscofpmf) {
        throw UserError(
            "extensions.sspesa = true cannot be combined with counters.sscofpmf = false: "
            "there is no overflow bit, expected counters.sscofpmf = true");
    }
    if (extensions.shpmspc == extensions.shpmsdata) {
        throw UserError("extensions.shpmspc and extensions.shpmsdata are the same number, expected "
                        "two");
    }
}

/// What an extension depends on.
void check_extensions(const PlatformConfig& config) {
    const Extensions& extensions = config.hart.extensions;
    if (extensions.sstc && !config.hart.time_csr) {
        throw UserError(
            "extensions.sstc = true cannot be combined with hart.time_csr = false: stimecmp is "
            "compared with time, expected hart.time_csr = true");
    }
    if (extensions.smcdeleg && !extensions.smcsrind) {
        throw UserError(
            "extensions.smcdeleg = true cannot be combined with extensions.smcsrind = false: "
            "delegated counters are behind siselect, expected extensions.smcsrind = "
            "true");
    }
    if (config.boot.pmu_delegated && !extensions.smcdeleg) {
        throw UserError(
            "boot.pmu_delegated = true cannot be combined with extensions.smcdeleg = false: the "
            "supervisor has no other way to the counters, expected extensions.smcdeleg = true");
    }
    if (extensions.smctr && !extensions.smcsrind) {
        throw UserError(
            "extensions.smctr = true cannot be combined with extensions.smcsrind = false: "
            "control transfer records are behind siselect, expected "
            "extensions.smcsrind = true");
    }
    if (extensions.smpdis && !extensions.smcsrind) {
        throw UserError(
            "extensions.smpdis = true cannot be combined with extensions.smcsrind = false: "
            "the record is behind siselect, expected extensions.smcsrind = true");
    }
    if (extensions.ssamb && !extensions.smpdis) {
        throw UserError(
            "extensions.ssamb = true cannot be combined with extensions.smpdis = false: "
            "nothing else fills a buffer, expected extensions.smpdis = true");
    }
    if (extensions.smpdis && !config.counters.sscofpmf) {
        throw UserError(
            "extensions.smpdis = true cannot be combined with counters.sscofpmf = false: a "
            "sample is told by interrupt 13, expected counters.sscofpmf = true");
    }
    if (const PmuProfile& profile = *config.counters.profile;
        !extensions.smpdis && (profile_sources(profile) - kCoreEvents).any()) {
        throw UserError(std::string("counters.profile = ") + profile.name +
                        " cannot be combined with extensions.smpdis = false: it counts what is "
                        "decoded and sampled, expected extensions.smpdis = true");
    }
    if (extensions.smcdeleg && config.counters.profile->registers != RegisterSet::Hpm) {
        throw UserError(
            std::string("extensions.smcdeleg = true cannot be combined with counters.profile "
                        "= ") +
            config.counters.profile->name + ", expected false: it has no mhpmcounter registers");
    }
    check_precise_sampling(config);
}

} // namespace

void choose_profile(PlatformConfig& config, const PmuProfile& profile,
                    std::shared_ptr<const ProfileFile> file) {
    const CounterModel kind = config.counters.kind;
    config.counters = counters_of(profile);
    config.counters.kind = kind;
    config.hart.sources = kBaseEvents | profile_sources(profile);
    config.profile_file = std::move(file);
}

void set_value(PlatformConfig& config, std::string_view key, std::string_view value,
               std::string_view origin) {
    const Setting* setting = find_setting(key);
    if (setting == nullptr) {
        if (is_table(key)) {
            throw UserError(std::string(origin) + ": '" + std::string(key) +
                            "' is a table of settings, not a setting, expected keys below it");
        }
        const std::string_view nearest = nearest_key(key);
        throw UserError(std::string(origin) + ": unknown key '" + std::string(key) + "', " +
                        (nearest.empty() ? "--show-config lists them all"
                                         : "did you mean '" + std::string(nearest) + "'?"));
    }
    assign(*setting, config, value, origin);
}

void validate(const PlatformConfig& config) {
    check_address_map(config);
    check_devices(config);
    check_cache("timing.l1i", config.hart.timing.l1i);
    check_cache("timing.l1d", config.hart.timing.l1d);
    check_trace(config.trace);
    check_counters(config);
    check_extensions(config);
}

/// Of the assignments so far; one that is no ISA string is refused when it is made.
static Isa isa_of(const Assignments& assignments) {
    const auto last = std::find_if(assignments.rbegin(), assignments.rend(),
                                   [](const Assignment& a) { return a.key == "hart.isa"; });
    return last == assignments.rend() ? core_ids::kIsa : parse_isa(last->value).isa;
}

PlatformConfig make_config(const fs::path& file, std::span<const std::string> assignments,
                           std::string_view origin) {
    PlatformConfig config;
    Assignments all;
    if (!file.empty()) {
        gather_file(all, file);
    }
    for (const std::string& assignment : with_core_package(assignments, isa_of(all))) {
        gather(all, assignment, origin);
    }
    apply(config, all);
    validate(config);
    return config;
}

std::string show_config(const PlatformConfig& config) {
    std::ostringstream out;
    std::string_view table;
    for (const Setting& setting : settings()) {
        if (setting.key == (config.profile_file != nullptr ? kProfile : kProfileFile)) {
            continue; // they exclude each other
        }
        const std::size_t dot = setting.key.rfind('.');
        const bool nested = dot != std::string_view::npos;
        const std::string_view prefix = nested ? setting.key.substr(0, dot) : std::string_view{};
        if (prefix != table) {
            table = prefix;
            out << "\n[" << table << "]\n";
        }
        out << "# " << setting.description << " (" << expectation(setting) << ")\n"
            << (nested ? setting.key.substr(dot + 1) : setting.key) << " = "
            << print_value(setting, config) << "\n";
    }
    return out.str();
}

MachineTime machine_time(const PlatformConfig& config) {
    for (const auto& device : config.devices) {
        if (const std::optional<MachineTime> time = device->machine_time()) {
            return *time;
        }
    }
    throw std::logic_error("the platform has no machine timer");
}

std::uint64_t timebase_hz(const PlatformConfig& config) {
    return config.clock_hz / machine_time(config).cycles_per_tick;
}

MemoryRange encoder_range(const PlatformConfig& config) {
    return {config.trace.base, trace_map::kBlockBytes * config.harts};
}

MemoryRange stimuli_range(const PlatformConfig& config) {
    return {config.trace.stimuli_base, trace_map::kBlockBytes * config.harts};
}

MemoryRange funnel_range(const PlatformConfig& config) {
    return {config.trace.funnel_base,
            trace_map::kBlockBytes * funnel_count(config.trace, config.harts)};
}

MemoryRange ram_sink_range(const PlatformConfig& config) {
    return {config.trace.ram_base,
            trace_control::kComponentBytes * ram_sink_count(config.trace, config.harts)};
}

MemoryRange trace_port_range(const PlatformConfig& config) {
    const bool there = ram_sink_count(config.trace, config.harts) != 0;
    return {config.trace.port_base, there ? kTracePortBytes : 0};
}

MemoryRange software_trace_range(const PlatformConfig& config) {
    return {config.software_trace.base, software_trace_map::kBlockBytes * config.harts};
}

Cycle wave_slack(const PlatformConfig& config) {
    constexpr Cycle kUnits = 4096; // dividers, device bridges, interrupt stages
    constexpr Cycle kTransfers = 64;
    const TimingConfig& timing = config.hart.timing;
    return 2 * config.quantum + kUnits + timing.fence_i_cycles + // HartModule::Turn
           kTransfers * (timing.memory_latency + timing.refill_cycles);
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "platform/cli/run_checkpoint.h"

#include "platform/cli/trace_filter_options.h"
#include "platform/config/settings.h"
#include "platform/host/user_error.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iomanip>
#include <sstream>
#include <string_view>

namespace pes {
namespace {

/// Settings of the host's side, on which no result depends.
constexpr std::array<std::string_view, 6> kOfHost{
    "hart.path", "hart.jit", "hart.jit_after", "hart.memo_memory", "truth_memory", "quantum"};

/// How the host has set the trace blocks up.
std::string text_of(const TraceSetup& setup) {
    static constexpr const char* kPrograms[] = {"none", "events", "btm", "htm", "htm-plain"};
    return std::string("given with program ") + kPrograms[static_cast<unsigned>(setup.program)] +
           (setup.counters ? ", counters" : "") + (setup.instrumentation ? ", stimuli" : "") +
           (setup.stall ? ", stall" : "");
}

/// In quotes: they may have spaces.
std::string quoted_words(const std::vector<std::string>& words) {
    std::ostringstream text;
    for (const std::string& word : words) {
        text << (text.tellp() == 0 ? "" : " ") << std::quoted(word);
    }
    return words.empty() ? "nothing" : text.str();
}

/// What a waveform records.
std::string window_of(const Options& options) {
    const std::string to = options.vcd_to == kNever ? "the end" : std::to_string(options.vcd_to);
    return "given with " +
           (options.vcd_groups.empty() ? "all groups" : "groups " + options.vcd_groups) +
           " from cycle " + std::to_string(options.vcd_from) + " to " + to;
}

CheckpointSettings settings_of(const Options& options, const PlatformConfig& config) {
    CheckpointSettings list;
    const auto add_file = [&list](const char* key, const std::string& path) {
        list.emplace_back(key, path.empty() ? "nothing" : fingerprint_of(path));
    };
    add_file("the program", options.boot.program);
    add_file("the firmware", options.boot.firmware);
    add_file("the kernel", options.boot.kernel);
    add_file("the initrd", options.boot.initrd);
    add_file("the device tree", options.boot.device_tree);
    add_file("the image of --disk", options.disk);
    list.emplace_back("--disk-write", options.disk_write ? "given" : "not given");
    list.emplace_back("the kernel's command line", "'" + options.boot.append + "'");
    list.emplace_back("the words behind --", quoted_words(options.boot.words));
    list.emplace_back("--guest-files", options.guest_files.empty() ? "not given" : "given");
    list.emplace_back("--share", options.share.empty() ? "not given" : "given");
    list.emplace_back("--virtio-console", options.virtio_console.empty() ? "not given" : "given");
    list.emplace_back("--truth", options.truth.empty() && !options.exec ? "not given" : "given");
    list.emplace_back("--vcd", options.vcd.empty() ? "not given" : window_of(options));
    list.emplace_back("--trace", options.trace.empty() ? "not given"
                                                       : text_of(options.trace_setup) +
                                                             text_of_trace_filters(options));
    list.emplace_back("--crossings", options.crossings.empty() ? "not given" : "given");
    // exec begins behind the checkpoint.
    list.emplace_back("--osd-trace", options.osd_trace.empty() || options.exec ? "not given"
                                     : options.osd_threads == ThreadTracking::On
                                         ? "given with threads"
                                         : "given");
    for (const Setting& setting : settings()) {
        if (std::ranges::find(kOfHost, setting.key) == kOfHost.end()) {
            list.emplace_back(setting.key, print_value(setting, config));
        }
    }
    const ProfileFile* const profile = config.profile_file.get();
    add_file("the file of the PMU profile", profile == nullptr ? "" : profile->path().string());
    return list;
}

/// What begins with the run and cannot begin in its middle.
void check_options(const Options& options, const std::string& excluded) {
    if (!options.counter_stimulus.empty()) {
        throw UserError("--counter-stimulus excludes " + excluded);
    }
}

/// Behind the platform.
void host_state(Archive& archive, const CheckpointHost& host, Cycle cycle) {
    archive.section("samples", [&host](Archive& part) { part(host.samples); });
    if (host.wave != nullptr) {
        archive.section("wave", [&](Archive& part) { host.wave->state(part, cycle); });
    }
    for (CrossingLog* const log : host.crossings) {
        archive.section("crossings", [log](Archive& part) { part(*log); });
    }
    archive.section("guest_files", [&host](Archive& part) { part(host.files); });
}

/// The address that the checkpoint is at, if it is one.
std::optional<Address> address_of(const CheckpointPlace& where, const BootImage& boot) {
    if (where.cycle || where.on_request) {
        return std::nullopt;
    }
    if (const auto number = parse_number(where.place, Format::Count)) {
        return *number;
    }
    const std::optional<SymbolPlace> symbol = boot.symbol(where.place);
    if (!symbol) {
        throw UserError("--checkpoint-at: there is no symbol '" + where.place +
                        "', expected one of the program, a number of cycles, pc=ADDRESS or "
                        "guest-request");
    }
    return symbol->address;
}

} // namespace

RunCheckpoint::RunCheckpoint(const Options& options, const PlatformConfig& config,
                             const BootImage& boot)
    : options_(options), config_(config) {
    if (!options.checkpoint && options.restore.empty()) {
        return;
    }
    const bool both = options.checkpoint && !options.restore.empty();
    check_options(options, both                 ? "--checkpoint-at and --restore"
                           : options.checkpoint ? "--checkpoint-at"
                                                : "--restore");
    settings_ = settings_of(options, config);
    if (!options.restore.empty()) {
        const std::string title = "--restore " + options.restore;
        restored_.emplace(read_checkpoint(options.restore), title);
    }
    if (options.checkpoint) {
        pc_ = address_of(*options.checkpoint, boot);
        file_.emplace(options.checkpoint->file);
    }
}

/// The first state is thrown away: a platform that cannot be saved says so before the run.
void RunCheckpoint::prepare(Soc& soc, const CheckpointHost& host) {
    if (restored_) {
        restore(soc, host);
    }
    if (!options_.checkpoint) {
        return;
    }
    try {
        Archive trial;
        soc.state(trial);
    } catch (const ArchiveError& error) {
        throw UserError(std::string("--checkpoint-at: ") + error.what());
    }
    const auto then = [this, &soc, host] { write(soc, host); };
    if (options_.checkpoint->cycle) {
        soc.at_rest(*options_.checkpoint->cycle, then);
    } else if (options_.checkpoint->on_request) {
        soc.at_rest_on_request(then);
    } else {
        soc.at_rest_before(*pc_, then);
    }
}

void RunCheckpoint::restore(Soc& soc, const CheckpointHost& host) {
    const std::string title = "--restore " + options_.restore;
    try {
        Archive archive(*restored_);
        CheckpointSettings saved;
        archive.section("settings", [&saved](Archive& part) { part(saved); });
        require_same_settings(saved, settings_, title);
        Cycle cycle = 0;
        archive.section("time", [&cycle](Archive& part) { part(cycle); });
        const Cycle next =
            options_.checkpoint ? options_.checkpoint->cycle.value_or(kNever) : kNever;
        if (std::min(next, options_.max_cycles) <= cycle) {
            throw UserError(std::string(next <= cycle ? "--checkpoint-at " : "--max-cycles ") +
                            std::to_string(std::min(next, options_.max_cycles)) +
                            ": the checkpoint that is restored is of cycle " +
                            std::to_string(cycle) + ", expected a later one");
        }
        archive.section("platform", [&](Archive& part) { soc.restore(part, cycle); });
        host_state(archive, host, cycle);
        if (!archive.at_end()) {
            archive.refuse("it is longer than expected");
        }
    } catch (const ArchiveError& error) {
        throw UserError(title + ": " + error.what() +
                        (options_.exec
                             ? ", expected a Linux of this version: pes-vp exec --prepare "
                               "makes it anew"
                             : ""));
    }
    restored_.reset();
}

void RunCheckpoint::write(Soc& soc, const CheckpointHost& host) {
    if (options_.disk_write) {
        settings_ = settings_of(options_, config_); // the image is what the guest has made of it
    }
    try {
        Archive archive;
        Cycle cycle = soc.kernel_cycle();
        archive.section("settings", [this](Archive& part) { part(settings_); });
        archive.section("time", [&cycle](Archive& part) { part(cycle); });
        archive.section("platform", [&soc](Archive& part) { soc.state(part); });
        host_state(archive, host, cycle);
        file_->write(std::span<const std::byte>(pack_checkpoint(archive.bytes())));
        file_->commit();
    } catch (const ArchiveError& error) {
        throw UserError(title_ + ": " + error.what());
    }
    file_.reset();
    if (host.console != nullptr) {
        std::fprintf(stderr, "pes-vp: %s: the guest has taken %llu bytes of its console's input\n",
                     title_.c_str(), static_cast<unsigned long long>(host.console->taken()));
    }
    written_in_ = soc.kernel_cycle();
}

std::string RunCheckpoint::save_next(Soc& soc, const CheckpointHost& host, unsigned hart,
                                     const std::string& path,
                                     const std::function<void(const std::string&)>& tell) {
    if (soc.rest_is_planned()) {
        throw UserError("another checkpoint is due first");
    }
    if (options_.profiling || options_.recording) { // the samplers have a state of their own
        throw UserError("a run that the host samples cannot be saved");
    }
    check_options(options_, "checkpoints");
    settings_ = settings_of(options_, config_);
    title_ = "checkpoint " + path;
    file_.emplace(path);
    soc.at_rest_here(hart, [this, &soc, host, tell] {
        try {
            write(soc, host);
            tell(title_ + ": saved in cycle " + std::to_string(soc.kernel_cycle()));
        } catch (const UserError& error) {
            file_.reset();
            tell(error.what());
        }
    });
    return title_ + ": will be saved before the next instruction, when the run goes on";
}

void RunCheckpoint::report_missing(Cycle end) const {
    if (file_) {
        std::fprintf(stderr, "pes-vp: %s: no checkpoint, because the run has ended in cycle %llu\n",
                     title_.c_str(), static_cast<unsigned long long>(end));
    }
}

} // namespace pes

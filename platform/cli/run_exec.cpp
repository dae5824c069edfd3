// SPDX-License-Identifier: Apache-2.0
#include "platform/cli/run_exec.h"

#include "hw/interface/maps/linux_agent.h"
#include "platform/exec/control_folder.h"
#include "platform/exec/foreign_root.h"
#include "platform/exec/kernel_program.h"
#include "platform/exec/perf_data.h"
#include "platform/exec/perf_symbols.h"
#include "platform/host/numbers.h"
#include "platform/host/user_error.h"
#include "platform/share/share_server.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iomanip>
#include <memory>
#include <spdlog/fmt/fmt.h>
#include <sstream>
#include <unistd.h>
#include <utility>

namespace pes {

namespace fs = std::filesystem;

namespace {

namespace names = linux_agent;

constexpr const char* kPerfData = "/tmp/perf.data"; ///< in the guest
constexpr const char* kSymbolEnding = ".symbols";
constexpr Cycle kBootCycles = 20'000'000'000; ///< a system that is not up by then has failed

// Of a shell, for what is no program's own exit code.
constexpr int kSignalBase = 128, kNotFound = 127, kNotExecutable = 126;

std::string record(const char* key, const std::string& value) {
    return std::string(key) + "=" + value + '\0';
}

/// The program, or perf with it. Words of perf may be in double quotes.
std::vector<std::string> words_of(const ExecOptions& options) {
    std::vector<std::string> words;
    std::istringstream text(options.perf);
    for (std::string word; text >> std::quoted(word);) {
        if (words.empty()) {
            words.emplace_back("perf");
        }
        words.push_back(word);
        if (words.size() == 2 && !options.perf_data.empty()) {
            words.insert(words.end(), {"-o", kPerfData});
        }
    }
    if (!words.empty()) {
        words.emplace_back("--");
    }
    words.insert(words.end(), options.command.begin(), options.command.end());
    return words;
}

/// What the agent reads.
std::string command_text(const ExecOptions& options, bool maps) {
    namespace key = names::command;
    if (options.prepare) {
        return record(key::kSymbols, "1");
    }
    std::string text = record(key::kShare, "host") + record(key::kDirectory, options.directory);
    if (!options.root.empty()) {
        text += record(key::kRoot, "root");
    }
    if (maps) {
        text += record(key::kMaps, "1");
    }
    for (const std::string& variable : options.environment) {
        text += record(key::kEnv, variable);
    }
    for (const std::string& word : words_of(options)) {
        text += record(key::kArg, word);
    }
    if (!options.perf_data.empty()) {
        text += record(key::kResult, kPerfData);
    }
    return text;
}

std::string_view text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

} // namespace

Options exec_options(const ExecOptions& exec, Options options) {
    const PreparedLinux prepared(exec.cache);
    options.boot.firmware = prepared.firmware();
    options.boot.kernel = prepared.kernel();
    options.boot.initrd = prepared.initrd();
    options.boot.append = "earlycon console=ttyS0 cryptomgr.notests";
    options.console = prepared.console();
    std::vector<std::string> settings{"clock_hz=1000000000", "dram.size=512MiB"};
    if (exec.prepare) {
        prepared.keep_settings(options.assignments);
        options.max_cycles = kBootCycles;
        options.checkpoint =
            CheckpointPlace{.place = {}, .on_request = true, .file = prepared.checkpoint()};
    } else {
        prepared.require();
        options.restore = prepared.checkpoint();
        const std::vector<std::string> kept = prepared.settings();
        settings.insert(settings.end(), kept.begin(), kept.end());
        options.console = "/dev/null";
    }
    options.assignments.insert(options.assignments.begin(), settings.begin(), settings.end());
    options.share = exec.directory;
    options.share_write = exec.write;
    options.exec = exec;
    return options;
}

RunExec::RunExec(const ExecOptions& options, const ProfileOptions* profiling)
    : options_(options), prepared_(options.cache),
      command_(command_text(options, profiling != nullptr || !options.maps.empty() ||
                                         !options.threads.empty() || !options.perf.empty())),
      images_([this](Address address) { return soc_->memory().load64(address); }) {
    if (const auto reason = options_.root.empty() ? std::nullopt : why_incomplete(options_.root)) {
        std::fprintf(stderr, "pes-vp exec: --root: %s\n", reason->c_str());
    }
    std::signal(SIGPIPE, SIG_IGN); // a pipe that nobody reads is an error of the program's write
    if (!options.maps.empty()) {
        maps_file_.emplace(options.maps);
    }
    if (!options.threads.empty()) {
        threads_file_.emplace(options.threads);
    }
    if (!options.perf_data.empty()) {
        check_symbol_folder(options.perf_data + kSymbolEnding);
        perf_file_.emplace(options.perf_data);
    }
    using Bytes = std::span<const std::byte>;
    const auto output = [](int descriptor) {
        return [descriptor](Bytes from) { return write_output(descriptor, from); };
    };
    const auto whole = [](auto take) {
        return [take](Bytes from) {
            take(from);
            return from.size();
        };
    };
    control_ = std::make_unique<ShareServer>(make_control_folder({
        {.name = names::kCheckpoint, .write = whole([this](Bytes) { soc_->rest_requested(); })},
        {.name = names::kCommand,
         .read = [this](std::span<std::byte> to) { return read_command(to); }},
        {.name = names::kStdin, .read = [](std::span<std::byte> to) { return read_input(to); }},
        {.name = names::kStdout, .write = output(STDOUT_FILENO)},
        {.name = names::kStderr, .write = output(STDERR_FILENO)},
        {.name = names::kMaps, .write = whole([this](Bytes from) { take_maps(from); })},
        {.name = names::kSymbols,
         .write = whole([this](Bytes from) { symbols_ += text_of(from); })},
        {.name = names::kResult, .write = whole([this](Bytes from) {
                                     perf_data_.insert(perf_data_.end(), from.begin(), from.end());
                                 })},
        {.name = names::kEnd, .write = whole([this](Bytes from) { take_ending(from); })},
    }));
}

/// The agent, which is the only process, is in the middle of its request for the checkpoint on one
/// of the harts.
void RunExec::begin(Soc& soc) {
    soc_ = &soc;
    const auto read = [&soc](Address address) { return soc.memory().load64(address); };
    for (unsigned index = 0; index < soc.hart_count(); ++index) {
        const std::uint64_t satp = soc.hart(index).state().csr.satp();
        if (has_user_pages(satp, read)) {
            agent_satp_ = satp;
        }
        if (!options_.prepare) {
            soc.hart(index).forget_truth();
        }
        if (threads_file_) {
            threads_.push_back(std::make_unique<ThreadWatch>(soc.hart(index)));
        }
    }
}

std::size_t RunExec::read_command(std::span<std::byte> to) {
    const std::size_t size = std::min(to.size(), command_.size());
    std::memcpy(to.data(), command_.data(), size);
    command_.erase(0, size);
    return size;
}

/// Waits for as many bytes as the guest asks for, so that the cycle in which it gets them depends
/// on the bytes alone. From a terminal it gets a line at a time.
std::size_t RunExec::read_input(std::span<std::byte> to) {
    std::size_t done = 0;
    while (done < to.size()) {
        const ssize_t more = ::read(STDIN_FILENO, to.data() + done, to.size() - done);
        if (more < 0 && done == 0) {
            throw ShareError(errno);
        }
        if (more <= 0) {
            break;
        }
        done += static_cast<std::size_t>(more);
        if (::isatty(STDIN_FILENO) != 0) {
            break;
        }
    }
    return done;
}

/// Like the host's own write: an error behind some bytes is that of the next call.
std::size_t RunExec::write_output(int descriptor, std::span<const std::byte> from) {
    std::size_t done = 0;
    while (done < from.size()) {
        const ssize_t more = ::write(descriptor, from.data() + done, from.size() - done);
        if (more <= 0 && done == 0) {
            throw ShareError(more == 0 ? EIO : errno);
        }
        if (more <= 0) {
            break;
        }
        done += static_cast<std::size_t>(more);
    }
    return done;
}

void RunExec::take_ending(std::span<const std::byte> line) {
    const std::string text(text_of(line));
    const std::size_t blank = text.find(' ');
    if (ended() || blank == std::string::npos) {
        return; // the first counts: a program that could not be started ends as well
    }
    ending_ = text.substr(0, blank);
    number_ = static_cast<int>(std::strtol(text.c_str() + blank, nullptr, 10));
    if (options_.prepare && ending_ == names::ending::kCode) {
        keep_kernel_program();
    }
    soc_->guest_exit(static_cast<std::uint64_t>(exit_code()));
}

/// The agent's kernel is in memory.
void RunExec::keep_kernel_program() const {
    const std::vector<std::byte> program =
        kernel_program(symbols_, [this](Address address, std::span<std::byte> bytes) {
            return soc_->hart(0).look_at(address, bytes);
        });
    if (program.empty()) {
        std::fputs("pes-vp exec: the kernel tells no addresses of its symbols\n", stderr);
        return;
    }
    OutputFile symbols(prepared_.kallsyms());
    symbols.write(symbols_);
    symbols.commit();
    OutputFile file(prepared_.kernel_program()); // the last one: the preparation is whole
    file.write(program);
    file.commit();
}

/// Of the guest's files the host has those in the shared folder, and those of the root.
std::string RunExec::file_of(const std::string& seen) const {
    const bool moved = !options_.root.empty() && seen.starts_with(names::kNewRoot);
    const std::string name = moved ? seen.substr(std::strlen(names::kNewRoot)) : seen;
    const std::string inside = options_.directory + "/";
    const std::string root = options_.root.empty() ? prepared_.root() : options_.root;
    const std::string file = name.starts_with(inside) ? name : root + name;
    std::error_code ignored;
    return fs::is_regular_file(file, ignored) ? file : "";
}

void RunExec::learn_programs(const std::vector<std::string>& firmware) {
    std::vector<std::string> files{prepared_.kernel_program()};
    files.insert(files.end(), firmware.begin(), firmware.end());
    for (const std::string& file : files) {
        others_.push_back({.path = file, .base = 0, .context = std::nullopt});
    }
    programs_.emplace(
        images_.list(), [this](const std::string& name) { return file_of(name); }, others_);
    for (unsigned index = 0; index < soc_->hart_count(); ++index) {
        programs_->learn(*soc_->hart(index).truth());
    }
}

Part RunExec::part(const TruthTable::Context& context) const {
    const Part part = part_of(context, agent_satp_);
    const bool of_perf = !options_.perf.empty() && part == Part::Program && programs_ &&
                         programs_->is_of_first(context.satp);
    return of_perf ? Part::Perf : part;
}

TruthContexts RunExec::truth_contexts() const {
    return [this](const TruthTable::Context& context) {
        return options_.exact.contains(part(context));
    };
}

ProfileScope RunExec::scope() const {
    for (const std::string& name : programs_->missing()) {
        if (!name.starts_with('[')) { // [vdso] is the kernel's
            std::fprintf(stderr,
                         "pes-vp exec: profile: there is no program '%s' on the host: its code has "
                         "no names\n",
                         name.c_str());
        }
    }
    ProfileScope scope{.title = fs::path(options_.command.front()).filename(),
                       .programs = programs_->files(),
                       .place = {}};
    scope.programs.insert(scope.programs.end(), others_.begin(), others_.end());
    scope.place = [this](const TruthTable::Key& key) -> std::optional<Address> {
        if (!options_.profiled.contains(part(key.context))) {
            return std::nullopt;
        }
        return key.context.privilege == Privilege::User ? programs_->place(key) : key.pc;
    };
    return scope;
}

/// The process stands still until the agent goes on.
void RunExec::take_maps(std::span<const std::byte> from) {
    if (!images_.add(text_of(from))) {
        return;
    }
    std::vector<std::uint64_t> spaces;
    for (unsigned index = 0; index < soc_->hart_count(); ++index) {
        const TruthTable& truth = *soc_->hart(index).truth();
        for (std::size_t number = 0; number < truth.contexts(); ++number) {
            const TruthTable::Context& context = truth.context(number);
            if (part_of(context, agent_satp_) == Part::Program) {
                spaces.push_back(context.satp);
            }
        }
    }
    images_.look_at(spaces);
}

/// A line `process PID` before the mappings of each.
void RunExec::write_maps() {
    if (!maps_file_) {
        return;
    }
    for (const ProcessImage& image : images_.list()) {
        maps_file_->write(fmt::format("process {}\n{}", image.process, image.maps));
    }
    maps_file_->commit();
}

void RunExec::write_perf_data() {
    if (!perf_file_) {
        return;
    }
    if (perf_data_.empty()) {
        std::fprintf(stderr, "pes-vp exec: perf has recorded nothing: no '%s'\n",
                     options_.perf_data.c_str());
        return;
    }
    shorten_attributes(perf_data_);
    perf_file_->write(perf_data_);
    perf_file_->commit();
    make_symbol_folder(options_.perf_data + kSymbolEnding, options_.directory,
                       options_.root.empty() ? prepared_.root() : options_.root,
                       prepared_.kallsyms());
}

/// Those of the program, and of perf, in the order in which they began.
void RunExec::write_threads() {
    if (!threads_file_) {
        return;
    }
    ThreadTimes all;
    for (const std::unique_ptr<ThreadWatch>& watch : threads_) {
        watch->finish();
        for (const auto& [key, time] : watch->times()) {
            all[key].add(time);
        }
    }
    std::vector<std::pair<ThreadKey, ThreadTime>> rows(all.begin(), all.end());
    std::erase_if(rows, [this](const auto& row) {
        return part_of({.privilege = Privilege::User, .satp = row.first.satp}, agent_satp_) !=
               Part::Program;
    });
    std::ranges::stable_sort(rows, {}, [](const auto& row) { return row.second.first; });
    threads_file_->write("process,satp,tp,first_cycle,last_cycle,stretches,cycles,instructions\n");
    for (const auto& [key, time] : rows) {
        const auto image = std::ranges::find_if(images_.list(), [&key](const ProcessImage& one) {
            return one.spaces.contains(key.satp);
        });
        const std::string process =
            image == images_.list().end() ? "" : std::to_string(image->process);
        threads_file_->write(fmt::format("{},{:#x},{:#x},{},{},{},{},{}\n", process, key.satp,
                                         key.pointer, time.first, time.last, time.stretches,
                                         time.cycles, time.instructions));
    }
    threads_file_->commit();
}

void RunExec::write_files() {
    write_maps();
    write_threads();
    write_perf_data();
}

int RunExec::exit_code() const {
    namespace ending = names::ending;
    if (ending_ == ending::kCode) {
        return number_;
    }
    if (ending_ == ending::kSignal) {
        return kSignalBase + number_;
    }
    if (ending_ == ending::kExec) {
        return number_ == ENOENT ? kNotFound : kNotExecutable;
    }
    return ending_ == ending::kModule ? kUserErrorExit : kNotExecutable;
}

std::string RunExec::summary(const PlatformConfig& config, const std::string& end,
                             bool quiet) const {
    namespace ending = names::ending;
    const std::string program = options_.prepare ? "--prepare" : options_.command.front();
    if (ending_ == ending::kExec) {
        return fmt::format("pes-vp exec: '{}': {}\n", program, std::strerror(number_));
    }
    if (ending_ == ending::kModule) {
        std::string joined;
        for (const std::string& module : options_.modules) {
            joined += (joined.empty() ? "" : "', '") + module;
        }
        return fmt::format("pes-vp exec: --module: the kernel does not load {}'{}' ({}), expected "
                           "a module that it takes: {} has what it says\n",
                           options_.modules.size() > 1 ? "one of " : "", in_one_line(joined),
                           std::strerror(number_), prepared_.console());
    }
    if (ending_ == ending::kMount || ending_ == ending::kAgent) {
        return fmt::format("pes-vp exec: the agent in the guest has failed ({}): {}\n", ending_,
                           std::strerror(number_));
    }
    if (quiet) {
        return {};
    }
    if (options_.prepare) {
        return fmt::format("pes-vp exec: the booted system is in {}\n",
                           prepared_.folder().string());
    }
    const std::string how =
        !ended()
            ? end
            : fmt::format("{} {}", ending_ == ending::kSignal ? "ended by signal" : "exit code",
                          number_);
    return fmt::format("\n '{}': {}\n\n{}\n", program, how, counts_by_part(config));
}

/// A column for each part, a row for each event of the profile.
std::string RunExec::counts_by_part(const PlatformConfig& config) const {
    CountsByPart counts{};
    for (unsigned index = 0; index < soc_->hart_count(); ++index) {
        add_counts(counts, *soc_->hart(index).truth(),
                   [this](const TruthTable::Context& context) { return part(context); });
    }
    const auto row = [this](const std::string& name, auto text_of_part) {
        std::string text = fmt::format(" {:<18}", name);
        for (std::size_t index = 0; index < kPartNames.size(); ++index) {
            if (index != static_cast<std::size_t>(Part::Perf) || !options_.perf.empty()) {
                text += fmt::format(" {:>15}", text_of_part(index));
            }
        }
        return text + "\n";
    };
    const auto numbers = [&](const std::string& name, auto value_of) {
        return row(name, [&](std::size_t index) { return grouped(value_of(counts[index])); });
    };
    std::string text = row("", [](std::size_t index) { return kPartNames[index]; });
    text += numbers("cycles", [](const PartCounts& part) { return part.half_cycles / 2; });
    text += numbers("instructions", [](const PartCounts& part) { return part.retired; });
    for (const EventRow& event : *config.counters.profile) {
        const auto source = static_cast<std::size_t>(event.source);
        if (event.source != Event::None && source < kEventCount) {
            text += numbers(event.name,
                            [source](const PartCounts& part) { return part.events[source]; });
        }
    }
    return text;
}

} // namespace pes

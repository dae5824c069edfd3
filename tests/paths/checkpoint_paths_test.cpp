// SPDX-License-Identifier: Apache-2.0
// A run from a checkpoint is the run without it, byte for byte: programs of every kind are saved in
// pseudo-random cycles, on one path, and go on on the same or the other one.
#include "tests/paths/outputs.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <ostream>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace pes::paths {
namespace {

using Options = std::vector<std::string>;

constexpr const char* kFirmwareMemory = "_start:4194304";
constexpr const char* kDirectedMemory = "start:1048576";

struct Case {
    std::string name;
    Invocation run;
    bool watched = false; ///< instruction by instruction, so that there is no fast path
};

void PrintTo(const Case& test, std::ostream* out) {
    *out << test.name;
}

constexpr unsigned kRounds = 4; // cycles in which each program is saved

/// The path that saves and the one that goes on.
constexpr std::pair<const char*, const char*> kWays[] = {
    {"step", "step"}, {"fast", "fast"}, {"step", "fast"}, {"fast", "step"}};

Options set(std::initializer_list<const char*> assignments) {
    Options options;
    for (const char* assignment : assignments) {
        options.insert(options.end(), {"--set", assignment});
    }
    return options;
}

void add(std::vector<Case>& cases, const char* folder, const char* memory,
         std::initializer_list<const char*> programs, const char* suffix = "",
         const Options& options = {}) {
    for (const char* program : programs) {
        cases.push_back(
            {.name = std::string(program) + suffix,
             .run = {.program = std::filesystem::path(folder) / (std::string(program) + ".elf"),
                     .options = options,
                     .files = {},
                     .memory = memory}});
    }
}

/// Trace by encoders, to every kind of sink and to files of the host, and by software modules.
void add_traces(std::vector<Case>& all) {
    const std::size_t first = all.size();
    const auto to_file = [&all](std::size_t from, const char* option, const Options& more = {}) {
        for (std::size_t index = from; index < all.size(); ++index) {
            Invocation& run = all[index].run;
            run.files.emplace_back(option);
            run.options.insert(run.options.end(), more.begin(), more.end());
        }
        return all.size();
    };
    add(all, PES_FIRMWARE, kFirmwareMemory,
        {"trace_manual_raw_sram", "trace_manual_delta_sba", "trace_manual_circular",
         "trace_manual_full_0", "trace_timer_handler_raw_sba", "trace_triggered",
         "trace_stopping_1"});
    add(all, PES_FIRMWARE, kFirmwareMemory, {"trace_harts_raw_sba"}, "", set({"harts=2"}));
    add(all, PES_FIRMWARE, kFirmwareMemory, {"trace_four_harts_delta_sram"}, "",
        set({"harts=4", "trace.funnel.count=2"}));
    add(all, PES_FIRMWARE, kFirmwareMemory,
        {"trace_standard_sinks", "trace_manual_raw_sram", "trace_manual_delta_sba"}, "_standard",
        set({"trace.registers=standard"}));
    add(all, PES_FIRMWARE, kFirmwareMemory, {"trace_standard_funnel"}, "",
        set({"trace.registers=standard", "harts=2"}));
    add(all, PES_FIRMWARE, kFirmwareMemory, {"trace_four_harts_delta_sram"}, "_standard",
        set({"trace.registers=standard", "harts=4", "trace.funnel.count=2"}));
    add(all, PES_FIRMWARE, kFirmwareMemory, {"trace_standard_filters"}, "",
        set({"trace.registers=standard"}));
    std::size_t from = all.size();
    add(all, PES_FIRMWARE, kFirmwareMemory, {"pes_test"}, "_standard_to_file",
        set({"trace.registers=standard", "trace.fifo_bytes=128"}));
    add(all, PES_FIRMWARE, kFirmwareMemory, {"pes_test"}, "_handlers_as_packets",
        set({"trace.registers=standard", "trace.protocol=e-trace"}));
    const auto filtered = [&all](std::size_t index, const Options& more) {
        Options& options = all[index].run.options;
        options.insert(options.end(), more.begin(), more.end());
    };
    filtered(from, {"--trace-mode", "u,s"});
    filtered(from + 1, {"--trace-traps", "exceptions"});
    add(all, PES_FIRMWARE, kFirmwareMemory, {"trace_stimuli_1", "pes_test"}, "_to_file");
    from = to_file(from, "--trace");
    add(all, PES_FIRMWARE, kFirmwareMemory, {"hello", "sbi_test"}, "_events_to_slow_probe",
        set({"trace.fifo_bytes=128", "trace.probe_divider=20"}));
    from = to_file(from, "--trace", {"--trace-program", "events", "--trace-counters"});
    add(all, PES_FIRMWARE, kFirmwareMemory, {"user_fault", "sampling_loop_integer"},
        "_branches_are_lost", set({"trace.fifo_bytes=128", "trace.probe_divider=20"}));
    from = to_file(from, "--trace", {"--trace-program", "btm", "--trace-stall", "off"});
    add(all, PES_FIRMWARE, kFirmwareMemory, {"harts_memory_2", "harts_counters_2"}, "_to_file",
        set({"harts=2"}));
    from = to_file(from, "--trace");
    add(all, PES_FIRMWARE, kFirmwareMemory, {"trace_software"}, "");
    from = to_file(from, "--osd-trace", {"--osd-threads", "on"});
    add(all, PES_FIRMWARE, kFirmwareMemory, {"trace_harts_software"}, "",
        set({"harts=2", "trace.software.word_cycles=7"}));
    to_file(from, "--osd-trace");
    for (std::size_t index = first; index < all.size(); ++index) {
        all[index].watched = true;
    }
}

/// Of the RTL counters of this build; empty if it has none.
Options rtl_shape() {
    std::istringstream shape(PES_RTL_SETTINGS);
    Options options;
    for (std::string setting; std::getline(shape, setting, ',');) {
        options.insert(options.end(), {"--set", setting});
    }
    return options;
}

/// Counters in RTL and in lockstep, if this build has them.
void add_rtl(std::vector<Case>& all) {
    const Options options = rtl_shape();
    if (options.empty()) {
        return;
    }
    const std::size_t first = all.size();
    for (const char* const kind : {"rtl", "lockstep"}) {
        const std::string suffix = std::string("_") + kind;
        Options counters = options;
        counters.insert(counters.end(), {"--counters", kind});
        add(all, PES_FIRMWARE, kFirmwareMemory, {"pes_test", "sampling_loop_store"}, suffix.c_str(),
            counters);
        counters.insert(counters.end(), {"--set", "harts=2"});
        add(all, PES_FIRMWARE, kFirmwareMemory, {"harts_counters_2"}, suffix.c_str(), counters);
    }
    for (std::size_t index = first; index < all.size(); ++index) {
        all[index].watched = true;
    }
}

/// The registers of Sspesa in RTL, which foreign counters do not have.
void add_rtl_causes(std::vector<Case>& all) {
    if (std::string_view(PES_RTL_SETTINGS).find("sscofpmf=false") != std::string_view::npos ||
        std::string_view(PES_RTL_SETTINGS).empty()) {
        return;
    }
    add(all, PES_FIRMWARE, kFirmwareMemory, {"sampling_loop_integer"}, "_skidless_lockstep",
        {"--counters", "lockstep", "--set", "extensions.sspesa=true", "--set",
         "extensions.ssplcofi=true"});
    all.back().watched = true;
}

std::vector<Case> cases() {
    std::vector<Case> all;
    // Sampling, supervisor and user mode with Sv39, interrupts, floating point.
    add(all, PES_FIRMWARE, kFirmwareMemory,
        {"hello", "exit_finisher_7", "pes_test", "sbi_test", "user_fault", "sampling_loop_float",
         "sampling_loop_store", "early_fault"});
    add(all, PES_FIRMWARE, kFirmwareMemory, {"pes_test", "sampling_loop_integer"}, "_small_core",
        set({"timing.scoreboard_entries=2", "timing.speculative_stores=1",
             "timing.committed_stores=1", "timing.write_buffer_words=1",
             "timing.writes_in_flight=1", "timing.queue_entries=2", "timing.bht_rows=2",
             "timing.btb_rows=1", "hart.itlb_entries=2", "hart.dtlb_entries=2"}));
    add(all, PES_FIRMWARE, kFirmwareMemory, {"sbi_test"}, "_many_counters",
        set({"counters.programmable=29", "counters.width=40", "counters.write_freezes=false",
             "clint.cycles_per_tick=1"}));
    add(all, PES_FIRMWARE, kFirmwareMemory, {"pcer_counters"}, "",
        set({"counters.profile=cv32e40p"}));
    const std::size_t without_truth = all.size();
    add(all, PES_FIRMWARE, kFirmwareMemory,
        {"hello", "pes_test", "sbi_test", "user_fault", "sampling_loop_float"}, "_truth");
    add(all, PES_DIRECTED, kDirectedMemory, {"interrupts", "self_modifying", "translation"},
        "_truth");
    add(all, PES_FIRMWARE, kFirmwareMemory, {"harts_memory_2"}, "_truth", set({"harts=2"}));
    for (std::size_t index = without_truth; index < all.size(); ++index) {
        all[index].run.files = {"--truth"};
    }
    // Crossings whose interrupts and causes are still to come.
    const std::size_t without_crossings = all.size();
    add(all, PES_FIRMWARE, kFirmwareMemory,
        {"pes_test", "sampling_loop_store", "sampling_loop_integer", "sampled_work_all_modes"},
        "_crossings");
    add(all, PES_FIRMWARE, kFirmwareMemory, {"harts_counters_2"}, "_crossings", set({"harts=2"}));
    for (std::size_t index = without_crossings; index < all.size(); ++index) {
        all[index].run.files = {"--crossings"};
    }
    // Traps, WFI, AMO and LR/SC, page tables, code that changes itself.
    add(all, PES_DIRECTED, kDirectedMemory,
        {"counters", "delegation", "exceptions", "interrupts", "misaligned_traps", "protection",
         "reservation", "self_modifying", "status", "translation", "vectors"});
    add(all, PES_DIRECTED, kDirectedMemory, {"translation", "self_modifying"}, "_slow_memory",
        set({"timing.memory_latency=50", "quantum=7"}));
    add(all, PES_DIRECTED, kDirectedMemory, {"supervisor_timer"}, "",
        set({"extensions.sstc=true"}));
    add(all, PES_DIRECTED, kDirectedMemory, {"hardware_marks"}, "", set({"extensions.svadu=true"}));
    add(all, PES_DIRECTED, kDirectedMemory, {"transfer_records"}, "",
        set({"extensions.smcsrind=true", "extensions.smctr=true"}));
    // Precise sampling: causes, interrupts without skid, decoded instructions and their counts.
    add(all, PES_FIRMWARE, kFirmwareMemory, {"sampling_methods", "sampling_loop_store"}, "_causes",
        set({"extensions.sspesa=true", "extensions.smcsrind=true", "extensions.smctr=true"}));
    add(all, PES_FIRMWARE, kFirmwareMemory, {"sampling_loop_integer", "sbi_test"}, "_skidless",
        set({"extensions.sspesa=true", "extensions.ssplcofi=true"}));
    add(all, PES_DIRECTED, kDirectedMemory, {"interrupts_and_faults"}, "_skidless",
        set({"extensions.sspesa=true", "extensions.ssplcofi=true"}));
    add(all, PES_FIRMWARE, kFirmwareMemory, {"harts_counters_2"}, "_skidless",
        set({"harts=2", "extensions.sspesa=true", "extensions.ssplcofi=true"}));
    add(all, PES_DIRECTED, kDirectedMemory, {"decoded_sampling"}, "",
        set({"extensions.smcsrind=true", "extensions.smpdis=true"}));
    add(all, PES_FIRMWARE, kFirmwareMemory, {"sampling_methods"}, "_decoded",
        set({"extensions.sspesa=true", "extensions.ssplcofi=true", "extensions.smcsrind=true",
             "extensions.smctr=true", "extensions.smpdis=true", "counters.profile=cva6-pdis"}));
    // Records of decoded instructions in a buffer of the supervisor.
    Options buffer = set({"extensions.smcsrind=true", "extensions.smcdeleg=true",
                          "extensions.smpdis=true", "extensions.ssamb=true"});
    buffer.insert(buffer.end(), {"--firmware", PES_FIRMWARE "/pes_firmware.elf", "--kernel",
                                 PES_FIRMWARE "/pdis_supervisor.elf"});
    all.push_back(
        {.name = "pdis_supervisor_buffer",
         .run = {.program = {}, .options = buffer, .files = {}, .memory = kFirmwareMemory}});
    // Several harts, whose turns must end where they would.
    add(all, PES_FIRMWARE, kFirmwareMemory, {"harts_memory_2", "harts_counters_2", "harts_sbi"}, "",
        set({"harts=2"}));
    add(all, PES_FIRMWARE, kFirmwareMemory, {"harts_memory_4", "harts_counters_4"}, "_short_turn",
        set({"harts=4", "turn=100"}));
    add_traces(all);
    add_rtl(all);
    add_rtl_causes(all);
    return all;
}

std::uint64_t cycles_of(const Outputs& outputs) {
    return nlohmann::json::parse(outputs.at("stats")).at("cycles").get<std::uint64_t>();
}

/// That all harts reach: who ends the run may be two turns (of 1000 cycles) behind the others.
std::uint64_t last_common_cycle(const Outputs& outputs) {
    const bool several = nlohmann::json::parse(outputs.at("stats")).contains("harts");
    return cycles_of(outputs) - (several ? 2'000 : 0);
}

/// What two runs one behind the other leave, as one.
Outputs joined(const Outputs& first, Outputs second) {
    for (auto& [name, bytes] : second) {
        if (name == "console" || name == "samples" || name.starts_with("trace") ||
            name.starts_with("osd-trace")) {
            bytes = first.at(name) + bytes;
        } else if (name.starts_with("crossings")) { // both parts name the columns
            bytes = first.at(name) + bytes.substr(bytes.find('\n') + 1);
        }
    }
    return second;
}

const char* path_of(const Case& test, const char* path) {
    return test.watched && std::string_view(path) == "fast" ? "auto" : path;
}

class CheckpointPaths : public testing::TestWithParam<Case> {};

TEST_P(CheckpointPaths, GoOnAsWithoutCheckpoint) {
    const Case& test = GetParam();
    const std::filesystem::path work = std::filesystem::path(PES_WORK) / test.name;
    const std::filesystem::path file = work.string() + ".ckpt";
    const auto execute_with = [&](const Options& more) {
        return execute(PES_VP_PATH, test.run, more, work);
    };
    Outputs whole = execute_with({});
    whole.erase("messages"); // how often a message is repeated is counted anew
    std::seed_seq seed(test.name.begin(), test.name.end());
    std::mt19937_64 random(seed);
    const std::uint64_t end = last_common_cycle(whole);
    for (unsigned round = 0; round < kRounds; ++round) {
        const std::string cycle = std::to_string(1 + random() % (end - 1));
        for (const auto& [saves, restores] : kWays) {
            const char* const saving = path_of(test, saves);
            const char* const restoring = path_of(test, restores);
            const Outputs first = execute_with(
                {"--path", saving, "--checkpoint-at", cycle, file.string(), "--max-cycles", cycle});
            ASSERT_TRUE(std::filesystem::exists(file))
                << "cycle " << cycle << ": " << first.at("messages");
            const Outputs second = execute_with({"--path", restoring, "--restore", file.string()});
            Outputs both = joined(first, second);
            both.erase("messages");
            const auto differs = difference(whole, both);
            EXPECT_FALSE(differs) << "saved in cycle " << cycle << " with --path " << saving
                                  << ", restored with --path " << restoring << ":\n"
                                  << differs.value_or("") << second.at("messages");
            std::filesystem::remove(file);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Programs, CheckpointPaths, testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.name; });

// --- Places --------------------------------------------------------------------------------------

class CheckpointPlaces : public testing::Test {
  protected:
    /// Saves `program` at `when`, on both paths, and goes on from there.
    static void expect_same(const char* program, const std::string& when,
                            const Options& options = {}) {
        const Invocation run{.program = std::filesystem::path(PES_FIRMWARE) / program,
                             .options = options,
                             .files = {},
                             .memory = kFirmwareMemory};
        const std::filesystem::path work = std::filesystem::path(PES_WORK) / "places";
        const std::filesystem::path file = work.string() + ".ckpt";
        const Outputs whole = execute(PES_VP_PATH, run, {}, work);
        for (const auto& [saving, restoring] : kWays) {
            std::filesystem::remove(file);
            const Outputs saved = execute(
                PES_VP_PATH, run, {"--path", saving, "--checkpoint-at", when, file.string()}, work);
            EXPECT_FALSE(difference(whole, saved)) << when << difference(whole, saved).value_or("");
            ASSERT_TRUE(std::filesystem::exists(file)) << when << saved.at("messages");
            Outputs rest =
                execute(PES_VP_PATH, run, {"--path", restoring, "--restore", file.string()}, work);
            EXPECT_TRUE(whole.at("console").ends_with(rest.at("console")));
            rest["console"] = whole.at("console");
            EXPECT_FALSE(difference(whole, rest)) << when << difference(whole, rest).value_or("");
        }
    }
};

TEST_F(CheckpointPlaces, ASymbolOfTheProgram) {
    expect_same("checkpoint_request.elf", "work");
    expect_same("sbi_test.elf", "supervisor_start");
}

TEST_F(CheckpointPlaces, TheFirstInstruction) {
    expect_same("hello.elf", "_start");
}

TEST_F(CheckpointPlaces, AnAddress) {
    expect_same("checkpoint_request.elf", "pc=0x80000000");
}

TEST_F(CheckpointPlaces, ARequestOfTheGuest) {
    expect_same("checkpoint_request.elf", "guest-request");
}

TEST_F(CheckpointPlaces, ASymbolThatSeveralHartsCanReach) {
    expect_same("harts_memory_2.elf", "main", {"--set", "harts=2"});
}

// --- Log of the pipeline -------------------------------------------------------------------------

/// In a window behind the checkpoint, both formats have what they have without it.
TEST(CheckpointPipeline, IsThatOfTheWholeRun) {
    for (const auto& [program, more] :
         {std::pair{"pes_test", Options{}}, std::pair{"user_fault", Options{}},
          std::pair{"harts_memory_2", set({"harts=2"})}}) {
        const Invocation run{.program = std::filesystem::path(PES_FIRMWARE) /
                                        (std::string(program) + ".elf"),
                             .options = more,
                             .files = {},
                             .memory = kFirmwareMemory};
        const std::filesystem::path work = std::filesystem::path(PES_WORK) / "pipeline";
        const std::filesystem::path file = work.string() + ".ckpt";
        std::mt19937_64 random(run.program.string().size());
        const std::uint64_t end = cycles_of(execute(PES_VP_PATH, run, {}, work));
        for (unsigned round = 0; round < 2 * kRounds; ++round) {
            constexpr std::uint64_t kBehind = 2000;
            const std::uint64_t cycle = 1 + random() % (end * 3 / 4);
            Invocation logged = run;
            logged.files = {"--pipeline"};
            logged.options.insert(logged.options.end(),
                                  {"--pipeline-from", std::to_string(cycle + kBehind),
                                   "--pipeline-to", std::to_string(cycle + kBehind + 3000)});
            const Outputs whole = execute(PES_VP_PATH, logged, {}, work);
            execute(PES_VP_PATH, round % 2 == 0 ? run : logged,
                    {"--checkpoint-at", std::to_string(cycle), file.string()}, work);
            const Outputs rest = execute(PES_VP_PATH, logged, {"--restore", file.string()}, work);
            EXPECT_EQ(whole.at("pipeline"), rest.at("pipeline")) << program << ' ' << cycle;
            EXPECT_EQ(whole.at("stats"), rest.at("stats")) << program << ' ' << cycle;
        }
    }
}

// --- Waveforms -----------------------------------------------------------------------------------

/// A value change dump from a time on.
struct WaveTail {
    std::string declarations;
    std::map<std::string, std::string> values; ///< at that time, by identifier code
    std::string changes;                       ///< behind it
};

std::uint64_t begin_of(const std::string& dump) {
    return std::stoull(dump.substr(dump.find("\n#") + 2));
}

WaveTail tail_of(const std::string& dump, std::uint64_t from) {
    WaveTail tail;
    std::istringstream lines(dump);
    std::string line;
    while (std::getline(lines, line) && !line.starts_with("$enddefinitions")) {
        tail.declarations += line + '\n';
    }
    for (std::uint64_t now = 0; std::getline(lines, line);) {
        now = line.starts_with('#') ? std::stoull(line.substr(1)) : now;
        if (now > from) {
            tail.changes += line + '\n';
        } else if (!line.starts_with('#') && !line.starts_with('$')) {
            const std::size_t blank = line.find(' '); // "b101 CODE", but "1CODE"
            const std::size_t code = blank == std::string::npos ? 1 : blank + 1;
            tail.values[line.substr(code)] = line.substr(0, code);
        }
    }
    return tail;
}

void expect_same_wave(const Invocation& run) {
    const std::filesystem::path work = std::filesystem::path(PES_WORK) / "waves";
    const std::filesystem::path file = work.string() + ".ckpt";
    const Outputs whole = execute(PES_VP_PATH, run, {}, work);
    std::mt19937_64 random(run.program.string().size());
    for (unsigned round = 0; round < kRounds; ++round) {
        const std::string cycle = std::to_string(1 + random() % (cycles_of(whole) * 3 / 4));
        execute(PES_VP_PATH, run, {"--checkpoint-at", cycle, file.string(), "--max-cycles", cycle},
                work);
        const Outputs rest = execute(PES_VP_PATH, run, {"--restore", file.string()}, work);
        const std::uint64_t from = begin_of(rest.at("vcd"));
        const WaveTail expected = tail_of(whole.at("vcd"), from);
        const WaveTail found = tail_of(rest.at("vcd"), from);
        EXPECT_EQ(found.declarations, expected.declarations) << cycle;
        EXPECT_EQ(found.values, expected.values) << cycle;
        EXPECT_FALSE(found.values.empty()) << cycle;
        EXPECT_TRUE(found.changes == expected.changes) << run.program << " from cycle " << cycle;
        EXPECT_EQ(rest.at("stats"), whole.at("stats")) << cycle;
        std::filesystem::remove(file);
    }
}

/// All groups, a window that begins behind the checkpoint or not, and a trace with its sinks.
TEST(CheckpointWaves, GoOnAsWithoutCheckpoint) {
    const auto run = [](const char* program, const Options& options) {
        return Invocation{.program =
                              std::filesystem::path(PES_FIRMWARE) / (std::string(program) + ".elf"),
                          .options = options,
                          .files = {"--vcd"},
                          .memory = kFirmwareMemory};
    };
    expect_same_wave(run("pes_test", {}));
    expect_same_wave(run("sampling_loop_store", {}));
    expect_same_wave(run("user_fault", {"--vcd-from", "9000", "--vcd-to", "30000"}));
    expect_same_wave(run("sbi_test", {"--vcd-groups", "hpm,plic"}));
    expect_same_wave(run("pcer_counters", set({"counters.profile=cv32e40p"})));
    expect_same_wave(run("trace_manual_raw_sram", {"--vcd-to", "60000"}));
    expect_same_wave(run("harts_counters_2", set({"harts=2"})));
    Options rtl = rtl_shape();
    if (!rtl.empty()) {
        rtl.insert(rtl.end(), {"--counters", "rtl"});
        expect_same_wave(run("sampling_loop_integer", rtl));
        rtl.back() = "lockstep";
        expect_same_wave(run("sampling_loop_integer", rtl));
    }
}

// --- Files of the guest --------------------------------------------------------------------------

std::map<std::string, std::string> contents_of(const std::filesystem::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        std::ostringstream text;
        text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
        files[entry.path().filename()] = text.str();
    }
    return files;
}

/// A program that writes what each trace sink has collected.
TEST(CheckpointGuestFiles, AreContinuedWhereTheyWere) {
    const std::filesystem::path folder = std::filesystem::path(PES_WORK) / "guest_files";
    const std::filesystem::path file = folder.string() + ".ckpt";
    const Invocation run{.program = PES_FIRMWARE "/trace_sinks.elf",
                         .options = {"--guest-files", folder.string()},
                         .files = {},
                         .memory = kFirmwareMemory};
    const auto execute_with = [&](const Options& more) {
        return execute(PES_VP_PATH, run, more, folder.string() + "_outputs");
    };
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    const Outputs whole = execute_with({});
    const auto expected = contents_of(folder);
    ASSERT_FALSE(expected.empty()) << whole.at("messages");
    std::mt19937_64 random(20261126);
    for (unsigned round = 0; round < 3 * kRounds; ++round) {
        const std::string cycle = std::to_string(1 + random() % (cycles_of(whole) - 1));
        std::filesystem::remove_all(folder);
        std::filesystem::create_directories(folder);
        const Outputs first =
            execute_with({"--checkpoint-at", cycle, file.string(), "--max-cycles", cycle});
        Outputs both = joined(first, execute_with({"--restore", file.string()}));
        both["messages"] = whole.at("messages");
        EXPECT_FALSE(difference(whole, both)) << cycle << difference(whole, both).value_or("");
        EXPECT_EQ(contents_of(folder), expected) << cycle;
    }
}

} // namespace
} // namespace pes::paths

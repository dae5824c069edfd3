// SPDX-License-Identifier: Apache-2.0
// Demonstration, scenario, directed and benchmark programs on both paths, with the options people
// use: every output of the fast path is, byte for byte, that of the stepping path.
#include "tests/differential/process.h"
#include "tests/paths/outputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <ostream>
#include <set>
#include <sstream>
#include <string_view>

namespace pes::paths {
namespace {

using Options = std::vector<std::string>;

/// What is switched on, beside the outputs that are always compared.
struct Mode {
    std::string_view name;
    Options options;
    Options files;
    std::vector<Options> variants; ///< each against --path step
};

/// `--set` for each assignment.
Options set(std::initializer_list<const char*> assignments) {
    Options options;
    for (const char* assignment : assignments) {
        options.insert(options.end(), {"--set", assignment});
    }
    return options;
}

Options fast(std::initializer_list<const char*> assignments = {}) {
    Options options = set(assignments);
    options.insert(options.end(), {"--path", "fast"});
    return options;
}

const Options kAuto{"--path", "auto"};
const Options kSmallCore =
    set({"timing.scoreboard_entries=2", "timing.speculative_stores=1", "timing.committed_stores=1",
         "timing.write_buffer_words=1", "timing.writes_in_flight=1", "timing.queue_entries=2",
         "timing.bht_rows=2", "timing.btb_rows=1", "hart.itlb_entries=2", "hart.dtlb_entries=2"});

Options wave(const char* from, const char* to) {
    return {"--vcd-groups", "hpm,plic", "--vcd-from", from, "--vcd-to", to};
}

const Mode kPlain{"plain", {}, {}, {fast(), kAuto}};
const Mode kQuantum{
    "quantum",
    {},
    {},
    {fast({"quantum=1"}), fast({"quantum=7"}), fast({"quantum=1000"}), fast({"quantum=1000000"})}};
/// Ends in the middle of whatever was being done.
Mode cut(std::string_view name, const char* cycles) {
    return {name, {"--max-cycles", cycles}, {}, {fast(), fast({"quantum=13"})}};
}
/// The same, and what the counters hold then: the window lies behind the end.
const Options kWaveBehind = wave("4000000000", "4000000001");
Mode cut_counters(const char* cycles) {
    Mode mode = cut("cut_counters", cycles);
    mode.options.insert(mode.options.end(), kWaveBehind.begin(), kWaveBehind.end());
    mode.files = {"--vcd"};
    return mode;
}
const Mode kWaveAtStart{"wave_at_start", wave("0", "3001"), {"--vcd"}, {fast()}};
const Mode kWaveInside{"wave_inside", wave("1231", "4567"), {"--vcd"}, {fast(), kAuto}};
const Mode kWatched{
    "watched", {"--vcd-from", "1777", "--vcd-to", "2333"}, {"--vcd", "--truth"}, {kAuto}};
const Mode kTruth{"truth", set({"counters.programmable=29"}), {"--truth"}, {fast(), kAuto}};
const Mode kSmallTruth{"small_core_truth", kSmallCore, {"--truth"}, {fast()}};
const Mode kSmall{"small_core", kSmallCore, {}, {fast()}};
const Mode kLatency10{"latency_10", set({"timing.memory_latency=10"}), {}, {fast()}};
const Mode kLatency50{"latency_50", set({"timing.memory_latency=50"}), {}, {fast()}};
const Mode kOtherCore{"other_core",
                      set({"timing.generation=cva6-2025-07", "timing.load_dtlb_event=as-v5.3.0",
                           "timing.predictors_on_trap=flushed", "hart.time_csr=false"}),
                      {},
                      {fast()}};
const Mode kManyCounters{"many_counters",
                         set({"counters.programmable=29", "counters.width=40",
                              "counters.write_freezes=false", "clint.cycles_per_tick=1"}),
                         {},
                         {fast(), fast({"quantum=3"})}};
const Mode kMisaligned{
    "misaligned", set({"hart.misaligned_access=true"}), {}, {fast(), fast({"quantum=1"})}};
const Mode kDefects{"defects",
                    set({"hart.misaligned_trap=as-v5.3.0", "hart.bus_errors=as-v5.3.0",
                         "hart.load_rights=as-v5.3.0", "hart.pmp_check=as-v5.3.0"}),
                    {},
                    {fast()}};

/// For the programs of optional extensions.
const Options kSstc = set({"extensions.sstc=true"});
const Options kSmctr = set({"extensions.smcsrind=true", "extensions.smctr=true"});
const Mode kTransfers{
    "transfers", kSmctr, {}, {fast(), kAuto, fast({"quantum=1"}), fast({"quantum=1000"})}};
const Options kSspesa =
    set({"extensions.sspesa=true", "extensions.smcsrind=true", "extensions.smctr=true"});
const Mode kCauses{"causes", kSspesa, {}, {fast(), fast({"quantum=7"})}};
const Options kSkidless = set({"extensions.sspesa=true", "extensions.ssplcofi=true"});
const Options kPdis = set({"extensions.smcsrind=true", "extensions.smpdis=true"});
const Options kSvadu = set({"extensions.svadu=true"});
const Mode kMarks{"marks", kSvadu, {}, {fast(), fast({"quantum=1"}), fast({"quantum=1000"})}};
const Mode kReduced{
    "reduced", {"--set", "hart.isa=rv64imac_zba"}, {}, {fast(), fast({"quantum=1"})}};
const Mode kTimer{"timer", kSstc, {}, {fast(), fast({"quantum=1"}), fast({"quantum=1000"})}};

struct Case {
    std::string name;
    Invocation run;
    std::vector<Options> variants;
};

void PrintTo(const Case& test, std::ostream* out) {
    *out << test.name;
}

struct Program {
    std::string_view name;
    std::filesystem::path folder;
    const char* memory; ///< dumped at the end
};

Case make_case(const Program& program, const Mode& mode) {
    return {.name = std::string(program.name) + "_" + std::string(mode.name),
            .run = {.program = program.folder / (std::string(program.name) + ".elf"),
                    .options = mode.options,
                    .files = mode.files,
                    .memory = program.memory},
            .variants = mode.variants};
}

void add(std::vector<Case>& cases, std::initializer_list<const char*> names, const char* folder,
         const char* memory, const std::vector<Mode>& modes) {
    for (const char* name : names) {
        for (const Mode& mode : modes) {
            cases.push_back(make_case({name, folder, memory}, mode));
        }
    }
}

constexpr const char* kFirmwareMemory = "_start:4194304";
constexpr const char* kDirectedMemory = "start:1048576";
constexpr const char* kBenchMemory = "_start:16777216";

/// The counters of the older CV32E40P, which have one shape.
std::vector<Case> pcer_cases(const std::vector<Options>& variants) {
    std::vector<Case> cases;
    for (const auto& [program, profile] :
         {std::pair{"pcer_counters", "counters.profile=cv32e40p"},
          std::pair{"pcer_counters_asic", "counters.profile=cv32e40p-asic"}}) {
        Mode waved{"wave", wave("1231", "4567"), {"--vcd"}, variants};
        const Options chosen = set({profile});
        waved.options.insert(waved.options.end(), chosen.begin(), chosen.end());
        add(cases, {program}, PES_FIRMWARE, kFirmwareMemory,
            {{"plain", chosen, {}, variants}, waved});
    }
    return cases;
}

std::vector<Case> demonstration_cases() {
    std::vector<Case> cases;
    add(cases, {"pes_test", "sbi_test", "user_fault"}, PES_FIRMWARE, kFirmwareMemory,
        {kPlain, kQuantum, cut("cut_early", "12347"), cut("cut_late", "77773"),
         cut_counters("54321"), kWaveAtStart, kWaveInside, kWatched, kTruth, kSmallTruth, kSmall,
         kLatency10, kLatency50, kOtherCore, kManyCounters});
    add(cases, {"workload"}, PES_FIRMWARE, kFirmwareMemory,
        {kPlain, cut("cut_early", "1000003"), cut("cut_late", "3333331")});
    add(cases, {"early_fault", "hello", "exit_finisher_0", "exit_finisher_7", "exit_htif_9"},
        PES_FIRMWARE, kFirmwareMemory,
        {kPlain, kQuantum, cut("cut", "57"), cut_counters("5"), kWatched});
    add(cases, {"sampling_loop_float", "sampling_loop_integer", "sampling_loop_store"},
        PES_FIRMWARE, kFirmwareMemory,
        {kPlain, kQuantum, cut("cut", "1111"), kWaveAtStart, kWaveInside, kWatched, kSmall,
         kLatency10, kLatency50, kOtherCore, kManyCounters});
    add(cases, {"sampling_methods"}, PES_FIRMWARE, kFirmwareMemory, {kCauses});
    add(cases, {"many_spaces"}, PES_FIRMWARE, kFirmwareMemory, {kTruth});
    const std::vector<Case> pcer = pcer_cases({fast(), kAuto});
    cases.insert(cases.end(), pcer.begin(), pcer.end());
    return cases;
}

std::vector<Case> directed_cases() {
    std::vector<Case> cases;
    add(cases,
        {"counters", "delegation", "exceptions", "exit_code", "exit_host_interface", "interrupts",
         "misaligned_hardware", "misaligned_traps", "protection", "reservation", "self_modifying",
         "status", "translation", "vectors"},
        PES_DIRECTED, kDirectedMemory,
        {kPlain, kQuantum, cut("cut", "1501"), cut_counters("2003"), kWaveInside, kWatched, kTruth,
         kSmallTruth, kSmall, kLatency50, kOtherCore, kManyCounters, kMisaligned, kDefects});
    add(cases, {"supervisor_timer"}, PES_DIRECTED, kDirectedMemory, {kTimer});
    add(cases, {"hardware_marks"}, PES_DIRECTED, kDirectedMemory, {kMarks});
    add(cases, {"instruction_set"}, PES_DIRECTED, kDirectedMemory, {kReduced});
    add(cases, {"transfer_records"}, PES_DIRECTED, kDirectedMemory, {kTransfers});
    add(cases, {"decoded_sampling"}, PES_DIRECTED, kDirectedMemory,
        {{"sampling", kPdis, {}, {fast(), fast({"quantum=1"}), fast({"quantum=1000"})}}});
    add(cases, {"interrupts_and_faults"}, PES_DIRECTED, kDirectedMemory,
        {{"skidless", kSkidless, {}, {fast(), fast({"quantum=1"}), fast({"quantum=7"})}}});
    return cases;
}

/// Several harts take their turns in the same order on every path, with every kind of counters and
/// whoever watches.
std::vector<Case> hart_cases(const std::vector<Options>& variants) {
    const auto harts = [&variants](std::string_view name, const char* count, const char* turn,
                                   Options more = {}, const Options& files = {}) {
        const Options counts = set({count, turn});
        more.insert(more.end(), counts.begin(), counts.end());
        return Mode{name, more, files, variants};
    };
    std::vector<Case> cases;
    for (const auto& [program, count] :
         {std::pair{"harts_memory_2", "harts=2"}, std::pair{"harts_counters_2", "harts=2"},
          std::pair{"harts_counters_4", "harts=4"}, std::pair{"harts_memory_4", "harts=4"}}) {
        add(cases, {program}, PES_FIRMWARE, kFirmwareMemory,
            {harts("turn_1000", count, "turn=1000"), harts("turn_100", count, "turn=100"),
             harts("cut", count, "turn=333", {"--max-cycles", "3001"}),
             harts("truth", count, "turn=100", {}, {"--truth"}),
             harts("wave", count, "turn=1000", wave("1231", "2345"), {"--vcd"}),
             harts("wave_behind", count, "turn=1000", kWaveBehind, {"--vcd"})});
    }
    add(cases, {"harts_sbi"}, PES_FIRMWARE, kFirmwareMemory,
        {harts("plain", "harts=2", "turn=1000"), harts("spare", "harts=3", "turn=100")});
    // A hart that nobody wakes changes nothing.
    add(cases, {"pes_test", "sbi_test"}, PES_FIRMWARE, kFirmwareMemory,
        {harts("two_harts", "harts=2", "turn=1000")});
    return cases;
}

std::vector<Case> bench_cases() {
    std::vector<Case> cases;
    add(cases, {"bench_int_mix", "bench_mem_walk", "bench_fp_matmul"}, PES_FIRMWARE, kBenchMemory,
        {cut("cut", "2000003")});
    add(cases, {"bench_int_mix_sampling", "bench_mem_walk_sampling", "bench_fp_matmul_sampling"},
        PES_FIRMWARE, kBenchMemory, {cut("cut", "3000017")});
    add(cases, {"bench_empty"}, PES_FIRMWARE, kBenchMemory, {kPlain, kQuantum});
    return cases;
}

/// Traces through sinks that are slower than their messages come: the hart is held, or messages are
/// lost, with each of them in the same cycle.
std::vector<Case> slow_trace_cases() {
    const std::pair<std::string, Options> registers[] = {
        {"sifive", {}},
        {"standard", set({"trace.registers=standard"})},
        {"e_trace", set({"trace.registers=standard", "trace.protocol=e-trace"})}};
    const std::pair<const char*, const char*> sinks[] = {
        {"trace.fifo_bytes=0x80", "trace.probe_divider=3"},
        {"trace.fifo_bytes=0x100", "trace.probe_divider=9"},
        {"trace.fifo_bytes=0x1000", "trace.probe_divider=40"}};
    std::vector<Case> cases;
    for (const char* const kind : {"btm", "htm", "events"}) {
        for (const auto& [name, chosen] : registers) {
            for (std::size_t number = 0; number < 2 * std::size(sinks); ++number) {
                const auto& [fifo, divider] = sinks[number / 2];
                const char* const stall = number % 2 == 0 ? "on" : "off";
                const std::string full = std::string(kind) + "_" + name + "_" +
                                         std::to_string(number / 2) + "_stall_" + stall;
                Options options{"--max-cycles", "300007",        "--trace-program",
                                kind,           "--trace-stall", stall};
                const Options sink = set({fifo, divider});
                options.insert(options.end(), chosen.begin(), chosen.end());
                options.insert(options.end(), sink.begin(), sink.end());
                if (name != "e_trace" || std::string_view(kind) != "events") {
                    add(cases, {"bench_int_mix", "bench_growth_code_8"}, PES_FIRMWARE,
                        kFirmwareMemory,
                        {{full, options, {"--trace"}, {fast(), fast({"quantum=1000"})}}});
                }
            }
        }
    }
    // Counters are read in the cycle of their event, so the hart steps.
    add(cases, {"bench_int_mix"}, PES_FIRMWARE, kFirmwareMemory,
        {{"events_with_counters",
          {"--max-cycles", "300007", "--trace-program", "events", "--trace-counters"},
          {"--trace"},
          {kAuto}}});
    return cases;
}

std::vector<Case> long_cases() {
    std::vector<Case> cases;
    add(cases,
        {"bench_int_mix", "bench_mem_walk", "bench_fp_matmul", "bench_int_mix_sampling",
         "bench_mem_walk_sampling", "bench_fp_matmul_sampling"},
        PES_FIRMWARE, kBenchMemory, {{"whole", {}, {}, {fast()}}});
    add(cases, {"workload"}, PES_FIRMWARE, kFirmwareMemory,
        {kQuantum, kWaveInside, kWatched, kSmall, kLatency10, kLatency50, kOtherCore,
         kManyCounters});
    return cases;
}

const std::initializer_list<const char*> kBenchPrograms{"bench_int_mix",
                                                        "bench_mem_walk",
                                                        "bench_fp_matmul",
                                                        "bench_int_mix_sampling",
                                                        "bench_mem_walk_sampling",
                                                        "bench_fp_matmul_sampling",
                                                        "bench_int_mix_counting",
                                                        "bench_mem_walk_counting",
                                                        "bench_fp_matmul_counting",
                                                        "bench_empty"};
/// Ten times as long, for QEMU.
const std::initializer_list<const char*> kLongBenchPrograms{
    "bench_int_mix_long", "bench_mem_walk_long", "bench_fp_matmul_long"};

std::vector<std::string> split(std::string_view list) {
    std::vector<std::string> items;
    std::istringstream text{std::string(list)};
    for (std::string item; std::getline(text, item, ',');) {
        items.push_back(item);
    }
    return items;
}

/// The shape of counters that this build has in RTL.
Options rtl_shape() {
    Options options;
    for (const std::string& setting : split(PES_RTL_SETTINGS)) {
        options.insert(options.end(), {"--set", setting});
    }
    return options;
}

/// The beginning of a program, so many cycles.
Mode begun(const char* cycles, const std::vector<Options>& variants) {
    Mode mode{"begun", rtl_shape(), {}, variants};
    mode.options.insert(mode.options.end(), {"--max-cycles", cycles});
    return mode;
}

/// The programs that write traces or, for the benchmark, records of their counters, and those that
/// show what grows.
std::vector<Case> trace_cases(const Options& shape) {
    std::vector<Case> cases;
    for (const std::string& program : split(PES_PROGRAM_NAMES)) {
        Mode mode{"whole", shape, {}, {{"--counters", "lockstep"}}};
        const auto add_settings = [&mode](std::initializer_list<const char*> settings) {
            const Options more = set(settings);
            mode.options.insert(mode.options.end(), more.begin(), more.end());
        };
        if (program.starts_with("trace_four_harts")) {
            add_settings({"harts=4", "trace.funnel.count=2"});
        } else if (program.starts_with("trace_harts") || program == "trace_stimuli_2") {
            add_settings({"harts=2"});
        } else if (program.starts_with("bench_") &&
                   (program.ends_with("_records") || program.ends_with("_timer"))) {
            mode.options.insert(mode.options.end(), {"--max-cycles", "2000003"});
        } else if (program.starts_with("bench_growth_")) {
            mode.options.insert(mode.options.end(), {"--max-cycles", "200003"});
            if (program.starts_with("bench_growth_harts")) { // for so many or fewer
                add_settings({"harts=8"});
            } else { // the largest memory of one
                add_settings({"dram.size=1GiB"});
            }
        } else if (program == "trace_sinks") { // fails without a place for its files
            mode.options.insert(mode.options.end(), {"--guest-files", "."});
        } else if (!program.starts_with("trace_")) {
            continue;
        }
        cases.push_back(make_case({program, PES_FIRMWARE, kFirmwareMemory}, mode));
    }
    return cases;
}

/// Every program with the counters in RTL and in lockstep: the same outputs, waveform included, and
/// a lockstep run ends with the guest's own exit code.
std::vector<Case> rtl_cases() {
    const std::vector<Options> counters{{"--counters", "rtl"}, {"--counters", "lockstep"}};
    const Mode whole{"whole", rtl_shape(), {}, counters};
    Mode waved{"wave", wave("1231", "4567"), {"--vcd"}, counters};
    waved.options.insert(waved.options.end(), whole.options.begin(), whole.options.end());
    std::vector<Case> cases;
    add(cases,
        {"pes_test", "sbi_test", "user_fault", "sampling_loop_float", "sampling_loop_integer",
         "sampling_loop_store"},
        PES_FIRMWARE, kFirmwareMemory, {whole, waved});
    add(cases,
        {"workload", "early_fault", "hello", "exit_finisher_0", "exit_finisher_7", "exit_htif_0",
         "checkpoint_request", "exit_htif_9", "debugged_1"},
        PES_FIRMWARE, kFirmwareMemory, {whole});
    add(cases, {"long_sleep_1", "many_spaces"}, PES_FIRMWARE, kFirmwareMemory,
        {begun("200003", counters)});
    for (const auto& [program, count] :
         {std::pair{"long_sleep_2", "harts=2"}, std::pair{"long_sleep_4", "harts=4"}}) {
        Mode asleep = begun("200003", counters);
        const Options harts = set({count});
        asleep.options.insert(asleep.options.end(), harts.begin(), harts.end());
        add(cases, {program}, PES_FIRMWARE, kFirmwareMemory, {asleep});
    }
    add(cases,
        {"thesis_calls_Listed", "thesis_calls_AddressFirst", "thesis_calls_LastCounter",
         "thesis_calls_OldNumbers", "thesis_calls_OneNumber", "thesis_calls_UnknownCall",
         "thesis_calls_NoBuffer", "sampled_work_cycles", "sampled_work_instructions",
         "sampled_work_misses", "sampled_work_mispredicts", "sampled_work_stalls",
         "sampled_work_all_modes"},
        PES_FIRMWARE, kFirmwareMemory, {whole});
    add(cases,
        {"counter_corners", "counters", "delegation", "exceptions", "exit_code",
         "exit_host_interface", "instruction_set", "interrupts", "interrupts_and_faults",
         "misaligned_hardware", "misaligned_traps", "protection", "reservation", "self_modifying",
         "status", "translation", "vectors"},
        PES_DIRECTED, kDirectedMemory, {whole, waved});
    const auto extended = [&whole](std::string_view name, Options options,
                                   const std::vector<Options>& variants) {
        options.insert(options.end(), whole.options.begin(), whole.options.end());
        return Mode{name, options, {}, variants};
    };
    add(cases, {"transfer_records"}, PES_DIRECTED, kDirectedMemory,
        {extended("recorded", kSmctr, counters)});
    add(cases, {"hardware_marks"}, PES_DIRECTED, kDirectedMemory,
        {extended("marked", kSvadu, counters)});
    add(cases, {"supervisor_timer"}, PES_DIRECTED, kDirectedMemory,
        {extended("timed", kSstc, counters)});
    add(cases, {"sampling_methods"}, PES_FIRMWARE, kFirmwareMemory,
        {extended("causes", kSspesa, counters)});
    add(cases, {"decoded_sampling"}, PES_DIRECTED, kDirectedMemory,
        {extended("sampled", kPdis, counters)});
    add(cases, {"debugged_2"}, PES_FIRMWARE, kFirmwareMemory,
        {extended("two_harts", set({"harts=2"}), counters)});
    const Mode cut = begun("2000003", counters);
    add(cases, {"sampling_sweep"}, PES_FIRMWARE, kFirmwareMemory, {cut});
    add(cases, kBenchPrograms, PES_FIRMWARE, kBenchMemory, {cut});
    add(cases, kLongBenchPrograms, PES_FIRMWARE, kBenchMemory, {cut});
    const Mode short_cut = begun("200003", counters);
    add(cases,
        {"lab_bigcode", "lab_branchy", "lab_core_mix", "lab_floating", "lab_hash", "lab_matrix",
         "lab_sort"},
        PES_FIRMWARE, kBenchMemory, {short_cut});
    add(cases,
        {"lab_layers", "lab_pointer", "lab_cost_threshold_plain", "lab_cost_threshold_sampling"},
        PES_FIRMWARE, kFirmwareMemory, {short_cut});
    for (Case& test : hart_cases(counters)) {
        test.run.options.insert(test.run.options.end(), whole.options.begin(), whole.options.end());
        cases.push_back(std::move(test));
    }
    const std::vector<Case> pcer = pcer_cases(counters);
    cases.insert(cases.end(), pcer.begin(), pcer.end());
    const std::vector<Case> traces = trace_cases(whole.options);
    cases.insert(cases.end(), traces.begin(), traces.end());
    return cases;
}

std::vector<Case> long_lockstep_cases() {
    std::vector<Case> cases;
    const std::vector<Options> lockstep{{"--counters", "lockstep"}};
    add(cases, kBenchPrograms, PES_FIRMWARE, kBenchMemory,
        {{"lockstep", rtl_shape(), {}, lockstep}});
    add(cases, kLongBenchPrograms, PES_FIRMWARE, kBenchMemory, {begun("300000007", lockstep)});
    return cases;
}

class ProgramPaths : public testing::TestWithParam<Case> {
  protected:
    static Outputs outputs(const Invocation& run, const Options& variant) {
        // Two suites have the same names, and may run at the same time.
        const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
        std::string folder = std::string(test.test_suite_name()) + "/" + test.name();
        std::replace(folder.begin(), folder.end(), '/', '_');
        return execute(PES_VP_PATH, run, variant, std::filesystem::path(PES_WORK) / folder);
    }
};

TEST_P(ProgramPaths, LeaveTheSameOutputs) {
    const Case& test = GetParam();
    const Outputs stepped = outputs(test.run, {"--path", "step"});
    ASSERT_NE(stepped.at("exit code"), "2") << stepped.at("messages");
    for (const Options& variant : test.variants) {
        const auto found = difference(stepped, outputs(test.run, variant));
        EXPECT_FALSE(found) << testing::PrintToString(variant) << '\n' << found.value_or("");
    }
}

std::string name_of(const testing::TestParamInfo<Case>& info) {
    return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Demonstration, ProgramPaths, testing::ValuesIn(demonstration_cases()),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Directed, ProgramPaths, testing::ValuesIn(directed_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(Harts, ProgramPaths, testing::ValuesIn(hart_cases({fast(), kAuto})),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Bench, ProgramPaths, testing::ValuesIn(bench_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(SlowTraces, ProgramPaths, testing::ValuesIn(slow_trace_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(Rtl, ProgramPaths, testing::ValuesIn(rtl_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(LongRtl, ProgramPaths, testing::ValuesIn(long_lockstep_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(Long, ProgramPaths, testing::ValuesIn(long_cases()), name_of);

TEST(Lockstep, TakesEveryProgramOfTheTree) {
    // Firmware and its payloads, which tests/e2e runs in lockstep: cycle_profile.sh, opensbi.sh,
    // console_input.sh, sbi_pmu.sh, overflow.sh (whose calls lab_cost_overflow makes too), papi.sh
    // (likewise pmu_overhead), pmu_profiles.sh, profile.sh, timer.sh. pdis_supervisor is run on
    // both paths in tests/guest, virtio_* in virtio_*.sh and console_line_test.cpp.
    std::set<std::string> taken{"lab_cost_overflow_sbi_plain",
                                "lab_cost_overflow_sbi_sampling",
                                "lab_cost_overflow_delegated_plain",
                                "lab_cost_overflow_delegated_sampling",
                                "lab_cost_overflow_pdis_plain",
                                "lab_cost_overflow_pdis_sampling",
                                "console_echo",
                                "console_echo_sbi",
                                "virtio_console",
                                "virtio_disk",
                                "virtio_entropy",
                                "virtio_share",
                                "payload_hello",
                                "pes_firmware",
                                "pes_firmware_v6",
                                "pes_proxy",
                                "sbi_pmu_test",
                                "overflow_test",
                                "overflow_test_v6",
                                "pdis_supervisor",
                                "papi_test",
                                "papi_multiplex",
                                "papi_profil",
                                "papi_stop_on_error",
                                "papi_steady_40000",
                                "papi_steady_80000",
                                "pmu_overhead",
                                "pmu_profile_test",
                                "counter_rules",
                                "counter_rules_instructions",
                                "cycle_profile",
                                "timer_test",
                                "papi_u74_test",
                                "workload_u74"};
    for (const Case& test : rtl_cases()) {
        taken.insert(test.run.program.stem());
    }
    for (const std::string& program : split(PES_PROGRAM_NAMES)) {
        EXPECT_TRUE(taken.contains(program)) << program;
    }
}

// What hart 0 does alone it does in the same cycles beside a second hart that is never started.
// Both times the tree is that of two harts, since firmware reads it.
TEST(ProgramPathsHarts, ASleepingNeighbourTakesNoTime) {
    std::filesystem::create_directories(PES_WORK);
    const std::string tree = std::string(PES_WORK) + "/neighbour.dtb";
    ASSERT_EQ(
        differential::run_process({PES_VP_PATH, "run", std::string(PES_FIRMWARE) + "/pes_test.elf",
                                   "--set", "harts=2", "--dump-dtb", tree},
                                  std::chrono::seconds(60), differential::ErrorStream::WithOutput)
            .exit_code,
        0);
    for (const char* program : {"pes_test", "sbi_test", "user_fault"}) {
        const Invocation run = make_case({program, PES_FIRMWARE, kFirmwareMemory}, kPlain).run;
        const std::filesystem::path work = std::filesystem::path(PES_WORK) / "neighbour";
        std::vector<std::string> two_harts = set({"harts=2"});
        two_harts.insert(two_harts.end(), {"--dtb", tree});
        Outputs alone = execute(PES_VP_PATH, run, {"--dtb", tree}, work);
        Outputs beside = execute(PES_VP_PATH, run, two_harts, work);
        const std::string& stats = beside.at("stats");
        const std::size_t harts = stats.find("\"harts\"");
        ASSERT_NE(harts, std::string::npos) << stats;
        const std::string first_hart = stats.substr(0, stats.rfind(',', harts));
        EXPECT_EQ(alone.at("stats").substr(0, first_hart.size()), first_hart) << program;
        for (const char* output : {"exit code", "console", "samples"}) {
            EXPECT_EQ(alone.at(output), beside.at(output)) << program << ' ' << output;
        }
    }
}

// The judge must be able to say no: a memory one cycle slower shows.
TEST(ProgramPathsJudge, SeesACycle) {
    const Invocation run =
        make_case({"sampling_loop_float", PES_FIRMWARE, kFirmwareMemory}, kWaveAtStart).run;
    const std::filesystem::path work = std::filesystem::path(PES_WORK) / "judge";
    const Outputs left = execute(PES_VP_PATH, run, {}, work);
    const Outputs same = execute(PES_VP_PATH, run, {}, work);
    const Outputs right = execute(PES_VP_PATH, run, set({"timing.memory_latency=2"}), work);
    EXPECT_FALSE(difference(left, same));
    const std::string found = difference(left, right).value_or("");
    for (const char* output : {"stats: ", "vcd: ", "memory: "}) {
        EXPECT_NE(found.find(output), std::string::npos) << output << found;
    }
    EXPECT_EQ(found.find("exit code"), std::string::npos) << found;
}

TEST(ProgramPathsJudge, MissesNoOutput) {
    EXPECT_TRUE(difference({{"console", ""}}, {}));
    EXPECT_TRUE(difference({}, {{"console", ""}}));
    EXPECT_TRUE(difference({{"console", "a"}}, {{"console", "ab"}}));
    EXPECT_FALSE(difference({{"console", "a"}}, {{"console", "a"}}));
}

} // namespace
} // namespace pes::paths

// SPDX-License-Identifier: Apache-2.0
#include "tests/fidelity/fuzz/workshop.h"

#include "platform/boot/loader.h"
#include "tests/differential/process.h"
#include "tests/fidelity/fuzz/machine.h"

#include <algorithm>
#include <fstream>
#include <spdlog/fmt/fmt.h>
#include <stdexcept>

namespace pes::cycle_fuzz {
namespace {

constexpr std::chrono::seconds kLimit{300};
constexpr const char* kLongestRun = "1000000"; // of the judge

void run_tool(const std::vector<std::string>& command) {
    const differential::ProcessResult result = differential::run_process(command, kLimit);
    if (result.timed_out || result.exit_code != 0) {
        throw std::runtime_error(command[0] + " failed");
    }
}

std::vector<std::string> assembler(const Workshop& workshop) {
    return {workshop.compiler, "-march=rv64imafdc_zicsr_zifencei_zba_zbb_zbc_zbs_zbkb",
            "-mabi=lp64d", "-nostdlib", "-nostartfiles"};
}

std::string side(const RunLog& log, std::size_t step) {
    if (step >= log.steps.size()) {
        return "-";
    }
    const Step& at = log.steps[step];
    const std::string what = at.trap ? fmt::format("trap {:#x}", at.cause)
                                     : fmt::format("{:08x} {}", at.raw, kind_of(at.raw));
    return fmt::format("{:>8} {:#x} {}", at.cycle, at.pc, what);
}

} // namespace

void Workshop::prepare() const {
    std::filesystem::create_directories(directory);
    std::vector<std::string> command = assembler(*this);
    command.insert(command.end(),
                   {"-c", runtime.string(), "-o", (directory / "runtime.o").string()});
    run_tool(command);
}

std::filesystem::path Workshop::build(const Program& program, const std::string& name) const {
    const auto elf = build(program, name, differential::ErrorStream::Inherit);
    if (!elf) {
        throw std::runtime_error(name + " does not assemble");
    }
    return *elf;
}

std::optional<std::filesystem::path> Workshop::try_build(const Program& program,
                                                         const std::string& name) const {
    return build(program, name, differential::ErrorStream::Discard);
}

std::optional<std::filesystem::path> Workshop::build(const Program& program,
                                                     const std::string& name,
                                                     differential::ErrorStream errors) const {
    const std::filesystem::path source = directory / (name + ".s");
    std::filesystem::path elf = directory / (name + ".elf");
    std::ofstream file(source);
    file << text_of(program);
    file.close();
    if (!file) {
        throw std::runtime_error("cannot write " + source.string());
    }
    std::vector<std::string> command = assembler(*this);
    command.insert(command.end(), {"-T", script.string(), (directory / "runtime.o").string(),
                                   source.string(), "-o", elf.string()});
    const differential::ProcessResult result = differential::run_process(command, kLimit, errors);
    if (result.timed_out || result.exit_code != 0) {
        return std::nullopt;
    }
    return elf;
}

void Workshop::remove(const std::string& name) const {
    std::filesystem::remove(directory / (name + ".s"));
    std::filesystem::remove(directory / (name + ".elf"));
}

RunLog Workshop::judge_run(const std::filesystem::path& elf, unsigned timer_phase) const {
    const differential::ProcessResult result =
        differential::run_process({judge, elf.string(), "--log", "-", "--results", "--max-cycles",
                                   kLongestRun, "--timer-phase", std::to_string(timer_phase)},
                                  kLimit, differential::ErrorStream::Discard);
    RunLog log = parse_judge_output(result.output);
    if (result.timed_out || result.exit_code != 0) {
        log.problem = "the judge did not come to an end";
    }
    return log;
}

Runs Workshop::both(const std::filesystem::path& elf) const {
    const pes::Program program = pes::Program::read(elf, judged_config(settings).hart.memory.base);
    const auto begin = program.symbol("measured");
    const auto end = program.symbol("pass_end");
    if (!begin || !end) {
        throw std::runtime_error(elf.string() + " has no symbol 'measured' or 'pass_end'");
    }
    Runs runs;
    runs.model = Machine(judged_config(settings)).run(elf, true);
    begin_at(runs.model, begin->address, false);
    // mtime steps every four cycles of the model; the judge's is to step in the same ones.
    constexpr Cycle kTick = 4;
    runs.judge = judge_run(elf, static_cast<unsigned>(runs.model.begin % kTick));
    begin_at(runs.judge, begin->address, false);
    end_at(runs.model, end->address);
    end_at(runs.judge, end->address);
    if (warm) {
        begin_at(runs.model, begin->address, true);
        begin_at(runs.judge, begin->address, true);
    }
    return runs;
}

std::optional<Difference> first_difference(const RunLog& judge, const RunLog& model) {
    const std::size_t common = std::min(judge.steps.size(), model.steps.size());
    for (std::size_t step = 0; step < common; ++step) {
        const Step& theirs = judge.steps[step];
        const Step& ours = model.steps[step];
        const bool path = theirs.pc != ours.pc || theirs.trap != ours.trap ||
                          (theirs.trap && theirs.cause != ours.cause);
        if (path || theirs.cycle != ours.cycle) {
            return Difference{.step = step,
                              .path = path,
                              .kind = ours.trap ? "trap" : std::string(kind_of(ours.raw))};
        }
    }
    return std::nullopt;
}

std::optional<Difference> first_of_kind(const RunLog& judge, const RunLog& model,
                                        std::string_view kind) {
    const std::size_t common = std::min(judge.steps.size(), model.steps.size());
    Cycle drift = 0;
    for (std::size_t step = 0; step < common; ++step) {
        const Step& theirs = judge.steps[step];
        const Step& ours = model.steps[step];
        if (theirs.pc != ours.pc || theirs.trap != ours.trap) {
            return std::nullopt;
        }
        const Cycle now = ours.cycle - theirs.cycle;
        if (now != drift && !ours.trap && kind_of(ours.raw) == kind) {
            return Difference{.step = step, .path = false, .kind = std::string(kind)};
        }
        drift = now;
    }
    return std::nullopt;
}

std::string describe(const Difference& difference, const RunLog& judge, const RunLog& model) {
    constexpr std::size_t kBefore = 12;
    constexpr std::size_t kAfter = 4;
    std::string text = fmt::format("{} at step {}\n", difference.path ? "another way" : "a cycle",
                                   difference.step);
    const std::size_t begin = difference.step < kBefore ? 0 : difference.step - kBefore;
    for (std::size_t step = begin; step < difference.step + kAfter; ++step) {
        text += fmt::format("{} RTL {:<45} model {}\n", step == difference.step ? '>' : ' ',
                            side(judge, step), side(model, step));
    }
    return text;
}

std::string Workshop::path_difference(const std::filesystem::path& elf) const {
    Machine stepping(judged_config(settings));
    Machine fast(judged_config(settings));
    const RunLog one = stepping.run(elf, true);
    const RunLog other = fast.run(elf, false);
    if (one.problem != other.problem) {
        return "they end differently";
    }
    if (one.passes != other.passes) {
        return "counters differ";
    }
    if (stepping.cycles() != fast.cycles()) {
        return "cycles differ";
    }
    return stepping.ram() == fast.ram() ? "" : "memory differs";
}

} // namespace pes::cycle_fuzz

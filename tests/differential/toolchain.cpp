// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/toolchain.h"

#include "tests/differential/process.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <spdlog/fmt/fmt.h>
#include <stdexcept>

namespace pes::differential {
namespace {

constexpr std::size_t kDigits = 16;
/// What binutils 2.40 can be told.
constexpr std::string_view kAssembled =
    "rv64imafdc_zicsr_zifencei_zba_zbb_zbc_zbs_zbkb_zbkc_zbkx_zknd_zkne_zknh";

void run_tool(const Tools& tools, const std::vector<std::string>& command) {
    const ProcessResult result = run_process(command, tools.limit);
    if (result.timed_out || result.exit_code != 0) {
        throw std::runtime_error(command[0] + " failed");
    }
}

std::vector<std::string> assembler(const Tools& tools) {
    return {tools.compiler, "-march=" + std::string(kAssembled), "-mabi=lp64d", "-nostdlib",
            "-nostartfiles"};
}

constexpr std::string_view kRuntime = "runtime";
constexpr std::string_view kPending = "pending";
constexpr std::string_view kInterrupts = "interrupts";

std::string object(const Tools& tools, std::string_view name) {
    return (tools.work / name).string() + ".o";
}

/// The processor the hart is compared with: what QEMU adds to RV64GC by default is taken away.
std::vector<std::string> command_of(const Tools& tools, Simulator simulator,
                                    const std::filesystem::path& elf) {
    if (simulator == Simulator::Subject && !tools.vp.empty()) {
        return {tools.vp,
                "run",
                elf.string(),
                "--set",
                "hart.pmp_granularity=4",
                "--set",
                "hart.isa=" + isa_string(tools.isa())};
    }
    if (!tools.spike.empty()) {
        return {tools.spike, "--isa=" + isa_string(tools.isa()) + "_zicntr_zihpm", "--pmpregions=8",
                "-m256", elf.string()};
    }
    // With AIA, interrupts have the priorities of the specification, else those of their numbers.
    return {tools.qemu,
            "-M",
            "virt,aia=aplic-imsic",
            "-m",
            "256M",
            "-bios",
            "none",
            "-cpu",
            "rv64,h=false,zba=true,zbb=true,zbc=true,zbs=true,zbkb=true,zbkc=true,zbkx=true,"
            "zknd=true,zkne=true,zknh=true,sstc=false,sscofpmf=true",
            "-display",
            "none",
            "-monitor",
            "none",
            "-serial",
            "stdio",
            "-kernel",
            elf.string()};
}

/// Adds the value of a line of the form mark, 16 digits; other lines are somebody else's.
void parse_line(std::string_view line, Run& run) {
    if (!line.empty() && line.back() == '\r') {
        line.remove_suffix(1);
    }
    if (line.size() != 1 + kDigits) {
        return;
    }
    std::uint64_t value = 0;
    const char* const end = line.data() + line.size();
    if (std::from_chars(line.data() + 1, end, value, 16).ptr != end) {
        return;
    }
    if (line[0] == '#') {
        run.trail.push_back(value);
    } else if (line[0] == '=') {
        run.dump.push_back(value);
    }
}

} // namespace

/// QEMU 7.2 knows neither Zicond nor Zcb.
Isa Tools::isa() const {
    Isa isa = kWholeIsa;
    if (spike.empty()) {
        isa.extensions = isa.extensions.without({IsaExtension::Zicond, IsaExtension::Zcb});
    }
    return isa;
}

std::string_view reference_name(const Tools& tools) {
    return tools.spike.empty() ? "QEMU" : "Spike";
}

void build_runtime(const Tools& tools) {
    for (const std::string_view name : {kRuntime, kPending, kInterrupts}) {
        std::vector<std::string> command = assembler(tools);
        if (!tools.spike.empty()) {
            command.emplace_back("-DEXIT_THROUGH_TOHOST");
        }
        command.insert(command.end(),
                       {"-c", (tools.runtime / name).string() + ".S", "-o", object(tools, name)});
        run_tool(tools, command);
    }
}

std::filesystem::path build_program(const Tools& tools, const ProgramRequest& request,
                                    const std::string& name) {
    const std::filesystem::path source = tools.work / (name + ".s");
    std::filesystem::path elf = tools.work / (name + ".elf");
    std::ofstream file(source);
    file << random_program(request);
    file.close();
    if (!file) {
        throw std::runtime_error("cannot write " + source.string());
    }
    std::vector<std::string> command = assembler(tools);
    command.insert(command.end(), {"-T", (tools.runtime / "link.ld").string(),
                                   object(tools, kRuntime), source.string(), "-o", elf.string()});
    if (request.surroundings == Surroundings::Interrupted) {
        command.push_back(object(tools, kInterrupts));
    }
    if (request.surroundings == Surroundings::Pending) {
        command.push_back(object(tools, kPending));
    }
    run_tool(tools, command);
    return elf;
}

void remove_program(const Tools& tools, const std::string& name) {
    std::filesystem::remove(tools.work / (name + ".s"));
    std::filesystem::remove(tools.work / (name + ".elf"));
}

Run simulate(const Tools& tools, Simulator simulator, const std::filesystem::path& elf) {
    // Both simulators log every access fault that a program provokes.
    const ProcessResult result =
        run_process(command_of(tools, simulator, elf), tools.limit, ErrorStream::Discard);
    Run run;
    std::string_view rest = result.output;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        parse_line(rest.substr(0, end), run);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (result.timed_out) {
        run.problem = fmt::format("did not end within {} s", tools.limit.count());
    } else if (result.exit_code != 0) {
        run.problem = fmt::format("ended with exit code {}", result.exit_code);
    }
    return run;
}

std::string disassemble(const Tools& tools, const std::filesystem::path& elf, unsigned block,
                        unsigned blocks) {
    const std::string nm = run_process({tools.objdump, "-t", elf.string()}, tools.limit).output;
    const auto address_of = [&nm](const std::string& symbol) -> std::string {
        const std::size_t at = nm.find(" " + symbol + "\n");
        const std::size_t line = nm.rfind('\n', at) + 1;
        return at == std::string::npos ? "0x80000000" : "0x" + nm.substr(line, kDigits);
    };
    std::vector<std::string> command{tools.objdump, "-d", "-M", "no-aliases",
                                     "--start-address=" +
                                         address_of(fmt::format("block_{}", block))};
    if (block + 1 < blocks) {
        command.push_back("--stop-address=" + address_of(fmt::format("block_{}", block + 1)));
    }
    command.push_back(elf.string());
    return run_process(command, tools.limit).output;
}

} // namespace pes::differential

// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/trace/demonstration.h"

#include "tests/unit/common/run_command.h"

#include <charconv>
#include <cstdio>
#include <sstream>

namespace pes::test {

namespace {

using perf_record::CountType;
using perf_record::RecordKind;

std::uint64_t number(std::string_view text) {
    const int base = text.starts_with("0x") ? 16 : 10;
    text.remove_prefix(base == 16 ? 2 : 0);
    std::uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value, base);
    return value;
}

/// What follows `name` up to the next space or bracket.
std::uint64_t field(const std::string& line, std::string_view name) {
    const std::size_t at = line.find(name);
    if (at == std::string::npos) {
        return 0;
    }
    const std::size_t from = at + name.size();
    return number(std::string_view(line).substr(from, line.find_first_of(" ]", from) - from));
}

/// Of "ffl:<file>:<function>:<line>" at the end.
std::string function_of(const std::string& line) {
    const std::size_t end = line.rfind(':');
    const std::size_t begin = line.rfind(':', end - 1) + 1;
    return line.substr(begin, end - begin);
}

Definition definition(const std::string& line) {
    return {.counter = static_cast<unsigned>(field(line, "[Counter=")),
            .type = static_cast<unsigned>(field(line, "[Type=")),
            .code = field(line, "[Code="),
            .event_data = field(line, "[EventData="),
            .csr = static_cast<unsigned>(field(line, "[CntrCSR=")),
            .bits = static_cast<unsigned>(field(line, "[CntrBits="))};
}

DecodedRecord record(const std::string& line) {
    DecodedRecord result;
    result.function = function_of(line);
    if (line.find("[Func Enter at") != std::string::npos) {
        result.kind = RecordKind::FunctionEnter;
        result.address = field(line, "[Func Enter at ");
        result.call_site = field(line, "[Called From ");
    } else if (line.find("[Func Exit]") != std::string::npos) {
        result.kind = RecordKind::FunctionExit;
        result.address = field(line, "[Func at ");
        result.call_site = field(line, "[Returning to ");
    } else {
        result.kind = RecordKind::Manual; // the text does not tell manual and timer apart
        result.address = field(line, "PC=");
    }
    return result;
}

/// "[hart] ticks text"
void read_line(const std::string& line, Demonstration& to) {
    constexpr std::string_view kType = "# COUNT_TYPE: ";
    if (line.starts_with(kType)) {
        to.count_type = line.substr(kType.size());
    }
    unsigned hart = 0;
    unsigned long long ticks = 0;
    if (std::sscanf(line.c_str(), "[%u] %llu ", &hart, &ticks) != 2) {
        return;
    }
    DecodedTrace& trace = to.harts[hart];
    if (line.find("[Perf Cntr Mask]") != std::string::npos) {
        trace.mask = static_cast<std::uint32_t>(field(line, "[Mask="));
    } else if (line.find("[Perf Cntr Def]") != std::string::npos) {
        trace.definitions.push_back(definition(line));
    } else if (line.find("[Perf Cntr]") != std::string::npos) {
        trace.records.back().values[static_cast<unsigned>(field(line, "[Index="))] =
            field(line, "[Value=");
    } else {
        trace.records.push_back(record(line));
        trace.records.back().ticks = ticks;
    }
}

} // namespace

std::string Variant::suffix() const {
    constexpr const char* kTypes[] = {"raw", "delta", "deltaxor"};
    return std::string("_") + kTypes[static_cast<unsigned>(type)] + (in_memory ? "_sba" : "_sram");
}

std::string Variant::name() const {
    return suffix().substr(1) + (standard ? "_standard" : "");
}

std::vector<std::uint64_t> DecodedTrace::values_of(unsigned counter, CountType type,
                                                   std::uint64_t base) const {
    std::vector<std::uint64_t> values;
    std::uint64_t sum = base;
    for (const DecodedRecord& record : records) {
        const std::uint64_t value = record.values.at(counter);
        sum += value;
        values.push_back(type == CountType::Delta ? sum : value);
    }
    return values;
}

Demonstration run_demonstration(const DemonstrationRun& run) {
    const TemporaryDirectory directory;
    const std::string elf = std::string(PES_FIRMWARE_DIR "/") + run.program + ".elf";
    const std::string files = directory.path().string();
    const std::string console = (directory / "console").string();
    Demonstration result;
    const CommandResult simulated = run_command(PES_VP " run " + elf + " --console " + console +
                                                " --guest-files " + files + run.settings);
    result.exit_code = simulated.exit_code;
    if (simulated.exit_code != 0) {
        result.problem = simulated.err;
        return result;
    }
    result.printed = read_console_lines(read_file(console));
    const CommandResult decoded =
        run_command(PES_DECODE " trace " + (directory / run.trace).string() + " --elf " + elf +
                    " --perf --fixed" + (run.flaws == Flaws::Refused ? " --strict" : ""));
    if (decoded.exit_code != 0) {
        result.exit_code = decoded.exit_code;
        result.problem = decoded.out + decoded.err;
        return result;
    }
    std::istringstream lines(read_file(directory / (run.program + ".perf")));
    for (std::string line; std::getline(lines, line);) {
        read_line(line, result);
    }
    return result;
}

} // namespace pes::test

// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/comparison.h"

#include "tests/differential/layout.h"

#include <algorithm>
#include <array>
#include <spdlog/fmt/fmt.h>
#include <string_view>

namespace pes::differential {
namespace {

enum class Show : std::uint8_t { Differences, Everything };

std::string program_name(const ProgramRequest& request) {
    return fmt::format("{}-{}", name_of(request.mix), request.seed);
}

/// Name of the n-th value of a dump (runtime.S).
std::string value_name(std::size_t index) {
    constexpr std::array<std::string_view, 3> kOthers{"fcsr", "trap hash", "trap count"};
    if (index < 32) {
        return fmt::format("x{}", index);
    }
    if (index < 64) {
        return fmt::format("f{}", index - 32);
    }
    if (index < layout::kDumpRegisters) {
        return std::string(kOthers[index - 64]);
    }
    const std::size_t word = index - layout::kDumpRegisters;
    constexpr std::size_t kWordsPerPage = layout::kHashedBytes / 8;
    return fmt::format("[{:#x}]", layout::kScratch + word / kWordsPerPage * layout::kPageSize +
                                      word % kWordsPerPage * 8);
}

std::string dump_report(const Tools& tools, const ProgramRequest& request, unsigned block,
                        Show show) {
    ProgramRequest again = request;
    again.dump_block = block;
    const std::string name = program_name(request) + "-dump";
    const std::filesystem::path elf = build_program(tools, again, name);
    const Run reference = simulate(tools, Simulator::Reference, elf);
    const Run subject = simulate(tools, Simulator::Subject, elf);
    remove_program(tools, name);

    std::string text =
        fmt::format("  {:<14} {:<18} {:<18}\n", "value", reference_name(tools), "pes-vp");
    const std::size_t count = std::min(reference.dump.size(), subject.dump.size());
    for (std::size_t index = 0; index < count; ++index) {
        const bool differs = reference.dump[index] != subject.dump[index];
        if (differs || (show == Show::Everything && index < layout::kDumpRegisters)) {
            text += fmt::format("  {:<14} {:#018x} {:#018x}{}\n", value_name(index),
                                reference.dump[index], subject.dump[index],
                                differs && show == Show::Everything ? "  <--" : "");
        }
    }
    if (reference.dump.size() != subject.dump.size()) {
        text += fmt::format("  {} printed {} values ({}), pes-vp {} ({})\n", reference_name(tools),
                            reference.dump.size(), reference.problem, subject.dump.size(),
                            subject.problem);
    }
    return text;
}

} // namespace

std::optional<std::string> compare(const Tools& tools, const ProgramRequest& request) {
    const std::string name = program_name(request);
    const std::filesystem::path elf = build_program(tools, request, name);
    const Run reference = simulate(tools, Simulator::Reference, elf);
    const Run subject = simulate(tools, Simulator::Subject, elf);
    const bool complete = reference.problem.empty() && reference.trail.size() == request.blocks;
    if (complete && subject.problem.empty() && reference.trail == subject.trail) {
        remove_program(tools, name);
        return std::nullopt;
    }

    std::string text = fmt::format("{}: {} and pes-vp disagree, ELF kept at {}\n", name,
                                   reference_name(tools), elf.string());
    if (!reference.problem.empty()) {
        text += fmt::format("  {} {}\n", reference_name(tools), reference.problem);
    }
    if (!subject.problem.empty()) {
        text += fmt::format("  pes-vp {}\n", subject.problem);
    }
    const auto [left, right] = std::ranges::mismatch(reference.trail, subject.trail);
    const auto block = static_cast<unsigned>(left - reference.trail.begin());
    if (block >= request.blocks) {
        return text;
    }
    text += fmt::format("  first difference in block {} of {}\n", block, request.blocks);
    text += dump_report(tools, request, block, Show::Differences);
    text += disassemble(tools, elf, block, request.blocks);
    return text;
}

std::string register_report(const Tools& tools, const ProgramRequest& request, unsigned block) {
    return dump_report(tools, request, block, Show::Everything);
}

} // namespace pes::differential

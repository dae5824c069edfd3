// SPDX-License-Identifier: Apache-2.0
#include "platform/profile/annotation.h"

#include "platform/profile/text_layout.h"
#include "platform/program/code_listing.h"

#include <algorithm>
#include <map>
#include <spdlog/fmt/fmt.h>

namespace pes {
namespace {

struct Found {
    const ElfProgram* program = nullptr;
    const Function* function = nullptr;
};

Found find_by_name(const Symbolizer& symbolizer, const std::string& name) {
    for (const ElfProgram& program : symbolizer.programs()) {
        for (const Function& function : program.functions()) {
            const bool same = function.name == name || function.symbol == name ||
                              function.name.starts_with(name + "(");
            if (same) {
                return {&program, &function};
            }
        }
    }
    return {};
}

Found find_hottest(const Symbolizer& symbolizer, const AddressTallies& samples) {
    std::map<Address, std::pair<Found, std::uint64_t>>
        functions; // by begin, so that ties are decided
    for (const auto& [pc, tally] : samples) {
        const Location location = symbolizer.find(pc);
        if (location.function != nullptr) {
            auto& entry = functions[location.function->begin];
            entry.first = {location.program, location.function};
            entry.second += tally.samples;
        }
    }
    const auto hottest = std::ranges::max_element(
        functions, {}, [](const auto& entry) { return entry.second.second; });
    return hottest == functions.end() ? Found() : hottest->second.first;
}

void add_instructions(Annotation& annotation, const Found& found, const AddressTallies& samples,
                      const ExactCosts& costs, const SourcePath& path) {
    CodeListing listing(*found.program, path);
    std::vector<AnnotatedLine>& lines = annotation.lines;
    for (ListedInstruction& listed : listing.of(*found.function)) {
        const SourceLine& source = listed.source;
        if (lines.empty() || lines.back().source.line != source.line ||
            lines.back().source.file != source.file) {
            lines.push_back({.source = source,
                             .text = std::string(listing.source(source)),
                             .instructions = {}});
        }
        AnnotatedInstruction row{.pc = listed.pc, .text = std::move(listed.text)};
        if (const auto sampled = samples.find(row.pc); sampled != samples.end()) {
            row.samples = sampled->second.samples;
        }
        if (const auto cost = costs.find(row.pc); cost != costs.end()) {
            row.cost = cost->second;
        }
        annotation.samples += row.samples;
        annotation.events += row.cost.events;
        lines.back().instructions.push_back(std::move(row));
    }
}

std::string percent(double part, double whole) {
    return part == 0 || whole == 0 ? "" : fmt::format("{:.2f} %", 100 * part / whole);
}

} // namespace

bool has_function(const Symbolizer& symbolizer, const std::string& name) {
    return find_by_name(symbolizer, name).function != nullptr;
}

std::optional<Annotation> annotate(const Symbolizer& symbolizer, const std::string& name,
                                   const AddressTallies& samples, const ExactCosts& costs) {
    const Found found =
        name.empty() ? find_hottest(symbolizer, samples) : find_by_name(symbolizer, name);
    if (found.function == nullptr) {
        return std::nullopt;
    }
    Annotation annotation;
    annotation.function = found.function->name;
    annotation.program = found.program->path();
    for (const auto& [pc, tally] : samples) {
        annotation.all_samples += tally.samples;
    }
    for (const auto& [pc, cost] : costs) {
        annotation.all_events += cost.events;
    }
    add_instructions(annotation, found, samples, costs, symbolizer.source_path());
    return annotation;
}

void write_annotation(std::ostream& out, const Annotation& annotation, std::string_view event,
                      TextStyle style) {
    constexpr const char* kRow = "  {:>9}  {:>9}  {:<20}  {:x}  {}\n";
    constexpr double kLeast = 5e-5; // of the events: less is 0.00 %, whatever the reason
    const auto all_samples = static_cast<double>(annotation.all_samples);
    out << '\n'
        << heading(fmt::format(
                       "{} ({}): {} of {} samples, {} of all {} events",
                       printable(annotation.function), printable(short_path(annotation.program)),
                       annotation.samples, annotation.all_samples,
                       annotation.events == 0 ? "0 %"
                                              : percent(annotation.events, annotation.all_events),
                       event),
                   style)
        << fmt::format("\n  {:>9}  {:>9}  {:<20}\n", "sampled", "exact", "most cycles for");
    for (const AnnotatedLine& line : annotation.lines) {
        if (line.source.line != 0) {
            out << fmt::format("  {:44}{}:{}  {}\n", "", printable(short_path(line.source.file)),
                               line.source.line, printable(line.text));
        }
        for (const AnnotatedInstruction& row : line.instructions) {
            const std::string reason =
                row.cost.events < annotation.all_events * kLeast || row.cost.reason.empty()
                    ? ""
                    : fmt::format("{} {:.0f} %", row.cost.reason,
                                  100 * row.cost.of_reason / row.cost.cycles);
            out << fmt::format(kRow, percent(static_cast<double>(row.samples), all_samples),
                               percent(row.cost.events, annotation.all_events), reason, row.pc,
                               printable(row.text));
        }
    }
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/output/coverage_file.h"

#include "decoder/trace/output/append_text.h"
#include "platform/profile/text_layout.h"

#include <algorithm>
#include <filesystem>
#include <numeric>

namespace pes::trace {
namespace {

std::size_t unit_of(const CodeSegment& segment, Address pc) {
    return (pc - segment.begin()) / 2;
}

} // namespace

CoverageFile::CoverageFile(const Symbolizer& symbols, const ProgramImage& image)
    : symbols_(symbols), image_(image) {
    for (const CodeSegment& segment : image.segments()) {
        const std::size_t units = unit_of(segment, segment.end());
        counts_.push_back({std::vector<std::int64_t>(units + 1), std::vector<std::uint64_t>(units),
                           std::vector<std::uint64_t>(units)});
    }
}

void CoverageFile::ran(const InstructionRun& run) {
    if (run.code == nullptr) {
        return;
    }
    Counts& counts = counts_[static_cast<std::size_t>(run.code - image_.segments().data())];
    ++counts.changes[unit_of(*run.code, run.begin)];
    --counts.changes[unit_of(*run.code, run.return_address())];
    if (run.end == RunEnd::Taken) {
        ++counts.taken[unit_of(*run.code, run.last)];
    } else if (run.end == RunEnd::NotTaken) {
        ++counts.not_taken[unit_of(*run.code, run.last)];
    }
}

std::uint64_t CoverageFile::Line::count() const {
    return std::accumulate(
        most.begin(), most.end(), std::uint64_t{0},
        [](std::uint64_t sum, const auto& function) { return sum + function.second; });
}

std::vector<Address> CoverageFile::function_begins(const CodeSegment& segment) const {
    std::vector<Address> begins;
    for (const ElfProgram& program : symbols_.programs()) {
        for (const Function& function : program.functions()) {
            if (segment.holds(function.begin)) {
                begins.push_back(function.begin);
            }
        }
    }
    std::ranges::sort(begins);
    return begins;
}

void CoverageFile::add_segment(std::size_t index, SourceFiles& files) const {
    const CodeSegment& segment = image_.segments()[index];
    const std::vector<Address> begins = function_begins(segment);
    const std::vector<std::int64_t>& changes = counts_[index].changes;
    auto next_function = begins.begin();
    std::int64_t count = 0;
    for (Address pc = segment.begin(); pc < segment.end();) {
        count += changes[unit_of(segment, pc)];
        const CodeRun& run = segment.run(pc);
        if (run.instructions != 0) {
            add_instruction(symbols_.find(pc, segment.traits().context), pc, index,
                            static_cast<std::uint64_t>(count), files);
        }
        // Data between functions may look like an instruction that reaches into the next one.
        Address next = pc + (run.instructions != 0 ? run.length : 2);
        next_function = std::upper_bound(next_function, begins.end(), pc);
        if (next_function != begins.end()) {
            next = std::min(next, *next_function);
        }
        for (pc += 2; pc < next; pc += 2) {
            count += changes[unit_of(segment, pc)];
        }
    }
}

void CoverageFile::add_instruction(const Location& location, Address pc, std::size_t index,
                                   std::uint64_t count, SourceFiles& files) const {
    if (location.source.line == 0) {
        return;
    }
    SourceFile& file =
        files[std::filesystem::path(location.source.file).lexically_normal().string()];
    Line& line = file.lines[location.source.line];
    std::uint64_t& most = line.most[location.function];
    most = std::max(most, count);

    const CodeSegment& segment = image_.segments()[index];
    if (segment.flow(pc).kind == FlowKind::Branch) {
        const std::size_t unit = unit_of(segment, pc);
        line.branches.push_back(
            {count != 0, counts_[index].taken[unit], counts_[index].not_taken[unit]});
    }
    if (location.function != nullptr && location.function->begin == pc) {
        const auto [function, is_new] = file.functions.try_emplace(location.function->symbol);
        function->second.count += count;
        if (is_new || location.source.line < function->second.line) {
            function->second.line = location.source.line;
        }
    }
}

std::string CoverageFile::text() const {
    SourceFiles files;
    for (std::size_t i = 0; i < image_.segments().size(); ++i) {
        add_segment(i, files);
    }
    std::string text;
    for (const auto& [path, file] : files) {
        append_text(text, "TN:\nSF:{}\n", printable(path));
        append_functions(text, file);
        append_branches(text, file);
        append_lines(text, file);
        text += "end_of_record\n";
    }
    return text;
}

void CoverageFile::append_functions(std::string& text, const SourceFile& file) {
    std::size_t hit = 0;
    for (const auto& [name, function] : file.functions) {
        append_text(text, "FN:{},{}\n", function.line, printable(name));
    }
    for (const auto& [name, function] : file.functions) {
        append_text(text, "FNDA:{},{}\n", function.count, printable(name));
        hit += function.count != 0 ? 1 : 0;
    }
    append_text(text, "FNF:{}\nFNH:{}\n", file.functions.size(), hit);
}

void CoverageFile::append_branches(std::string& text, const SourceFile& file) {
    std::size_t found = 0;
    std::size_t hit = 0;
    for (const auto& [number, line] : file.lines) {
        for (std::size_t block = 0; block < line.branches.size(); ++block) {
            const Branch& branch = line.branches[block];
            const std::uint64_t ways[] = {branch.taken, branch.not_taken};
            for (std::size_t way = 0; way < std::size(ways); ++way) {
                append_text(text, "BRDA:{},{},{},{}\n", number, block, way,
                            branch.ran ? std::to_string(ways[way]) : "-");
                ++found;
                hit += ways[way] != 0 ? 1 : 0;
            }
        }
    }
    append_text(text, "BRF:{}\nBRH:{}\n", found, hit);
}

void CoverageFile::append_lines(std::string& text, const SourceFile& file) {
    std::size_t hit = 0;
    for (const auto& [number, line] : file.lines) {
        const std::uint64_t count = line.count();
        append_text(text, "DA:{},{}\n", number, count);
        hit += count != 0 ? 1 : 0;
    }
    append_text(text, "LF:{}\nLH:{}\n", file.lines.size(), hit);
}

} // namespace pes::trace

// SPDX-License-Identifier: Apache-2.0
// The text of LLVM's sample profiles (clang.llvm.org/docs/UsersManual.html, "Sample Profile Text
// Format"): for each function lines with their distance from its first line and a count, and what
// was inlined there as functions inside. The count of a line is that of its instruction with the
// most events. Functions come with falling totals, as LLVM writes them itself.
#include "decoder/export/formats.h"
#include "platform/program/inline_frames.h"

#include <algorithm>
#include <map>
#include <memory>
#include <ranges>
#include <spdlog/fmt/fmt.h>

namespace pes {
namespace {

constexpr unsigned kOffsetMask = 0xFFFF; // of a line, for LLVM

unsigned offset_of(const InlineFrame& frame) {
    return (frame.line - frame.begin) & kOffsetMask;
}

struct FunctionSamples {
    std::map<unsigned, std::uint64_t> lines; ///< by offset
    std::map<unsigned, std::map<std::string, FunctionSamples>> inlined;
    std::uint64_t head = 0; ///< of its first instruction

    std::uint64_t total() const {
        std::uint64_t sum = 0;
        for (const auto& [offset, count] : lines) {
            sum = saturating_sum(sum, count);
        }
        for (const auto& [offset, functions] : inlined) {
            for (const auto& [symbol, function] : functions) {
                sum = saturating_sum(sum, function.total());
            }
        }
        return sum;
    }
};

class Profile {
  public:
    explicit Profile(const ExportData& data) {
        for (const ElfProgram& program : data.programs()) {
            programs_.push_back({program, std::make_unique<InlineFrames>(program.file())});
        }
    }

    void add(Address pc, std::uint64_t count) {
        const std::vector<InlineFrame> frames = frames_at(pc);
        const auto is_known = [](const InlineFrame& frame) {
            return frame.line != 0 && frame.begin != 0 && !frame.name.empty();
        };
        if (frames.empty() || !std::ranges::all_of(frames, is_known)) {
            return;
        }
        FunctionSamples* function = &functions_[frames.back().name];
        if (frames.back().code == pc) {
            function->head = saturating_sum(function->head, count);
        }
        for (std::size_t i = frames.size() - 1; i > 0; --i) {
            function = &function->inlined[offset_of(frames[i])][frames[i - 1].name];
        }
        std::uint64_t& line = function->lines[offset_of(frames.front())];
        line = std::max(line, count);
    }

    void write(OutputFile& file) const {
        using Entry = std::pair<std::uint64_t, const std::string*>;
        std::vector<Entry> order;
        for (const auto& [symbol, function] : functions_) {
            order.emplace_back(function.total(), &symbol);
        }
        std::ranges::stable_sort(order, std::ranges::greater{}, &Entry::first);
        for (const auto& [total, symbol] : order) {
            const FunctionSamples& function = functions_.at(*symbol);
            file.write(fmt::format("{}:{}:{}\n", *symbol, total, function.head));
            write_body(file, function, 1);
        }
    }

  private:
    struct Program {
        const ElfProgram& symbols;
        std::unique_ptr<InlineFrames> inlines;
    };

    std::vector<InlineFrame> frames_at(Address pc) const {
        for (const Program& program : programs_) {
            std::vector<InlineFrame> frames = program.inlines->at(pc);
            if (frames.empty()) {
                continue;
            }
            // GCC leaves the symbol of a static function out of the debug information.
            const Function* function = program.symbols.find_function(pc);
            if (!frames.back().mangled && function != nullptr) {
                const std::string& symbol = function->symbol;
                frames.back().name = symbol.substr(0, symbol.find('.', 1)); // a clone's ".isra.0"
            }
            return frames;
        }
        return {};
    }

    static void write_body(OutputFile& file, const FunctionSamples& function, unsigned depth) {
        for (const auto& [offset, count] : function.lines) {
            file.write(fmt::format("{:{}}{}: {}\n", "", depth, offset, count));
        }
        for (const auto& [offset, functions] : function.inlined) {
            for (const auto& [symbol, inlined] : functions) {
                file.write(
                    fmt::format("{:{}}{}: {}:{}\n", "", depth, offset, symbol, inlined.total()));
                write_body(file, inlined, depth + 1);
            }
        }
    }

    std::vector<Program> programs_;
    std::map<std::string, FunctionSamples> functions_;
};

} // namespace

void export_autofdo(OutputFile& file, ExportData& data) {
    std::map<Address, std::uint64_t> counts;
    for (const ExportedSample& sample : data.samples()) {
        std::uint64_t& count = counts[sample.record.pc];
        count = saturating_sum(count, sample.weight);
    }
    Profile profile(data);
    for (const auto& [pc, count] : counts) {
        profile.add(pc, count);
    }
    profile.write(file);
}

} // namespace pes

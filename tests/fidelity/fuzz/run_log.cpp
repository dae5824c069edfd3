// SPDX-License-Identifier: Apache-2.0
#include "tests/fidelity/fuzz/run_log.h"

#include <algorithm>
#include <charconv>

namespace pes::cycle_fuzz {
namespace {

constexpr std::size_t kRecordWords = 2 + fidelity::kEvents;

/// Takes the next word off a line.
std::string_view word_of(std::string_view& line) {
    const std::size_t end = line.find(' ');
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
    return word;
}

std::uint64_t number_of(std::string_view word, int base) {
    std::uint64_t value = 0;
    std::from_chars(word.data(), word.data() + word.size(), value, base);
    return value;
}

std::string_view kind_of_compressed(std::uint32_t raw) {
    const unsigned function = raw >> 13 & 7;
    switch ((raw & 3) << 3 | function) {
    case 0b00'001:
    case 0b00'010:
    case 0b00'011:
    case 0b10'001:
    case 0b10'010:
    case 0b10'011:
        return "c.load";
    case 0b00'101:
    case 0b00'110:
    case 0b00'111:
    case 0b10'101:
    case 0b10'110:
    case 0b10'111:
        return "c.store";
    case 0b01'101:
        return "c.j";
    case 0b01'110:
    case 0b01'111:
        return "c.branch";
    case 0b10'100:
        if ((raw >> 2 & 0x1F) == 0 && (raw >> 7 & 0x1F) != 0) {
            return (raw >> 12 & 1) != 0 ? "c.jalr" : "c.jr";
        }
        return "c.alu";
    default:
        return "c.alu";
    }
}

std::string_view kind_of_float(std::uint32_t raw) {
    switch (raw >> 27) {
    case 0b00000:
    case 0b00001:
        return "fadd";
    case 0b00010:
        return "fmul";
    case 0b00011:
        return "fdiv";
    case 0b01011:
        return "fsqrt";
    case 0b00100:
    case 0b00101:
    case 0b10100:
    case 0b11100:
    case 0b11110:
        return "fmove";
    default:
        return "fcvt";
    }
}

std::string_view kind_of_atomic(std::uint32_t raw) {
    switch (raw >> 27) {
    case 0b00010:
        return "lr";
    case 0b00011:
        return "sc";
    default:
        return "amo";
    }
}

std::string_view kind_of_system(std::uint32_t raw) {
    if ((raw >> 12 & 7) != 0) {
        return "csr";
    }
    if (raw >> 25 == 0b0001001) {
        return "sfence";
    }
    switch (raw) {
    case 0x1020'0073:
    case 0x3020'0073:
        return "xret";
    case 0x1050'0073:
        return "wfi";
    default:
        return "trap";
    }
}

} // namespace

std::vector<Pass> passes_of(const std::vector<std::uint64_t>& words) {
    std::vector<Pass> passes;
    for (std::size_t at = 0; at + kRecordWords <= words.size(); at += kRecordWords) {
        Pass& pass = passes.emplace_back();
        pass.cycles = words[at];
        pass.instructions = words[at + 1];
        for (std::size_t event = 0; event < pass.events.size(); ++event) {
            pass.events[event] = words[at + 2 + event];
        }
    }
    return passes;
}

RunLog parse_judge_output(std::string_view text) {
    RunLog log;
    log.problem = "the judge's log has no end";
    std::vector<std::uint64_t> words;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        const std::string_view kind = word_of(line);
        if (kind == "R" || kind == "T") {
            Step& step = log.steps.emplace_back();
            step.trap = kind == "T";
            step.cycle = number_of(word_of(line), 10);
            step.pc = number_of(word_of(line), 16);
            const std::uint64_t value = number_of(word_of(line), 16);
            if (step.trap) {
                step.cause = value;
            } else {
                step.raw = static_cast<std::uint32_t>(value);
            }
        } else if (kind == "E") {
            word_of(line);
            log.problem = number_of(word_of(line), 16) == 1 ? "" : "the program did not end";
        } else if (!kind.empty() && kind[0] >= '0' && kind[0] <= '9') {
            words.push_back(number_of(kind, 10));
        }
    }
    log.passes = passes_of(words);
    return log;
}

void begin_at(RunLog& log, Address pc, bool last) {
    auto first = std::ranges::find(log.steps, pc, &Step::pc);
    for (auto next = first; last && next != log.steps.end();) {
        first = next;
        next = std::find_if(first + 1, log.steps.end(),
                            [pc](const Step& step) { return step.pc == pc; });
    }
    log.steps.erase(log.steps.begin(), first);
    const Cycle begin = log.steps.empty() ? 0 : log.steps.front().cycle;
    log.begin += begin;
    for (Step& step : log.steps) {
        step.cycle -= begin;
    }
}

void end_at(RunLog& log, Address pc) {
    const auto last = std::find_if(log.steps.rbegin(), log.steps.rend(),
                                   [pc](const Step& step) { return step.pc == pc; });
    if (last != log.steps.rend()) {
        log.steps.erase(last.base() - 1, log.steps.end());
    }
}

std::string_view kind_of(std::uint32_t raw) {
    if ((raw & 3) != 3) {
        return kind_of_compressed(raw);
    }
    const unsigned function = raw >> 12 & 7;
    switch (raw >> 2 & 0x1F) {
    case 0b00000:
        return "load";
    case 0b00001:
        return "fload";
    case 0b00011:
        return function == 1 ? "fence.i" : "fence";
    case 0b01000:
        return "store";
    case 0b01001:
        return "fstore";
    case 0b01011:
        return kind_of_atomic(raw);
    case 0b01100:
    case 0b01110:
        return raw >> 25 != 1 ? "alu" : function < 4 ? "mul" : "div";
    case 0b10000:
    case 0b10001:
    case 0b10010:
    case 0b10011:
        return "fma";
    case 0b10100:
        return kind_of_float(raw);
    case 0b11000:
        return "branch";
    case 0b11001:
        return "jalr";
    case 0b11011:
        return "jal";
    case 0b11100:
        return kind_of_system(raw);
    default:
        return "alu";
    }
}

} // namespace pes::cycle_fuzz

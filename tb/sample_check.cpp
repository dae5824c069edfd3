// SPDX-License-Identifier: Apache-2.0
#include "tb/sample_check.h"

#include "hw/common/event_id.h"

#include <array>
#include <cstdio>

namespace pes {
namespace {

/// A distance measured on RTL, in cycles behind `from`.
struct Figure {
    Step from;
    Cycle least, most;
    enum class Scope : std::uint8_t {
        Always,    ///< demanded of every program
        Loop,      ///< demanded of the RTL's loop, compared otherwise
        LoopFloat, ///< demanded of the loop when floating-point instructions are sampled
    } scope;
};

struct Rule {
    Step step;
    std::optional<Step> after; ///< must have happened before
    std::optional<Figure> figure{};
};

constexpr std::array kRules{
    Rule{Step::EventRetires, {}},
    Rule{Step::ThresholdReached, Step::EventRetires,
         Figure{Step::EventRetires, 1, 1, Figure::Scope::Always}},
    Rule{Step::Line, Step::EventRetires, Figure{Step::EventRetires, 1, 1, Figure::Scope::Always}},
    Rule{Step::Request, Step::EventRetires,
         Figure{Step::EventRetires, 1, 1, Figure::Scope::Always}},
    Rule{Step::Pending, Step::Request, Figure{Step::EventRetires, 2, 2, Figure::Scope::Always}},
    Rule{Step::Target, Step::Pending, Figure{Step::EventRetires, 3, 3, Figure::Scope::Always}},
    Rule{Step::Mip, Step::Target, Figure{Step::EventRetires, 4, 4, Figure::Scope::Always}},
    Rule{Step::TrapTaken, Step::Mip, Figure{Step::EventRetires, 7, 7, Figure::Scope::LoopFloat}},
    Rule{Step::HandlerStarts, Step::TrapTaken, Figure{Step::TrapTaken, 7, 7, Figure::Scope::Loop}},
    Rule{Step::Inhibit, Step::HandlerStarts},
    Rule{Step::Claim, Step::HandlerStarts},
    Rule{Step::Store, Step::Claim},
    Rule{Step::Reset, Step::Store},
    Rule{Step::Complete, Step::Reset},
    Rule{Step::UninhibitRetires, Step::Reset,
         Figure{Step::HandlerStarts, 28, 28, Figure::Scope::Loop}},
    Rule{Step::ReturnRetires, Step::Reset},
    Rule{Step::Resume, Step::ReturnRetires, Figure{Step::ReturnRetires, 6, 7, Figure::Scope::Loop}},
};
static_assert(kRules.size() == kStepCount);

constexpr std::uint64_t kFloatingPointSelector = static_cast<std::uint64_t>(Event::FloatingPoint);
constexpr std::uint64_t kIntegerSelector = static_cast<std::uint64_t>(Event::Integer);

bool demanded(const Figure& figure, const Sample& sample, const CheckOptions& options) {
    const bool loop = options.figures == RtlFigures::Loop;
    switch (figure.scope) {
    case Figure::Scope::Always:
        return true;
    case Figure::Scope::Loop:
        return loop;
    case Figure::Scope::LoopFloat:
        return loop && sample.selector == kFloatingPointSelector;
    }
    return false;
}

std::string range(Cycle least, Cycle most) {
    return least == most ? std::to_string(least)
                         : std::to_string(least).append("..").append(std::to_string(most));
}

std::string describe(const Figure& figure) {
    const std::string distance = " + " + range(figure.least, figure.most);
    return figure.from == Step::EventRetires ? "T" + distance
                                             : std::string(title_of(figure.from)) + distance;
}

CheckRow judge(const Rule& rule, const Sample& sample, const CheckOptions& options) {
    CheckRow row{std::string(title_of(rule.step)), sample.at(rule.step), "", Verdict::Holds};
    if (!row.at) {
        return {row.title, row.at, "must happen", Verdict::Fails};
    }
    if (rule.after) {
        row.expected = "after: " + std::string(title_of(*rule.after));
        const std::optional<Cycle> earlier = sample.at(*rule.after);
        if (!earlier || *row.at <= *earlier) {
            row.verdict = Verdict::Fails;
            return row;
        }
    }
    const bool loop = options.figures == RtlFigures::Loop;
    if (!rule.figure || (rule.step == Step::UninhibitRetires && !loop)) {
        return row;
    }
    row.expected = describe(*rule.figure);
    const std::optional<Cycle> from = sample.at(rule.figure->from);
    const bool met =
        from && *row.at >= *from + rule.figure->least && *row.at <= *from + rule.figure->most;
    if (!met) {
        row.verdict = demanded(*rule.figure, sample, options) ? Verdict::Fails : Verdict::Differs;
    }
    return row;
}

CheckRow fact(std::string title, std::string expected, bool holds) {
    return {std::move(title), std::nullopt, std::move(expected),
            holds ? Verdict::Holds : Verdict::Fails};
}

/// What the RTL experiment says besides cycles.
void check_facts(const Sample& sample, const CheckOptions& options, std::vector<CheckRow>& rows) {
    rows.push_back(fact("resumes at mepc", "the saved mepc", sample.resumed_pc == sample.mepc));
    if (options.figures != RtlFigures::Loop) {
        return;
    }
    constexpr std::size_t kLeastSkid = 6;
    constexpr std::size_t kMostSkid = 11;
    rows.push_back(fact("mepc is " + std::to_string(sample.skid) + " instructions late",
                        range(kLeastSkid, kMostSkid),
                        sample.skid >= kLeastSkid && sample.skid <= kMostSkid));
    if (sample.selector == kIntegerSelector) {
        constexpr std::uint64_t kLeast = 5; // with threshold 4
        constexpr std::uint64_t kMost = 9;
        rows.push_back(fact("counter reads " + std::to_string(sample.counted) + " on entry",
                            range(kLeast, kMost),
                            sample.counted >= kLeast && sample.counted <= kMost));
    }
}

std::string_view text_of(Verdict verdict) {
    switch (verdict) {
    case Verdict::Holds:
        return "OK";
    case Verdict::Fails:
        return "FAILS";
    case Verdict::Differs:
        return "differs";
    }
    return "";
}

} // namespace

std::vector<CheckRow> check_sample(const Sample& sample, const CheckOptions& options) {
    std::vector<CheckRow> rows;
    for (const Rule& rule : kRules) {
        const bool about_inhibition =
            rule.step == Step::Inhibit || rule.step == Step::UninhibitRetires;
        if (!about_inhibition || options.handler_inhibits) {
            rows.push_back(judge(rule, sample, options));
        }
    }
    check_facts(sample, options, rows);
    return rows;
}

std::string format_check(const Sample& sample, const std::vector<CheckRow>& rows) {
    std::array<char, 200> line{};
    std::string text;
    std::snprintf(line.data(), line.size(),
                  "mhpmcounter%u, event %llu, threshold %llu: event at pc %#llx, mepc %#llx, "
                  "%zu instructions later, counter %llu\n",
                  sample.counter + 2, static_cast<unsigned long long>(sample.selector),
                  static_cast<unsigned long long>(sample.threshold),
                  static_cast<unsigned long long>(sample.event_pc),
                  static_cast<unsigned long long>(sample.mepc), sample.skid,
                  static_cast<unsigned long long>(sample.counted));
    text += line.data();
    std::snprintf(line.data(), line.size(), "  %-36s %8s %7s  %-44s\n", "step", "cycle", "from T",
                  "expected (RTL)");
    text += line.data();
    const std::optional<Cycle> start = sample.at(Step::EventRetires);
    for (const CheckRow& row : rows) {
        const std::string cycle = row.at ? std::to_string(*row.at) : "";
        const std::string distance = row.at && start && *row.at >= *start
                                         ? std::string("+").append(std::to_string(*row.at - *start))
                                         : std::string();
        std::snprintf(line.data(), line.size(), "  %-36s %8s %7s  %-44s %s\n", row.title.c_str(),
                      cycle.c_str(), distance.c_str(), row.expected.c_str(),
                      std::string(text_of(row.verdict)).c_str());
        text += line.data();
    }
    return text;
}

} // namespace pes

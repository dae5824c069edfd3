// SPDX-License-Identifier: Apache-2.0
#include "tb/sample_check.h"

#include "hw/interface/pmu/pulse_sources.h"

#include <array>
#include <cstdio>

namespace pes {
namespace {

/// A distance measured on RTL, in cycles behind `from`.
struct StepFigure {
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
    std::optional<StepFigure> figure{};
};

constexpr std::array kRules{
    Rule{Step::Event, {}},
    Rule{Step::ThresholdReached, Step::Event,
         StepFigure{Step::Event, 1, 1, StepFigure::Scope::Always}},
    Rule{Step::Line, Step::Event, StepFigure{Step::Event, 1, 1, StepFigure::Scope::Always}},
    Rule{Step::Request, Step::Event, StepFigure{Step::Event, 1, 1, StepFigure::Scope::Always}},
    Rule{Step::Pending, Step::Request, StepFigure{Step::Event, 2, 2, StepFigure::Scope::Always}},
    Rule{Step::Target, Step::Pending, StepFigure{Step::Event, 3, 3, StepFigure::Scope::Always}},
    Rule{Step::Mip, Step::Target, StepFigure{Step::Event, 4, 4, StepFigure::Scope::Always}},
    Rule{Step::TrapTaken, Step::Mip, StepFigure{Step::Event, 7, 7, StepFigure::Scope::LoopFloat}},
    Rule{Step::HandlerStarts, Step::TrapTaken,
         StepFigure{Step::TrapTaken, 7, 7, StepFigure::Scope::Loop}},
    Rule{Step::Inhibit, Step::HandlerStarts},
    Rule{Step::Claim, Step::HandlerStarts},
    Rule{Step::Store, Step::Claim},
    Rule{Step::Reset, Step::Store},
    Rule{Step::Complete, Step::Reset},
    Rule{Step::UninhibitRetires, Step::Reset,
         StepFigure{Step::HandlerStarts, 28, 28, StepFigure::Scope::Loop}},
    Rule{Step::ReturnRetires, Step::Reset},
    Rule{Step::Resume, Step::ReturnRetires,
         StepFigure{Step::ReturnRetires, 6, 7, StepFigure::Scope::Loop}},
};
static_assert(kRules.size() == kStepCount);

constexpr std::uint64_t kFloatingPointSelector = static_cast<std::uint64_t>(Event::FloatingPoint);
constexpr std::uint64_t kIntegerSelector = static_cast<std::uint64_t>(Event::Integer);

bool demanded(const StepFigure& figure, const Sample& sample, const CheckOptions& options) {
    const bool loop = options.figures == RtlFigures::Loop;
    switch (figure.scope) {
    case StepFigure::Scope::Always:
        return true;
    case StepFigure::Scope::Loop:
        return loop;
    case StepFigure::Scope::LoopFloat:
        return loop && sample.selector == kFloatingPointSelector;
    }
    return false;
}

std::string range(Cycle least, Cycle most) {
    return least == most ? std::to_string(least)
                         : std::to_string(least).append("..").append(std::to_string(most));
}

std::string describe(const StepFigure& figure) {
    const std::string distance = " + " + range(figure.least, figure.most);
    return figure.from == Step::Event ? "T" + distance
                                      : std::string(title_of(figure.from)) + distance;
}

/// What is demanded of a sample that was taken in a call, or found the interrupt up already.
bool applies(const Rule& rule, const Sample& sample, const CheckOptions& options) {
    switch (rule.step) {
    case Step::Inhibit:
        return options.handler_inhibits;
    case Step::UninhibitRetires:
        return options.handler_inhibits && sample.taken == Taken::ByInterrupt;
    case Step::Target:
    case Step::Mip:
        return !sample.line_shared;
    case Step::TrapTaken:
    case Step::HandlerStarts:
    case Step::Claim:
    case Step::Complete:
    case Step::ReturnRetires:
    case Step::Resume:
        return sample.taken == Taken::ByInterrupt;
    default:
        return true;
    }
}

/// The step before it in this sample.
std::optional<Step> earlier_step(const Rule& rule, const Sample& sample) {
    const bool called = sample.taken == Taken::ByCall;
    switch (rule.step) {
    case Step::TrapTaken:
        return sample.line_shared ? Step::Pending : Step::Mip;
    case Step::Inhibit:
        return called ? Step::Line : rule.after;
    case Step::Store:
        return called ? Step::Line : rule.after;
    case Step::Reset:
        return sample.recorded() ? Step::Store : called ? Step::Inhibit : Step::Claim;
    default:
        return rule.after;
    }
}

CheckRow judge(const Rule& rule, const Sample& sample, const CheckOptions& options) {
    CheckRow row{std::string(title_of(rule.step)), sample.at(rule.step), "", Verdict::Holds};
    if (rule.step == Step::Store && !row.at) {
        row.expected = "no record: no room, or another mode";
        return row;
    }
    if (!row.at) {
        return {row.title, row.at, "must happen", Verdict::Fails};
    }
    if (const std::optional<Step> after = earlier_step(rule, sample)) {
        row.expected = "after: " + std::string(title_of(*after));
        const std::optional<Cycle> earlier = sample.at(*after);
        if (!earlier || *row.at <= *earlier) {
            row.verdict = Verdict::Fails;
            return row;
        }
    }
    if (rule.step == Step::Resume && sample.trapped_again) {
        row.expected = "in another trap's handler first";
        return row;
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
    if (sample.taken == Taken::ByInterrupt && !sample.trapped_again) {
        rows.push_back(fact("resumes at mepc", "the saved mepc", sample.resumed_pc == sample.mepc));
    }
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
        if (applies(rule, sample, options)) {
            rows.push_back(judge(rule, sample, options));
        }
    }
    check_facts(sample, options, rows);
    return rows;
}

namespace {

/// What was counted, where it happened, and where the sample says that it did.
std::string headline(const Sample& sample) {
    constexpr std::array<std::string_view, 3> kCauses{"event at pc", "event behind pc",
                                                      "written at pc"};
    std::array<char, 200> line{};
    std::snprintf(line.data(), line.size(), "%s, event %llu, threshold %llu: %s %#llx",
                  signals_of(sample.counter).name.c_str(),
                  static_cast<unsigned long long>(sample.selector),
                  static_cast<unsigned long long>(sample.threshold),
                  std::string(kCauses[static_cast<std::size_t>(sample.cause)]).c_str(),
                  static_cast<unsigned long long>(sample.event_pc));
    std::string text = line.data();
    if (sample.taken == Taken::ByCall) {
        return text + ", taken in a call of the firmware before its interrupt\n";
    }
    std::snprintf(line.data(), line.size(), ", mepc %#llx, %zu instructions later, counter %llu\n",
                  static_cast<unsigned long long>(sample.mepc), sample.skid,
                  static_cast<unsigned long long>(sample.counted));
    return text + line.data();
}

} // namespace

std::string format_check(const Sample& sample, const std::vector<CheckRow>& rows) {
    std::array<char, 200> line{};
    std::string text = headline(sample);
    std::snprintf(line.data(), line.size(), "  %-36s %8s %7s  %-44s\n", "step", "cycle", "from T",
                  "expected (RTL)");
    text += line.data();
    const std::optional<Cycle> start = sample.at(Step::Event);
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

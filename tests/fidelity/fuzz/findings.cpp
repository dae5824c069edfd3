// SPDX-License-Identifier: Apache-2.0
#include "tests/fidelity/fuzz/findings.h"

#include <algorithm>
#include <cmath>
#include <spdlog/fmt/fmt.h>

namespace pes::cycle_fuzz {
namespace {

bool same_place(const Step& one, const Step& other) {
    return one.pc == other.pc && one.trap == other.trap && one.cause == other.cause;
}

double error(const RunLog& judge, const RunLog& model, std::size_t pass) {
    if (pass >= judge.passes.size() || pass >= model.passes.size()) {
        return 0;
    }
    const auto theirs = static_cast<double>(judge.passes[pass].cycles);
    return (static_cast<double>(model.passes[pass].cycles) - theirs) / std::max(theirs, 1.0);
}

/// Each step where the distance from the step before differs is charged to its instruction.
std::map<std::string, std::int64_t> blame(const RunLog& judge, const RunLog& model) {
    std::map<std::string, std::int64_t> result;
    const std::size_t common = std::min(judge.steps.size(), model.steps.size());
    std::int64_t drift = 0;
    for (std::size_t step = 0; step < common; ++step) {
        const Step& theirs = judge.steps[step];
        const Step& ours = model.steps[step];
        if (theirs.pc != ours.pc || theirs.trap != ours.trap) {
            break; // from here on they are not comparable
        }
        const auto now = static_cast<std::int64_t>(ours.cycle - theirs.cycle);
        if (now != drift) {
            result[ours.trap ? "trap" : std::string(kind_of(ours.raw))] += std::abs(now - drift);
        }
        drift = now;
    }
    return result;
}

double percentile_95(std::vector<double> values) {
    std::ranges::sort(values);
    return values[(values.size() * 95 + 99) / 100 - 1];
}

std::string row(std::string_view name, const std::vector<const Finding*>& of) {
    std::vector<double> cold;
    std::vector<double> warm;
    unsigned exact = 0;
    unsigned ways = 0;
    unsigned problems = 0;
    for (const Finding* finding : of) {
        if (!finding->problem.empty()) {
            ++problems;
            continue;
        }
        cold.push_back(100 * std::abs(finding->cold));
        warm.push_back(100 * std::abs(finding->warm));
        exact += finding->exact ? 1 : 0;
        ways += finding->same_way ? 0 : 1;
    }
    if (warm.empty()) {
        return fmt::format("| {} | 0 | - | - | - | - | - | - | {} |\n", name, problems);
    }
    double sum = 0;
    double cold_sum = 0;
    for (std::size_t index = 0; index < warm.size(); ++index) {
        sum += warm[index];
        cold_sum += cold[index];
    }
    const auto size = static_cast<double>(warm.size());
    return fmt::format("| {} | {} | {} | {:.3f} % | {:.2f} % | {:.2f} % | {:.3f} % | {} | {} |\n",
                       name, warm.size(), exact, sum / size, percentile_95(warm),
                       *std::ranges::max_element(warm), cold_sum / size, ways, problems);
}

} // namespace

Finding compare(Class of, std::uint64_t seed, const RunLog& judge, const RunLog& model) {
    Finding finding{.of = of, .seed = seed};
    if (!judge.problem.empty() || !model.problem.empty()) {
        finding.problem = judge.problem.empty() ? "model: " + model.problem : judge.problem;
        return finding;
    }
    finding.difference = first_difference(judge, model);
    finding.exact = !finding.difference;
    finding.same_way = same_way(judge, model);
    finding.cold = error(judge, model, 0);
    finding.warm = error(judge, model, judge.passes.size() - 1);
    if (!judge.passes.empty() && !model.passes.empty()) {
        finding.counted = {.judge = judge.passes.back(), .model = model.passes.back()};
    }
    finding.blame = blame(judge, model);
    return finding;
}

bool same_way(const RunLog& judge, const RunLog& model) {
    return std::ranges::equal(judge.steps, model.steps, same_place);
}

std::string report_of(const std::vector<Finding>& findings) {
    std::string text =
        "| class | programs | exact | mean, warm | 95th percentile | worst | mean, cold | "
        "another way | problems |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
    std::vector<const Finding*> all;
    for (const ClassName& name : kClassNames) {
        std::vector<const Finding*> of;
        for (const Finding& finding : findings) {
            if (finding.of == name.of) {
                of.push_back(&finding);
            }
        }
        if (!of.empty()) {
            text += row(name.name, of);
        }
        all.insert(all.end(), of.begin(), of.end());
    }
    text += row("all", all);
    std::map<std::string, std::int64_t> kinds;
    for (const Finding& finding : findings) {
        for (const auto& [kind, cycles] : finding.blame) {
            kinds[kind] += cycles;
        }
    }
    std::vector<std::pair<std::string, std::int64_t>> order(kinds.begin(), kinds.end());
    std::ranges::sort(order, std::greater{}, &std::pair<std::string, std::int64_t>::second);
    text += "\n| retires too early or too late | cycles |\n| --- | --- |\n";
    for (const auto& [kind, cycles] : order) {
        text += fmt::format("| {} | {} |\n", kind, cycles);
    }
    return text;
}

double worst_of(const std::vector<Finding>& findings) {
    double worst = 0;
    for (const Finding& finding : findings) {
        worst = std::max(worst, std::abs(finding.warm));
    }
    return worst;
}

} // namespace pes::cycle_fuzz

// SPDX-License-Identifier: Apache-2.0
#include "platform/profile/metrics.h"

#include "hw/interface/pmu/standard_events.h"
#include "platform/profile/report.h"

#include <algorithm>
#include <spdlog/fmt/fmt.h>

namespace pes {
namespace {

using enum MetricUnit;

constexpr Metric kMetrics[] = {
    {"IPC", "INST.RET / CYCLES.HART", "Instruction", Ratio, "Instructions retired per cycle"},
    {"CPI", "CYCLES.HART / INST.RET", "Instruction", Ratio, "Cycles per retired instruction",
     "not in the specification"},
    {"CACHE.L1I.RD.CODE.MPKI", "CACHE.L1I.RD.CODE.MISS * 1000 / INST.RET", "Cache", PerThousand,
     "L1I misses per 1000 instructions"},
    {"CACHE.L1I.RD.CODE.MISS.RATE", "CACHE.L1I.RD.CODE.MISS / CACHE.L1I.RD.CODE.ACCESS", "Cache",
     Share, "L1I misses per cycle with a fetch request"},
    {"CACHE.L1D.RD.DATA.MPKI", "CACHE.L1D.RD.DATA.MISS * 1000 / INST.RET", "Cache", PerThousand,
     "L1D read misses per 1000 instructions"},
    {"CACHE.L1D.RD.DATA.MISS.RATE", "CACHE.L1D.RD.DATA.MISS / INST.LOAD.RET", "Cache", Share,
     "L1D read misses per load", "divisor: CACHE.L1D.RD.DATA.ACCESS"},
    {"TLB.L1I.CODE.MPKI", "TLB.L1I.CODE.MISS * 1000 / INST.RET", "Cache", PerThousand,
     "ITLB misses per 1000 instructions"},
    {"TLB.L1D.LDST.MPKI", "TLB.L1D.LDST.MISS * 1000 / INST.RET", "Cache", PerThousand,
     "DTLB misses per 1000 instructions"},
    {"TLB.L1D.LDST.MISS.RATE", "TLB.L1D.LDST.MISS / (INST.LOAD.RET + INST.STORE.RET)", "Cache",
     Share, "DTLB misses per load or store", "divisor: TLB.L1D.LDST.ACCESS"},
    {"INST.BRJMP.PKI", "INST.BRJMP.RET * 1000 / INST.RET", "Instruction", PerThousand,
     "Branches and jumps per 1000 instructions"},
    {"INST.MISPRED.PKI", "INST.MISPRED.SPEC * 1000 / INST.RET", "Instruction",
     MispredictsPerThousand, "Mispredicted branches and jumps per 1000 instructions",
     "INST.MISPRED.RET"},
    {"INST.MISPRED.RATE", "INST.MISPRED.SPEC / INST.BRJMP.RET", "Instruction", Share,
     "Mispredictions per branch or jump",
     "INST.MISPRED.RET; divisor: INST.BRJMP.PRED.RET, without direct jumps"},
    {"INST.BRJMP.BRANCH.PKI", "INST.BRJMP.BRANCH.RET * 1000 / INST.RET", "Instruction", PerThousand,
     "Conditional branches per 1000 instructions"},
    {"INST.MISPRED.BRANCH.PKI", "INST.MISPRED.BRANCH.SPEC * 1000 / INST.RET", "Instruction",
     MispredictsPerThousand, "Mispredicted conditional branches per 1000 instructions",
     "INST.MISPRED.BRANCH.RET"},
    {"INST.MISPRED.BRANCH.RATE", "INST.MISPRED.BRANCH.SPEC / INST.BRJMP.BRANCH.RET", "Instruction",
     Share, "Mispredictions per conditional branch", "INST.MISPRED.BRANCH.RET"},
    {"TOPDOWN.RETIRING.RATE", "TOPDOWN.RETIRING.SLOTS / TOPDOWN.SLOTS", "TopdownL1", Share,
     "Slots of instructions that retired",
     "UOP.RET / TOPDOWN.SLOTS, the same: an instruction is one micro-operation", "retiring"},
    {"TOPDOWN.BAD_SPECULATION.RATE", "TOPDOWN.BAD_SPECULATION.SLOTS / TOPDOWN.SLOTS", "TopdownL1",
     Share, "Slots lost to instructions that are thrown away, and to the refill behind them", "",
     "bad speculation"},
    {"TOPDOWN.BAD_SPECULATION.MISPRED.RATE",
     "TOPDOWN.BAD_SPECULATION.MISPREDICT.SLOTS / TOPDOWN.SLOTS", "TopdownL2", Share,
     "The part of mispredicted branches and jumps", "", "mispredict"},
    {"TOPDOWN.BAD_SPECULATION.OTHER.RATE",
     "(TOPDOWN.BAD_SPECULATION.SLOTS - TOPDOWN.BAD_SPECULATION.MISPREDICT.SLOTS) / TOPDOWN.SLOTS",
     "TopdownL2", Share, "The part of all other flushes, and of interrupts",
     "has MEM_ORDERING.SLOTS in front, which its description excludes", "other"},
    {"TOPDOWN.FRONTEND_BOUND.RATE", "TOPDOWN.FRONTEND_BOUND.SLOTS / TOPDOWN.SLOTS", "TopdownL1",
     Share, "Slots in which the frontend offers no instruction", "", "frontend bound"},
    {"TOPDOWN.FRONTEND_BOUND.LATENCY.ADDR.RATE",
     "TOPDOWN.FRONTEND_BOUND.LATENCY.ADDR.SLOTS / TOPDOWN.SLOTS", "TopdownL2", Share,
     "The part that waits for the translation of a fetch", "not in the specification", "address"},
    {"TOPDOWN.FRONTEND_BOUND.LATENCY.DATA.RATE",
     "TOPDOWN.FRONTEND_BOUND.LATENCY.DATA.SLOTS / TOPDOWN.SLOTS", "TopdownL2", Share,
     "The part that waits for a line of code", "not in the specification", "data"},
    {"TOPDOWN.FRONTEND_BOUND.LATENCY.REDIRECT.RATE",
     "TOPDOWN.FRONTEND_BOUND.LATENCY.REDIRECT.SLOTS / TOPDOWN.SLOTS", "TopdownL2", Share,
     "The part that waits without a miss, as behind a taken branch", "not in the specification",
     "redirect"},
    {"TOPDOWN.BACKEND_BOUND.RATE", "TOPDOWN.BACKEND_BOUND.SLOTS / TOPDOWN.SLOTS", "TopdownL1",
     Share, "Slots in which the backend takes no instruction", "", "backend bound"},
    {"TOPDOWN.BACKEND_BOUND.MEMORY_BOUND.RATE",
     "TOPDOWN.BACKEND_BOUND.MEMORY.SLOTS / TOPDOWN.SLOTS", "TopdownL2", Share,
     "The part that waits for a load, a store or a device", "", "memory bound"},
    {"TOPDOWN.BACKEND_BOUND.CORE_BOUND.RATE", "TOPDOWN.BACKEND_BOUND.CORE.SLOTS / TOPDOWN.SLOTS",
     "TopdownL2", Share, "The part that waits for operands and units", "", "core bound"},
};

constexpr const char* kSlots = "TOPDOWN.SLOTS";
constexpr const char* kRetiring = "TOPDOWN.RETIRING.SLOTS";
constexpr const char* kBad = "TOPDOWN.BAD_SPECULATION.SLOTS";
constexpr const char* kMispredict = "TOPDOWN.BAD_SPECULATION.MISPREDICT.SLOTS";
constexpr const char* kFrontend = "TOPDOWN.FRONTEND_BOUND.SLOTS";
constexpr const char* kAddress = "TOPDOWN.FRONTEND_BOUND.LATENCY.ADDR.SLOTS";
constexpr const char* kData = "TOPDOWN.FRONTEND_BOUND.LATENCY.DATA.SLOTS";
constexpr const char* kRedirect = "TOPDOWN.FRONTEND_BOUND.LATENCY.REDIRECT.SLOTS";
constexpr const char* kBackend = "TOPDOWN.BACKEND_BOUND.SLOTS";
constexpr const char* kMemory = "TOPDOWN.BACKEND_BOUND.MEMORY.SLOTS";
constexpr const char* kCore = "TOPDOWN.BACKEND_BOUND.CORE.SLOTS";

/// The classes of the cycles that have a reason of the cycle stack. `base` is divided further, and
/// `idle` is no slot.
struct ReasonClass {
    const char* reason;
    const char* whole;
    const char* part; ///< null: the rest of the whole
};

constexpr ReasonClass kReasonClasses[] = {
    {"l1i_miss", kFrontend, kData},    {"itlb", kFrontend, kAddress},
    {"l1d_miss", kBackend, kMemory},   {"dtlb", kBackend, kMemory},
    {"mispredict", kBad, kMispredict}, {"dependency", kBackend, kCore},
    {"unit", kBackend, kCore},         {"store_buffer", kBackend, kMemory},
    {"flush", kBad, nullptr},          {"interrupt", kBad, nullptr},
    {"device", kBackend, kMemory},
};

/// Divides the cycles of `base`, and what the backend waits, by the instructions that take a slot
/// in them. An instruction takes one. More cycles of `base` are waits for the frontend. Fewer mean
/// that instructions have retired in pairs: the younger one has taken a slot behind an older one,
/// in a cycle in which the backend waits for that.
void add_retiring(CountsByName& slots, double base, const RunFacts& run) {
    const double waits = slots[kBackend];
    const double retiring = std::min(static_cast<double>(run.instructions), base + waits);
    const double behind = std::clamp(run.frontend_waits + retiring - base, 0.0, waits);
    const double redirect = base + behind - retiring;
    slots[kSlots] += base;
    slots[kRetiring] = retiring;
    slots[kRedirect] = redirect;
    slots[kFrontend] += redirect;
    if (behind > 0) {
        slots[kBackend] = waits - behind;
        slots[kMemory] *= slots[kBackend] / waits;
        slots[kCore] = slots[kBackend] - slots[kMemory];
    }
}

} // namespace

std::span<const Metric> metrics() {
    return kMetrics;
}

const char* scale_of(MetricUnit unit) {
    switch (unit) {
    case PerThousand:
        return "1PKI";
    case MispredictsPerThousand:
        return "1MPKI";
    case Share:
        return "100%";
    case Ratio:
        break;
    }
    return "";
}

std::string metric_text(MetricUnit unit, double value) {
    switch (unit) {
    case Share:
        return fmt::format("{:.1f} %", 100 * value);
    case Ratio:
        return fmt::format("{:.3f}", value);
    case PerThousand:
    case MispredictsPerThousand:
        break;
    }
    return fmt::format("{:.2f}", value);
}

CountsByName slots_of(const RunFacts& run) {
    CountsByName slots;
    if (run.reasons.empty()) {
        return slots;
    }
    for (const char* name : {kSlots, kRetiring, kBad, kMispredict, kFrontend, kAddress, kData,
                             kRedirect, kBackend, kMemory, kCore}) {
        slots[name] = 0;
    }
    double base = 0;
    for (const auto& [reason, cycles] : run.reasons) {
        if (reason == "base") {
            base = cycles;
        }
        for (const ReasonClass& row : kReasonClasses) {
            if (reason == row.reason) {
                slots[kSlots] += cycles;
                slots[row.whole] += cycles;
                if (row.part != nullptr) {
                    slots[row.part] += cycles;
                }
            }
        }
    }
    add_retiring(slots, base, run);
    return slots;
}

std::vector<MetricValue> metrics_of(const RunFacts& run) {
    CountsByName counts = slots_of(run);
    for (const auto& [source, count] : run.events) {
        if (const StandardEvent* const event = standard_event(source)) {
            counts[event->name] = static_cast<double>(count);
        }
    }
    const EventCount count = [&counts](std::string_view name) {
        const auto found = counts.find(name);
        return found == counts.end() ? std::nullopt : std::optional(found->second);
    };
    std::vector<MetricValue> values;
    for (const Metric& metric : kMetrics) {
        if (const std::optional<double> value = evaluate(metric.formula, count)) {
            values.push_back({.metric = &metric, .value = *value});
        }
    }
    return values;
}

std::vector<TopDownClass> top_down(const std::vector<MetricValue>& values) {
    std::vector<TopDownClass> classes;
    for (const auto& [metric, value] : values) {
        if (metric->part == nullptr) {
            continue;
        }
        const bool first_level = std::string_view(metric->group) == "TopdownL1";
        (first_level ? classes : classes.back().parts)
            .push_back({.name = metric->part, .share = value});
    }
    return classes;
}

} // namespace pes

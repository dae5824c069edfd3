// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/debug/csr_names.h"

#include "hw/core/arch/csr_table.h"
#include "hw/core/hart.h"
#include "hw/hpm/counter_names.h"
#include "hw/interface/maps/csr.h"
#include "hw/interface/maps/ctr.h"

#include <algorithm>
#include <string_view>

namespace pes {
namespace {

constexpr int kNoIndex = -1;

/// Registers that are neither the hart's own nor the counters', and runs of the hart's own.
struct Named {
    std::uint16_t first;
    std::uint16_t last;
    std::string_view name;
    int index = kNoIndex; ///< of the first: it stands behind the name
};

constexpr Named kNamed[] = {
    {0x10D, 0x10F, "sstateen", 1},
    {0x151, 0x151, "sireg"},
    {0x152, 0x153, "sireg", 2},
    {0x155, 0x157, "sireg", 4},
    {0x30D, 0x30F, "mstateen", 1},
    {0x351, 0x351, "mireg"},
    {0x352, 0x353, "mireg", 2},
    {0x355, 0x357, "mireg", 4},
    {0x3B0, 0x3BF, "pmpaddr", 0},
    {0x7A1, 0x7A3, "tdata", 1},
    {csr::kCycle, csr::kCycle, "cycle"},
    {csr::kTime, csr::kTime, "time"},
    {csr::kInstret, csr::kInstret, "instret"},
    {csr::kInstret + 1, csr::kHpmcounter31, "hpmcounter", 3},
    {ctr::kSctrctl, ctr::kSctrctl, "sctrctl"},
    {ctr::kSctrstatus, ctr::kSctrstatus, "sctrstatus"},
    {ctr::kSctrdepth, ctr::kSctrdepth, "sctrdepth"},
    {ctr::kMctrctl, ctr::kMctrctl, "mctrctl"},
};

} // namespace

std::string register_name(std::uint16_t number) {
    const auto* const named = std::ranges::find_if(
        kNamed, [number](const Named& row) { return number >= row.first && number <= row.last; });
    if (named != std::end(kNamed)) {
        const std::string name(named->name);
        return named->index == kNoIndex
                   ? name
                   : name + std::to_string(named->index + (number - named->first));
    }
    if (csr_of(number) != Csr::Count_) {
        return csr_row(number).name;
    }
    const std::string counter = counter_csr_name(number);
    return counter.empty() ? "csr" + std::to_string(number) : counter;
}

std::vector<gdb::RegisterDescription> describe_csrs(const Hart& hart) {
    constexpr std::uint16_t kNumbers = 4096;
    std::vector<gdb::RegisterDescription> list;
    for (std::uint16_t number = 0; number < kNumbers; ++number) {
        if (hart.has_csr(number)) {
            list.push_back({.number = gdb::kFirstCsr + number, .name = register_name(number)});
        }
    }
    return list;
}

} // namespace pes

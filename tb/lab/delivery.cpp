// SPDX-License-Identifier: Apache-2.0
#include "tb/lab/delivery.h"

#include "platform/host/user_error.h"

#include <algorithm>
#include <array>
#include <string>

namespace pes::lab {
namespace {

struct Row {
    std::string_view method;
    std::string_view delivery;
};

/// Sspesa latches the cause, and Smpdis a record, in CSRs of the supervisor, whose handler reads
/// them. The reference heuristics differ from lcofi in what the handler finds, not in who calls it.
constexpr std::array kRows{
    Row{"ideal", ""},
    Row{"exact", "sspesa"},
    Row{"threshold", "threshold"},
    Row{"lcofi", "lcofi"},
    Row{"tag-at-dispatch", "lcofi"},
    Row{"last-committed", "lcofi"},
    Row{"next-committed", "lcofi"},
    Row{"pc-trace", ""},
    Row{"timer", "timer"},
    Row{"pdis", "pdis"},
    Row{"pdis-oldest", "pdis"},
};

} // namespace

std::string_view delivery_of(const SamplingMethod& method) {
    const auto* const row = std::ranges::find(kRows, std::string_view(method.name), &Row::method);
    if (row == kRows.end()) {
        throw UserError(std::string("method '") + method.name + "' has no delivery in the lab");
    }
    return row->delivery;
}

} // namespace pes::lab

// SPDX-License-Identifier: Apache-2.0
#include "platform/history/thinning.h"

#include <limits>

namespace pes::history {

std::size_t least_useful(std::span<const Candidate> kept, std::uint64_t now) {
    std::size_t found = 0;
    double smallest = std::numeric_limits<double>::max();
    for (std::size_t index = 1; index + 1 < kept.size(); ++index) {
        const std::uint64_t total = kept[index].total;
        const std::uint64_t distance = total < now ? now - total : total - now;
        const double gap = static_cast<double>(kept[index + 1].total - kept[index - 1].total) /
                           static_cast<double>(distance + 1);
        if (!kept[index].needed && gap < smallest) {
            smallest = gap;
            found = index;
        }
    }
    return found;
}

} // namespace pes::history

// SPDX-License-Identifier: Apache-2.0
#include "hw/core/feed/interrupt_inputs.h"

#include <algorithm>

namespace pes {

void InterruptInputs::set(Interrupt line, bool level, Cycle at) {
    const auto place = std::find_if(changes_.begin(), changes_.end(),
                                    [at](const Change& change) { return change.at > at; });
    changes_.insert(place, {at, line, level});
    attention_.ask_now();
}

void InterruptInputs::apply(Cycle cycle, CsrFile& csr) {
    auto change = changes_.begin();
    for (; change != changes_.end() && change->at <= cycle; ++change) {
        if (change->line == Interrupt::CounterOverflow) {
            csr.request_overflow_interrupt();
        } else if (!csr.request_local_interrupt(static_cast<unsigned>(change->line))) {
            csr.set_interrupt_line(static_cast<unsigned>(change->line), change->level);
        }
    }
    changes_.erase(changes_.begin(), change);
}

std::uint64_t InterruptInputs::lines_in(Cycle cycle, const CsrFile& csr) const {
    std::uint64_t lines = csr.interrupt_lines();
    for (const Change& change : changes_) {
        if (change.at > cycle) {
            break;
        }
        const std::uint64_t line = std::uint64_t{1} << static_cast<unsigned>(change.line);
        lines = change.level ? lines | line : lines & ~line;
    }
    return lines;
}

bool InterruptInputs::expects(Interrupt line) const {
    return std::any_of(changes_.begin(), changes_.end(), [line](const Change& change) {
        return change.line == line && change.level;
    });
}

Cycle InterruptInputs::next_rise() const {
    const auto rise = std::find_if(changes_.begin(), changes_.end(),
                                   [](const Change& change) { return change.level; });
    return rise == changes_.end() ? kNever : rise->at;
}

} // namespace pes

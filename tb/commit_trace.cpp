// SPDX-License-Identifier: Apache-2.0
#include "tb/commit_trace.h"

#include "hw/core/arch/decode.h"

#include <algorithm>

namespace pes {

CommitTrace::CommitTrace(const VcdFile& wave) {
    struct Port {
        const WaveSignal &valid, &pc, &instruction;
    };
    std::vector<Port> ports;
    for (unsigned index = 0;; ++index) {
        if (wave.find(indexed("hart0.commit.commit_valid", index)) == nullptr) {
            break;
        }
        ports.push_back({wave.signal(indexed("hart0.commit.commit_valid", index)),
                         wave.signal(indexed("hart0.commit.commit_pc", index)),
                         wave.signal(indexed("hart0.commit.commit_instr", index))});
    }
    for (Cycle cycle = wave.from(); cycle < wave.to(); ++cycle) {
        for (const Port& port : ports) {
            if (port.valid.at(cycle).value_or(0) != 0) {
                const auto raw = static_cast<std::uint32_t>(port.instruction.at(cycle).value_or(0));
                retired_.push_back({cycle, port.pc.at(cycle).value_or(0), decode(raw)});
            }
        }
    }
}

const Retired* CommitTrace::first(Cycle from, const Condition& condition) const {
    const auto found = std::ranges::find_if(
        retired_, [&](const Retired& r) { return r.cycle >= from && condition(r); });
    return found == retired_.end() ? nullptr : &*found;
}

const Retired* CommitTrace::last(Cycle before, const Condition& condition) const {
    const auto found = std::find_if(retired_.rbegin(), retired_.rend(), [&](const Retired& r) {
        return r.cycle < before && condition(r);
    });
    return found == retired_.rend() ? nullptr : &*found;
}

std::size_t CommitTrace::between(const Retired& start, Cycle before) const {
    const auto behind = static_cast<std::size_t>(&start - retired_.data()) + 1;
    const auto end = std::ranges::lower_bound(retired_, before, {}, &Retired::cycle);
    return static_cast<std::size_t>(end - retired_.begin()) - behind;
}

} // namespace pes

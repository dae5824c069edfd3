// SPDX-License-Identifier: Apache-2.0
#include "platform/exec/program_parts.h"

namespace pes {

Part part_of(const TruthTable::Context& context, std::uint64_t agent_satp) {
    switch (context.privilege) {
    case Privilege::User:
        return context.satp == agent_satp ? Part::Agent : Part::Program;
    case Privilege::Supervisor:
        return Part::Kernel;
    case Privilege::Machine:
        break;
    }
    return Part::Firmware;
}

void add_counts(CountsByPart& counts, const TruthTable& truth, const PartOf& part_of) {
    truth.each_row([&](TruthRow row) {
        PartCounts& part = counts[static_cast<std::size_t>(part_of(truth.key(row).context))];
        part.half_cycles += truth.half_cycles(row);
        part.retired += truth.value(row, TruthTable::kRetired);
        for (std::size_t source = 1; source < kEventCount; ++source) {
            part.events[source] +=
                truth.value(row, TruthTable::column_of(static_cast<Event>(source)));
        }
    });
}

} // namespace pes

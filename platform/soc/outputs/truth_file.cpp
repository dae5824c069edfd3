// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/outputs/truth_file.h"

#include "platform/soc/outputs/privilege_letter.h"

#include <ostream>
#include <string>

namespace pes {
namespace {

std::string header() {
    std::string text = "hart,privilege,satp,pc,count,cycles";
    for (std::size_t reason = 0; reason < kCycleReasons; ++reason) {
        text += std::string(",cycles_") + to_string(static_cast<CycleReason>(reason));
    }
    for (std::size_t source = 1; source < kEventCount; ++source) {
        text += std::string(",") + to_string(static_cast<Event>(source));
    }
    return text + "\n";
}

void write_cycles(std::ostream& out, std::uint64_t halves) {
    out << ',' << halves / 2 << (halves % 2 == 0 ? "" : ".5");
}

void write_row(std::ostream& out, unsigned hart, const TruthTable& table, TruthRow row) {
    const TruthTable::Key key = table.key(row);
    out << hart << ',' << letter_of(key.context.privilege) << ",0x" << std::hex << key.context.satp
        << ",0x" << key.pc << std::dec << ',' << table.value(row, TruthTable::kRetired);
    write_cycles(out, table.half_cycles(row));
    for (std::size_t reason = 0; reason < kCycleReasons; ++reason) {
        write_cycles(out,
                     table.value(row, TruthTable::column_of(static_cast<CycleReason>(reason))));
    }
    for (std::size_t source = 1; source < kEventCount; ++source) {
        out << ',' // below zero: docs/truth.md
            << static_cast<std::int64_t>(
                   table.value(row, TruthTable::column_of(static_cast<Event>(source))));
    }
    out << '\n';
}

} // namespace

void write_truth(std::ostream& out, unsigned hart, const TruthTable& table,
                 const TruthContexts& contexts) {
    out << header();
    table.each_row([&](TruthRow row) {
        if (!contexts || contexts(table.key(row).context)) {
            write_row(out, hart, table, row);
        }
    });
}

} // namespace pes

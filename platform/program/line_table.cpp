// SPDX-License-Identifier: Apache-2.0
#include "platform/program/line_table.h"

#include <algorithm>
#include <elfutils/libdw.h>
#include <memory>
#include <unordered_map>

namespace pes {

/// Collects the rows of all compilation units.
class LineTableBuilder {
  public:
    LineTableBuilder(LineTable& table, const std::function<bool(Address)>& is_code)
        : table_(table), is_code_(is_code) {}

    void add_unit(Dwarf_Die& unit) {
        Dwarf_Lines* lines = nullptr;
        std::size_t count = 0;
        if (dwarf_getsrclines(&unit, &lines, &count) != 0) {
            return; // a unit without a line program
        }
        for (std::size_t i = 0; i + 1 < count; ++i) {
            add_row(dwarf_onesrcline(lines, i), dwarf_onesrcline(lines, i + 1));
        }
    }

    void finish() {
        std::stable_sort(table_.ranges_.begin(), table_.ranges_.end(),
                         [](const auto& a, const auto& b) { return a.begin < b.begin; });
    }

  private:
    /// A row holds up to the address of the next one; the last row of a sequence only ends it.
    void add_row(Dwarf_Line* row, Dwarf_Line* next) {
        bool ends_sequence = false;
        int line = 0;
        Dwarf_Addr begin = 0;
        Dwarf_Addr end = 0;
        dwarf_lineendsequence(row, &ends_sequence);
        dwarf_lineno(row, &line);
        dwarf_lineaddr(row, &begin);
        dwarf_lineaddr(next, &end);
        const char* file = dwarf_linesrc(row, nullptr, nullptr);
        // Line 0 is the compiler's "belongs to no line" (DWARF 5, section 6.2.2).
        if (ends_sequence || line <= 0 || file == nullptr || begin >= end || !is_code_(begin)) {
            return;
        }
        table_.ranges_.push_back({begin, end, intern(file), static_cast<std::uint32_t>(line)});
    }

    std::uint32_t intern(const char* file) {
        const auto [entry, is_new] =
            indices_.try_emplace(file, static_cast<std::uint32_t>(table_.files_.size()));
        if (is_new) {
            table_.files_.emplace_back(file);
        }
        return entry->second;
    }

    LineTable& table_;
    const std::function<bool(Address)>& is_code_;
    std::unordered_map<std::string, std::uint32_t> indices_;
};

LineTable::LineTable(Elf* elf, const std::function<bool(Address)>& is_code) {
    const std::unique_ptr<Dwarf, decltype(&dwarf_end)> dwarf(
        dwarf_begin_elf(elf, DWARF_C_READ, nullptr), &dwarf_end);
    if (dwarf == nullptr) {
        return;
    }
    LineTableBuilder builder(*this, is_code);
    Dwarf_CU* unit = nullptr;
    Dwarf_Die unit_die;
    while (dwarf_get_units(dwarf.get(), unit, &unit, nullptr, nullptr, &unit_die, nullptr) == 0) {
        builder.add_unit(unit_die);
    }
    builder.finish();
}

SourceLine LineTable::find(Address pc) const {
    const auto after =
        std::upper_bound(ranges_.begin(), ranges_.end(), pc,
                         [](Address address, const Range& range) { return address < range.begin; });
    if (after == ranges_.begin()) {
        return {};
    }
    const Range& range = *std::prev(after);
    return pc < range.end ? SourceLine{files_[range.file], range.line} : SourceLine{};
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// Address -> source line, from the DWARF line programs of one ELF file.
//
// All rows are read once into a sorted table: .debug_aranges, which not every compiler writes, is
// not needed, and a look-up is one binary search.
#pragma once

#include "hw/interface/types.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

struct Elf;

namespace pes {

struct SourceLine {
    std::string file; ///< path as the compiler recorded it, joined with its directory
    unsigned line = 0;
};

class LineTable {
  public:
    /// Reads the line programs; rows whose address `is_code` refuses are left out (functions that
    /// the linker discarded keep rows at address 0). No debug information gives an empty table.
    LineTable(Elf* elf, const std::function<bool(Address)>& is_code);

    /// nullopt-like: line 0 and an empty file if the address has no known line.
    SourceLine find(Address pc) const;
    bool empty() const { return ranges_.empty(); }

  private:
    friend class LineTableBuilder;

    struct Range {
        Address begin, end;
        std::uint32_t file; ///< index into files_
        std::uint32_t line;
    };

    std::vector<std::string> files_;
    std::vector<Range> ranges_; ///< by begin, never overlapping within a compilation unit
};

} // namespace pes

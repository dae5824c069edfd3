// SPDX-License-Identifier: Apache-2.0
#include "platform/program/inline_frames.h"

#include "platform/host/elf_file.h"

#include <cstddef>
#include <cstdlib>
#include <dwarf.h>
#include <elfutils/libdw.h>

namespace pes {
namespace {

using Scopes = std::unique_ptr<Dwarf_Die[], decltype(&std::free)>;

/// A constant of the entry itself; 0 if it has none.
unsigned number(Dwarf_Die& die, unsigned name) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    if (dwarf_attr(&die, name, &attribute) == nullptr || dwarf_formudata(&attribute, &value) != 0) {
        return 0;
    }
    return static_cast<unsigned>(value);
}

/// Also that of the declaration, or of the function that was inlined. Empty if there is none.
std::string text_of(Dwarf_Die& die, unsigned name) {
    Dwarf_Attribute attribute;
    if (dwarf_attr_integrate(&die, name, &attribute) == nullptr) {
        return "";
    }
    const char* text = dwarf_formstring(&attribute);
    return text == nullptr ? "" : text;
}

InlineFrame named_frame(Dwarf_Die& die) {
    InlineFrame frame;
    frame.name = text_of(die, DW_AT_linkage_name);
    frame.mangled = !frame.name.empty();
    if (!frame.mangled) {
        frame.name = text_of(die, DW_AT_name);
    }
    return frame;
}

unsigned declaration_line(Dwarf_Die& die) {
    int line = 0;
    return dwarf_decl_line(&die, &line) == 0 ? static_cast<unsigned>(line) : 0;
}

unsigned line_at(Dwarf_Die& unit, Address pc) {
    int line = 0;
    Dwarf_Line* row = dwarf_getsrc_die(&unit, pc);
    return row != nullptr && dwarf_lineno(row, &line) == 0 ? static_cast<unsigned>(line) : 0;
}

/// From the innermost scope out, as they lie in the code.
std::vector<InlineFrame> frames_of(Dwarf_Die* scopes, int count, unsigned line, Address base) {
    std::vector<InlineFrame> frames;
    for (int i = 0; i < count; ++i) {
        Dwarf_Die& die = scopes[i];
        const int tag = dwarf_tag(&die);
        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) {
            continue;
        }
        InlineFrame& frame = frames.emplace_back(named_frame(die));
        frame.line = line;
        frame.begin = declaration_line(die);
        if (tag == DW_TAG_subprogram) {
            Dwarf_Addr begin = 0;
            if (dwarf_entrypc(&die, &begin) == 0) {
                frame.code = base + begin;
            }
            return frames;
        }
        line = number(die, DW_AT_call_line);
    }
    return {}; // no function around it
}

} // namespace

struct InlineFrames::Debug {
    struct Unit {
        Address begin, end; ///< one of its ranges
        Dwarf_Die die;
    };

    explicit Debug(const ProgramFile& program)
        : base(program.base), elf(program.path, "program"),
          dwarf(dwarf_begin_elf(elf.handle(), DWARF_C_READ, nullptr), &dwarf_end) {
        Dwarf_CU* unit = nullptr;
        Dwarf_Die die;
        while (dwarf != nullptr &&
               dwarf_get_units(dwarf.get(), unit, &unit, nullptr, nullptr, &die, nullptr) == 0) {
            Dwarf_Addr unit_base = 0;
            Dwarf_Addr begin = 0;
            Dwarf_Addr end = 0;
            std::ptrdiff_t next = 0;
            while ((next = dwarf_ranges(&die, next, &unit_base, &begin, &end)) > 0) {
                units.push_back({begin, end, die});
            }
        }
    }

    Address base;
    ElfFile elf;
    std::unique_ptr<Dwarf, decltype(&dwarf_end)> dwarf;
    std::vector<Unit> units;
};

InlineFrames::InlineFrames(const ProgramFile& program) : debug_(std::make_unique<Debug>(program)) {}
InlineFrames::~InlineFrames() = default;

std::vector<InlineFrame> InlineFrames::at(Address pc) const {
    const Address address = pc - debug_->base;
    for (Debug::Unit& unit : debug_->units) {
        // The scopes at an address go on outside the definition of what was inlined; those of an
        // entry go on where it was inlined.
        Dwarf_Die* found = nullptr;
        if (address < unit.begin || address >= unit.end ||
            dwarf_getscopes(&unit.die, address, &found) <= 0) {
            continue;
        }
        const Scopes innermost(found, &std::free);
        Dwarf_Die* around = nullptr;
        const int count = dwarf_getscopes_die(&innermost[0], &around);
        const Scopes scopes(around, &std::free);
        return frames_of(scopes.get(), count, line_at(unit.die, address), debug_->base);
    }
    return {};
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// The symbol table of an ELF file, turned into functions.
#pragma once

#include "hw/interface/types.h"
#include "platform/host/elf_file.h"

#include <cstddef>
#include <string>
#include <vector>

namespace pes {

/// A defined code symbol, with the bounds of the executable section it lies in.
struct CodeSymbol {
    std::string name; ///< as in the symbol table
    Address value = 0;
    Address size = 0;
    Address section_end = 0;
    bool is_function = false; ///< STT_FUNC; otherwise a label without a type
    bool is_local = false;
    bool is_weak = false;
};

/// Every code symbol of .symtab, or of .dynsym if the program has no .symtab.
std::vector<CodeSymbol> read_code_symbols(const ElfFile& elf);

} // namespace pes

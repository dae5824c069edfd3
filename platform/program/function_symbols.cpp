// SPDX-License-Identifier: Apache-2.0
#include "platform/program/function_symbols.h"

#include <optional>
#include <string_view>

namespace pes {
namespace {

/// Assembler-made names mark the kind of contents or a local jump target, not a function:
/// "$x", "$d" (RISC-V psABI, mapping symbols), ".L12".
bool is_marker(std::string_view name) {
    return name.starts_with('$') || name.starts_with(".L");
}

std::optional<CodeSymbol> code_symbol(const ElfFile& elf, const ElfSymbol& entry) {
    const GElf_Sym& symbol = entry.symbol;
    const bool has_section = symbol.st_shndx < SHN_LORESERVE;
    const ElfSection* section = has_section ? elf.section(symbol.st_shndx) : nullptr;
    const bool names_code = entry.type() == STT_FUNC || entry.type() == STT_NOTYPE;
    if (!names_code || section == nullptr || !section->is_code() || is_marker(entry.name) ||
        symbol.st_value < section->header.sh_addr || symbol.st_value >= section->end()) {
        return std::nullopt; // the bounds refuse "_edata" and the like, which ld hangs on sections
    }
    return CodeSymbol{.name = std::string(entry.name),
                      .value = symbol.st_value,
                      .size = symbol.st_size,
                      .section_end = section->end(),
                      .is_function = entry.type() == STT_FUNC,
                      .is_local = entry.binding() == STB_LOCAL,
                      .is_weak = entry.binding() == STB_WEAK};
}

std::vector<CodeSymbol> read_table(const ElfFile& elf, GElf_Word type) {
    std::vector<CodeSymbol> symbols;
    for (const ElfSymbol& entry : elf.symbols(type)) {
        if (auto code = code_symbol(elf, entry)) {
            symbols.push_back(std::move(*code));
        }
    }
    return symbols;
}

} // namespace

std::vector<CodeSymbol> read_code_symbols(const ElfFile& elf) {
    std::vector<CodeSymbol> symbols = read_table(elf, SHT_SYMTAB);
    return symbols.empty() ? read_table(elf, SHT_DYNSYM) : symbols;
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "decoder/function_symbols.h"

#include <gelf.h>
#include <optional>

namespace pes {
namespace {

/// Assembler-made names mark the kind of contents or a local jump target, not a function:
/// "$x", "$d" (RISC-V psABI, mapping symbols), ".L12".
bool is_marker(const std::string& name) {
    return name.empty() || name[0] == '$' || name.starts_with(".L");
}

std::optional<GElf_Shdr> code_section(Elf* elf, GElf_Section index) {
    Elf_Scn* section = elf_getscn(elf, index);
    GElf_Shdr header;
    if (index == SHN_UNDEF || index >= SHN_LORESERVE || section == nullptr ||
        gelf_getshdr(section, &header) == nullptr || (header.sh_flags & SHF_EXECINSTR) == 0) {
        return std::nullopt;
    }
    return header;
}

std::optional<CodeSymbol> code_symbol(Elf* elf, const GElf_Sym& symbol, std::size_t strings) {
    const auto type = GELF_ST_TYPE(symbol.st_info);
    const char* name = elf_strptr(elf, strings, symbol.st_name);
    const std::optional<GElf_Shdr> section = code_section(elf, symbol.st_shndx);
    if ((type != STT_FUNC && type != STT_NOTYPE) || name == nullptr || !section ||
        is_marker(name) || symbol.st_value < section->sh_addr ||
        symbol.st_value >= section->sh_addr + section->sh_size) {
        return std::nullopt; // the bounds refuse "_edata" and the like, which ld hangs on sections
    }
    CodeSymbol result;
    result.name = name;
    result.value = symbol.st_value;
    result.size = symbol.st_size;
    result.section_end = section->sh_addr + section->sh_size;
    result.is_function = type == STT_FUNC;
    result.is_local = GELF_ST_BIND(symbol.st_info) == STB_LOCAL;
    result.is_weak = GELF_ST_BIND(symbol.st_info) == STB_WEAK;
    return result;
}

std::vector<CodeSymbol> read_table(Elf* elf, GElf_Word type) {
    std::vector<CodeSymbol> symbols;
    Elf_Scn* section = nullptr;
    while ((section = elf_nextscn(elf, section)) != nullptr) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == nullptr || header.sh_type != type ||
            header.sh_entsize == 0) {
            continue;
        }
        Elf_Data* data = elf_getdata(section, nullptr);
        const std::size_t count = data == nullptr ? 0 : data->d_size / header.sh_entsize;
        for (std::size_t i = 0; i < count; ++i) {
            GElf_Sym symbol;
            if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) {
                break;
            }
            if (auto code = code_symbol(elf, symbol, header.sh_link)) {
                symbols.push_back(std::move(*code));
            }
        }
    }
    return symbols;
}

} // namespace

std::vector<CodeSymbol> read_code_symbols(Elf* elf) {
    std::vector<CodeSymbol> symbols = read_table(elf, SHT_SYMTAB);
    return symbols.empty() ? read_table(elf, SHT_DYNSYM) : symbols;
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// An ELF program of nothing but a code section and symbols, made without a cross compiler.
#pragma once

#include <cstring>
#include <elf.h>
#include <string>
#include <vector>

namespace pes::trace::test {

struct SmallFunction {
    std::string symbol;
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
    std::string code = {}; ///< its first bytes; the others are an instruction of no interest
};

/// The types of an ELF file's tables for each width of addresses.
struct Elf64Types {
    using Header = Elf64_Ehdr;
    using Section = Elf64_Shdr;
    using Symbol = Elf64_Sym;
    static constexpr unsigned char kClass = ELFCLASS64;
};
struct Elf32Types {
    using Header = Elf32_Ehdr;
    using Section = Elf32_Shdr;
    using Symbol = Elf32_Sym;
    static constexpr unsigned char kClass = ELFCLASS32;
};

/// Its code section begins at the first function and ends with the last.
template <typename Types = Elf64Types>
std::string small_program(const std::vector<SmallFunction>& functions) {
    const auto bytes_of = [](const auto& value) {
        return std::string(reinterpret_cast<const char*>(&value), sizeof value);
    };
    const std::uint64_t begin = functions.front().begin;
    std::string code(functions.back().begin + functions.back().size - begin, '\x13');
    for (const SmallFunction& function : functions) {
        code.replace(function.begin - begin, function.code.size(), function.code);
    }
    std::string strings(1, '\0');
    std::string symbols = bytes_of(typename Types::Symbol{});
    for (const SmallFunction& function : functions) {
        typename Types::Symbol symbol{};
        symbol.st_name = static_cast<Elf64_Word>(strings.size());
        symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
        symbol.st_shndx = 1;
        symbol.st_value = static_cast<decltype(symbol.st_value)>(function.begin);
        symbol.st_size = static_cast<decltype(symbol.st_size)>(function.size);
        symbols += bytes_of(symbol);
        strings += function.symbol + '\0';
    }
    const std::string names("\0.text\0.symtab\0.strtab\0.shstrtab\0", 33);

    typename Types::Header header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = Types::kClass;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_EXEC;
    header.e_machine = EM_RISCV;
    header.e_version = EV_CURRENT;
    header.e_ehsize = sizeof header;
    header.e_shentsize = sizeof(typename Types::Section);
    header.e_shnum = 5;
    header.e_shstrndx = 4;

    std::string body;
    std::string sections = bytes_of(typename Types::Section{});
    const auto add = [&](unsigned name, Elf64_Word type, const std::string& content,
                         auto&& set_up) {
        typename Types::Section section{};
        section.sh_name = name;
        section.sh_type = type;
        section.sh_offset = static_cast<decltype(section.sh_offset)>(sizeof header + body.size());
        section.sh_size = static_cast<decltype(section.sh_size)>(content.size());
        section.sh_addralign = 1;
        set_up(section);
        sections += bytes_of(section);
        body += content + std::string((8 - content.size() % 8) % 8, '\0');
    };
    add(1, SHT_PROGBITS, code, [&](auto& section) {
        section.sh_flags = SHF_ALLOC | SHF_EXECINSTR;
        section.sh_addr = static_cast<decltype(section.sh_addr)>(begin);
    });
    add(7, SHT_SYMTAB, symbols, [](auto& section) {
        section.sh_link = 3;
        section.sh_info = 1;
        section.sh_entsize = sizeof(typename Types::Symbol);
        section.sh_addralign = 8;
    });
    add(15, SHT_STRTAB, strings, [](auto&) {});
    add(23, SHT_STRTAB, names, [](auto&) {});
    header.e_shoff = static_cast<decltype(header.e_shoff)>(sizeof header + body.size());
    return bytes_of(header) + body + sections;
}

} // namespace pes::trace::test

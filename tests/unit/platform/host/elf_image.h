// SPDX-License-Identifier: Apache-2.0
// Hand-made ELF files, good and bad (System V ABI, chapters 4 and 5).
#pragma once

#include <cstdint>
#include <cstring>
#include <elf.h>
#include <optional>
#include <string>
#include <vector>

namespace pes::test {

struct ElfSegment {
    std::uint64_t physical;
    std::string data;
    std::uint64_t memory_size;
    std::uint64_t virtual_address;
};

struct ElfSymbol {
    std::string name;
    std::uint64_t value;
    std::uint64_t size;
    unsigned char binding = STB_GLOBAL;
    std::uint16_t section = SHN_ABS;
};

struct ElfImage {
    unsigned char elf_class = ELFCLASS64;
    unsigned char data = ELFDATA2LSB;
    std::uint16_t type = ET_EXEC;
    std::uint16_t machine = EM_RISCV;
    std::uint64_t entry = 0x8000'0000;
    std::vector<ElfSegment> segments;
    std::vector<ElfSymbol> symbols;
    std::optional<ElfSegment> dynamic; ///< a further header: place and size of a part of a segment
    std::uint32_t dynamic_type = PT_DYNAMIC;

    std::string bytes() const {
        std::string out(sizeof(Elf64_Ehdr) + header_count() * sizeof(Elf64_Phdr), '\0');
        for (std::size_t index = 0; index < segments.size(); ++index) {
            const ElfSegment& segment = segments[index];
            Elf64_Phdr header{};
            header.p_type = PT_LOAD;
            header.p_flags = PF_R | PF_W | PF_X;
            header.p_offset = out.size();
            header.p_vaddr = segment.virtual_address;
            header.p_paddr = segment.physical;
            header.p_filesz = segment.data.size();
            header.p_memsz = segment.memory_size;
            put(out, sizeof(Elf64_Ehdr) + index * sizeof header, header);
            out += segment.data;
        }
        if (dynamic) {
            Elf64_Phdr header{};
            header.p_type = dynamic_type;
            header.p_vaddr = header.p_paddr = dynamic->virtual_address;
            header.p_filesz = header.p_memsz = dynamic->memory_size;
            put(out, sizeof(Elf64_Ehdr) + segments.size() * sizeof header, header);
        }
        const std::uint64_t sections = symbols.empty() ? 0 : append_symbols(out);
        put(out, 0, header(sections));
        return out;
    }

    /// An RV32 header alone: enough to be recognised.
    static std::string header32() {
        Elf32_Ehdr header{};
        std::memcpy(header.e_ident, ELFMAG, SELFMAG);
        header.e_ident[EI_CLASS] = ELFCLASS32;
        header.e_ident[EI_DATA] = ELFDATA2LSB;
        header.e_ident[EI_VERSION] = EV_CURRENT;
        header.e_type = ET_EXEC;
        header.e_machine = EM_RISCV;
        header.e_version = EV_CURRENT;
        header.e_ehsize = sizeof header;
        header.e_phentsize = sizeof(Elf32_Phdr);
        return {reinterpret_cast<const char*>(&header), sizeof header};
    }

  private:
    static constexpr std::uint16_t kSections = 3; // null, symbols, strings

    template <typename T>
    static void put(std::string& out, std::size_t at, const T& value) {
        std::memcpy(out.data() + at, &value, sizeof value);
    }

    std::size_t header_count() const { return segments.size() + (dynamic ? 1 : 0); }

    Elf64_Ehdr header(std::uint64_t sections) const {
        Elf64_Ehdr header{};
        std::memcpy(header.e_ident, ELFMAG, SELFMAG);
        header.e_ident[EI_CLASS] = elf_class;
        header.e_ident[EI_DATA] = data;
        header.e_ident[EI_VERSION] = EV_CURRENT;
        header.e_type = type;
        header.e_machine = machine;
        header.e_version = EV_CURRENT;
        header.e_entry = entry;
        header.e_ehsize = sizeof header;
        header.e_phoff = segments.empty() ? 0 : sizeof header;
        header.e_phentsize = sizeof(Elf64_Phdr);
        header.e_phnum = static_cast<Elf64_Half>(header_count());
        header.e_shoff = sections;
        header.e_shentsize = sizeof(Elf64_Shdr);
        header.e_shnum = sections != 0 ? kSections : 0;
        return header;
    }

    /// Returns the offset of the section headers.
    std::uint64_t append_symbols(std::string& out) const {
        std::string strings(1, '\0');
        std::string table(sizeof(Elf64_Sym), '\0');
        for (const ElfSymbol& symbol : symbols) {
            Elf64_Sym entry_of_table{};
            entry_of_table.st_name = static_cast<Elf64_Word>(strings.size());
            entry_of_table.st_info = ELF64_ST_INFO(symbol.binding, STT_OBJECT);
            entry_of_table.st_shndx = symbol.section;
            entry_of_table.st_value = symbol.value;
            entry_of_table.st_size = symbol.size;
            table.append(reinterpret_cast<const char*>(&entry_of_table), sizeof entry_of_table);
            strings += symbol.name;
            strings += '\0';
        }
        Elf64_Shdr headers[kSections] = {};
        headers[1].sh_type = SHT_SYMTAB;
        headers[1].sh_offset = out.size();
        headers[1].sh_size = table.size();
        headers[1].sh_link = 2;
        headers[1].sh_entsize = sizeof(Elf64_Sym);
        out += table;
        headers[2].sh_type = SHT_STRTAB;
        headers[2].sh_offset = out.size();
        headers[2].sh_size = strings.size();
        out += strings;
        out.resize((out.size() + 7) / 8 * 8, '\0');
        const std::uint64_t sections = out.size();
        out.append(reinterpret_cast<const char*>(headers), sizeof headers);
        return sections;
    }
};

} // namespace pes::test

// SPDX-License-Identifier: Apache-2.0
#include "platform/host/elf_file.h"

#include "platform/host/numbers.h"

namespace pes {

ElfFile::ElfFile(const std::filesystem::path& file, std::string_view what) : file_(file, what) {
    open();
    check_header();
    check_tables();
    read_segments();
    read_sections();
}

void ElfFile::open() {
    elf_version(EV_CURRENT);
    elf_.reset(elf_begin(file_.descriptor(), ELF_C_READ, nullptr));
    if (!elf_ || elf_kind(handle()) != ELF_K_ELF) {
        refuse("is not an ELF file, expected a RISC-V program");
    }
    if (gelf_getehdr(handle(), &header_) == nullptr) {
        refuse("is truncated: the ELF header is incomplete");
    }
}

void ElfFile::check_header() const {
    if (header_.e_machine != EM_RISCV) {
        refuse("is for ELF machine " + std::to_string(header_.e_machine) +
               ", expected RISC-V (243)");
    }
    if (header_.e_ident[EI_DATA] != ELFDATA2LSB) {
        refuse("is big-endian, expected little-endian");
    }
    if (header_.e_type != ET_EXEC && header_.e_type != ET_DYN) {
        refuse("is not linked (ELF type " + std::to_string(header_.e_type) +
               "), expected an executable");
    }
}

void ElfFile::check_tables() const {
    const std::size_t expected = gelf_fsize(handle(), ELF_T_PHDR, 1, EV_CURRENT);
    if (header_.e_phnum != 0 && header_.e_phentsize != expected) {
        refuse("is damaged: its program headers have " + std::to_string(header_.e_phentsize) +
               " bytes each, expected " + std::to_string(expected));
    }
    if (!lies_within(header_.e_phoff, std::uint64_t{header_.e_phnum} * header_.e_phentsize)) {
        refuse("is truncated: the program headers are incomplete");
    }
    if (!lies_within(header_.e_shoff, std::uint64_t{header_.e_shnum} * header_.e_shentsize)) {
        refuse("is truncated: the section headers are incomplete");
    }
}

void ElfFile::read_segments() {
    std::size_t count = 0;
    bool good = elf_getphdrnum(handle(), &count) == 0;
    for (std::size_t index = 0; good && index < count; ++index) {
        GElf_Phdr& header = segments_.emplace_back();
        good = gelf_getphdr(handle(), static_cast<int>(index), &header) != nullptr;
    }
    if (!good) {
        refuse("is truncated: the program headers are incomplete");
    }
}

void ElfFile::read_sections() {
    std::size_t names = 0;
    elf_getshdrstrndx(handle(), &names);
    Elf_Scn* handle_of_section = nullptr;
    while ((handle_of_section = elf_nextscn(handle(), handle_of_section)) != nullptr) {
        ElfSection& section = sections_.emplace_back();
        section.handle = handle_of_section;
        if (gelf_getshdr(handle_of_section, &section.header) == nullptr) {
            refuse("is truncated: the section headers are incomplete");
        }
        const char* name = elf_strptr(handle(), names, section.header.sh_name);
        section.name = name != nullptr ? name : "";
    }
}

const ElfSection* ElfFile::section(std::size_t index) const {
    return index == SHN_UNDEF || index > sections_.size() ? nullptr : &sections_[index - 1];
}

std::vector<std::byte> ElfFile::bytes(const GElf_Phdr& segment) const {
    if (!lies_within(segment.p_offset, segment.p_filesz)) {
        refuse("is truncated: the segment at " + hex(segment.p_paddr) + " has " +
               std::to_string(segment.p_filesz) + " bytes from byte " +
               std::to_string(segment.p_offset) + " on, the file has " +
               std::to_string(file_.size()));
    }
    return file_.read(segment.p_offset, segment.p_filesz);
}

std::span<const std::byte> ElfFile::bytes(const ElfSection& section) const {
    const bool in_file = section.header.sh_type != SHT_NOBITS;
    if (in_file && !lies_within(section.header.sh_offset, section.header.sh_size)) {
        refuse("is truncated: the section '" + std::string(section.name) + "' is incomplete");
    }
    const Elf_Data* data = elf_getdata(section.handle, nullptr);
    if (data == nullptr || data->d_buf == nullptr) {
        return {};
    }
    return {static_cast<const std::byte*>(data->d_buf), data->d_size};
}

std::vector<ElfSymbol> ElfFile::symbols(GElf_Word table_type) const {
    std::vector<ElfSymbol> result;
    for (const ElfSection& section : sections_) {
        if (section.header.sh_type != table_type) {
            continue;
        }
        const std::size_t entry = gelf_fsize(handle(), ELF_T_SYM, 1, EV_CURRENT);
        Elf_Data* data = elf_getdata(section.handle, nullptr);
        if (data == nullptr || section.header.sh_entsize != entry) {
            refuse("is damaged: the symbol table is incomplete");
        }
        for (std::size_t index = 0; index < data->d_size / entry; ++index) {
            ElfSymbol found;
            gelf_getsym(data, static_cast<int>(index), &found.symbol);
            const char* name = elf_strptr(handle(), section.header.sh_link, found.symbol.st_name);
            found.name = name != nullptr ? name : "";
            if (!found.name.empty()) {
                result.push_back(found);
            }
        }
    }
    return result;
}

} // namespace pes

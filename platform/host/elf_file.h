// SPDX-License-Identifier: Apache-2.0
// RISC-V programs in ELF files. Opening one checks what every reader needs: that it is a linked
// little-endian RISC-V program, and whole. libelf reads what is left of a truncated file as if it
// had been linked without the rest, so a lost symbol table would look like a stripped program.
//
// A mistake in a file is a UserError of one shape: WHAT 'FILE' PROBLEM, expected EXPECTED.
#pragma once

#include "platform/host/regular_file.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <gelf.h>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pes {

struct ElfSection {
    Elf_Scn* handle = nullptr;
    GElf_Shdr header{};
    std::string_view name; ///< as long as the ElfFile lives

    bool is_code() const { return (header.sh_flags & SHF_EXECINSTR) != 0; }
    std::uint64_t end() const { return header.sh_addr + header.sh_size; }
};

struct ElfSymbol {
    GElf_Sym symbol{};
    std::string_view name; ///< not empty; as long as the ElfFile lives

    unsigned type() const { return GELF_ST_TYPE(symbol.st_info); }
    unsigned binding() const { return GELF_ST_BIND(symbol.st_info); }
};

class ElfFile {
  public:
    /// `what` names the file in a UserError ("program").
    ElfFile(const std::filesystem::path& file, std::string_view what);

    [[noreturn]] void refuse(const std::string& problem) const { file_.refuse(problem); }

    const GElf_Ehdr& header() const { return header_; }
    bool is_64_bit() const { return header_.e_ident[EI_CLASS] == ELFCLASS64; }

    const std::vector<GElf_Phdr>& segments() const { return segments_; }
    std::vector<std::byte> bytes(const GElf_Phdr& segment) const;

    /// All but the first one, which is no section.
    const std::vector<ElfSection>& sections() const { return sections_; }
    /// Null if there is none with this index.
    const ElfSection* section(std::size_t index) const;
    std::span<const std::byte> bytes(const ElfSection& section) const;

    /// Those with a name, from the tables of a type: SHT_SYMTAB or SHT_DYNSYM.
    std::vector<ElfSymbol> symbols(GElf_Word table_type) const;

    Elf* handle() const { return elf_.get(); } ///< for other libraries

  private:
    struct EndElf {
        void operator()(Elf* elf) const { elf_end(elf); }
    };

    void open();
    void check_header() const;
    void check_tables() const;
    void read_segments();
    void read_sections();
    bool lies_within(std::uint64_t offset, std::uint64_t size) const {
        return offset <= file_.size() && size <= file_.size() - offset;
    }

    RegularFile file_;
    std::unique_ptr<Elf, EndElf> elf_;
    GElf_Ehdr header_{};
    std::vector<GElf_Phdr> segments_;
    std::vector<ElfSection> sections_;
};

} // namespace pes

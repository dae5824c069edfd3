// SPDX-License-Identifier: Apache-2.0
#include "decoder/elf_program.h"

#include "decoder/function_symbols.h"
#include "hw/common/host/demangle.h"
#include "hw/common/host/elf_tables.h"
#include "hw/common/host/file_descriptor.h"
#include "hw/common/host/special_file.h"
#include "hw/common/host/user_error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <gelf.h>
#include <memory>
#include <tuple>

namespace pes {
namespace {

std::size_t leading_underscores(const std::string& name) {
    return std::min(name.find_first_not_of('_'), name.size());
}

/// Of several names for one address the one that a person wrote for the code comes first: typed
/// before untyped, sized before unsized, global before weak before local; section bounds from
/// linker scripts ("__text_start" beside "_start") have more underscores.
auto preference(const CodeSymbol& symbol) {
    return std::tuple(symbol.size == 0, !symbol.is_function, symbol.is_local, symbol.is_weak,
                      leading_underscores(symbol.name), symbol.name);
}

/// One symbol per (value, size): the preferred one, ordered by value.
void drop_aliases(std::vector<CodeSymbol>& symbols) {
    std::sort(symbols.begin(), symbols.end(), [](const CodeSymbol& a, const CodeSymbol& b) {
        return a.value != b.value ? a.value < b.value : preference(a) < preference(b);
    });
    const auto same = [](const CodeSymbol& a, const CodeSymbol& b) {
        return a.value == b.value && (b.size == 0 || a.size == b.size);
    };
    symbols.erase(std::unique(symbols.begin(), symbols.end(), same), symbols.end());
}

std::vector<Function> make_functions(std::vector<CodeSymbol> symbols, Address base) {
    drop_aliases(symbols);
    std::vector<Function> functions;
    Address sized_reach = 0; // end of the sized symbols so far
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        const CodeSymbol& symbol = symbols[i];
        if (symbol.size == 0 && symbol.value < sized_reach) {
            continue; // a label inside a function
        }
        Address end = symbol.value + symbol.size;
        if (symbol.size == 0) {
            end = symbol.section_end;
            if (i + 1 < symbols.size()) {
                end = std::min(end, symbols[i + 1].value);
            }
        } else {
            sized_reach = std::max(sized_reach, end);
        }
        functions.push_back({demangle(symbol.name), symbol.name, base + symbol.value, base + end});
    }
    std::stable_sort(functions.begin(), functions.end(), [](const auto& a, const auto& b) {
        return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    return functions;
}

} // namespace

ElfProgram::ElfProgram(const ProgramFile& program) : file_(program) {
    require_no_special("cannot open program", path());
    const FileDescriptor file(path());
    if (file.get() < 0) {
        throw UserError("cannot open program '" + path() + "': " + std::strerror(errno));
    }
    elf_version(EV_CURRENT);
    const std::unique_ptr<Elf, decltype(&elf_end)> elf(elf_begin(file.get(), ELF_C_READ, nullptr),
                                                       &elf_end);
    check_header(elf.get());
    read_code_sections(elf.get());
    functions_ = make_functions(read_code_symbols(elf.get()), file_.base);
    Address reach = 0;
    for (const Function& function : functions_) {
        reach = std::max(reach, function.end);
        reach_.push_back(reach);
    }
    lines_.emplace(elf.get(), [this](Address address) { return is_code(file_.base + address); });
}

void ElfProgram::check_header(Elf* elf) {
    const std::string expected = ", expected a linked RISC-V program";
    GElf_Ehdr header;
    if (elf == nullptr || elf_kind(elf) != ELF_K_ELF || gelf_getehdr(elf, &header) == nullptr) {
        throw UserError("'" + path() + "' is not an ELF file" + expected);
    }
    if (header.e_machine != EM_RISCV) {
        throw UserError("'" + path() + "' is an ELF file for machine " +
                        std::to_string(header.e_machine) + expected);
    }
    if (header.e_ident[EI_DATA] != ELFDATA2LSB) {
        throw UserError("'" + path() + "' is a big-endian ELF file" + expected);
    }
    if (header.e_type != ET_EXEC && header.e_type != ET_DYN) {
        throw UserError("'" + path() + "' is an ELF object file" + expected);
    }
    std::error_code ignored;
    if (const char* table = missing_table(header, std::filesystem::file_size(path(), ignored))) {
        throw UserError("'" + path() + "' is truncated: the " + table + " are incomplete");
    }
    xlen_ = gelf_getclass(elf) == ELFCLASS32 ? Xlen::Rv32 : Xlen::Rv64;
}

void ElfProgram::read_code_sections(Elf* elf) {
    Elf_Scn* section = nullptr;
    while ((section = elf_nextscn(elf, section)) != nullptr) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) != nullptr && (header.sh_flags & SHF_EXECINSTR) != 0) {
            const Address begin = file_.base + header.sh_addr;
            code_.push_back({begin, begin + header.sh_size});
        }
    }
}

bool ElfProgram::is_code(Address address) const {
    return std::any_of(code_.begin(), code_.end(), [address](const Section& section) {
        return address >= section.begin && address < section.end;
    });
}

std::pair<Address, Address> ElfProgram::code_range() const {
    std::pair<Address, Address> range{0, 0};
    for (const Section& section : code_) {
        range.first = range.second == 0 ? section.begin : std::min(range.first, section.begin);
        range.second = std::max(range.second, section.end);
    }
    return range;
}

const Function* ElfProgram::find_function(Address pc) const {
    const auto after = std::upper_bound(
        functions_.begin(), functions_.end(), pc,
        [](Address address, const Function& function) { return address < function.begin; });
    for (auto i = static_cast<std::size_t>(after - functions_.begin()); i-- > 0;) {
        if (pc < functions_[i].end) {
            return &functions_[i];
        }
        if (reach_[i] <= pc) {
            break;
        }
    }
    return nullptr;
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "platform/exec/kernel_program.h"

#include "platform/host/numbers.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <optional>
#include <string>

namespace pes {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kFarAway = 1 << 20; ///< code behind such a gap is a section of its own

struct Symbol {
    Address value = 0;
    char kind = 0; ///< as nm(1) prints it
    std::string_view name;
};

/// "ffffffff80200000 T _start", and for a module a tabulator and its name behind.
std::optional<Symbol> parse_symbol(std::string_view line) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos || line.size() < blank + 4) {
        return std::nullopt;
    }
    const auto value = parse_digits(line.substr(0, blank), 16);
    const std::string_view name = line.substr(blank + 3);
    return value ? std::optional(Symbol{*value, line[blank + 1], name.substr(0, name.find('\t'))})
                 : std::nullopt;
}

std::vector<Symbol> code_symbols(std::string_view kallsyms) {
    std::vector<Symbol> symbols;
    while (!kallsyms.empty()) {
        const std::size_t end = std::min(kallsyms.find('\n'), kallsyms.size());
        const auto symbol = parse_symbol(kallsyms.substr(0, end));
        if (symbol && symbol->value != 0 && std::strchr("tTwW", symbol->kind) != nullptr) {
            symbols.push_back(*symbol);
        }
        kallsyms.remove_prefix(std::min(end + 1, kallsyms.size()));
    }
    std::ranges::stable_sort(symbols, {}, &Symbol::value);
    return symbols;
}

/// Pages that follow each other, with code in them.
struct Piece {
    Address begin = 0;
    std::vector<std::byte> bytes{};

    Address end() const { return begin + bytes.size(); }
};

/// The pages from the first symbol to the last one, but for gaps.
std::vector<Piece> read_code(const std::vector<Symbol>& symbols, const ReadKernelMemory& read) {
    std::vector<Piece> pieces;
    std::vector<std::byte> page(kPage);
    Address next = 0; ///< the first page that has not been tried
    for (const Symbol& symbol : symbols) {
        const Address last = symbol.value & ~(kPage - 1);
        if (next == 0 || last > next + kFarAway) {
            next = last;
        }
        for (; next <= last; next += kPage) {
            if (!read(next, page)) {
                continue;
            }
            if (pieces.empty() || pieces.back().end() != next) {
                pieces.push_back({.begin = next});
            }
            pieces.back().bytes.insert(pieces.back().bytes.end(), page.begin(), page.end());
        }
    }
    return pieces;
}

/// Names that end with a zero byte, of which the first is empty.
class Names {
  public:
    std::uint32_t add(std::string_view name) {
        const auto at = static_cast<std::uint32_t>(text_.size());
        text_.append(name) += '\0';
        return at;
    }
    std::span<const std::byte> bytes() const { return std::as_bytes(std::span(text_)); }

  private:
    std::string text_ = std::string(1, '\0');
};

/// Sections in their order, and the tables around them.
class ElfWriter {
  public:
    /// The number of the next section.
    std::size_t next() const { return sections_.size(); }

    /// Returns the section, to complete it; its name, place and size are set.
    Elf64_Shdr& add(const char* name, Elf64_Word type, std::span<const std::byte> bytes) {
        Elf64_Shdr section{};
        section.sh_name = names_.add(name);
        section.sh_type = type;
        section.sh_addralign = kAlignment;
        section.sh_offset = align();
        section.sh_size = bytes.size();
        file_.insert(file_.end(), bytes.begin(), bytes.end());
        return sections_.emplace_back(section);
    }

    std::vector<std::byte> finish() {
        Names last = names_; // with its own name
        last.add(kNamesOfSections);
        add(kNamesOfSections, SHT_STRTAB, last.bytes());
        const Elf64_Ehdr header = header_with(align());
        const auto table = std::as_bytes(std::span(sections_));
        file_.insert(file_.end(), table.begin(), table.end());
        std::memcpy(file_.data(), &header, sizeof header);
        return std::move(file_);
    }

  private:
    static constexpr std::size_t kAlignment = 8;
    static constexpr const char* kNamesOfSections = ".shstrtab";

    std::size_t align() {
        file_.resize((file_.size() + kAlignment - 1) / kAlignment * kAlignment);
        return file_.size();
    }

    Elf64_Ehdr header_with(std::size_t sections_at) const {
        Elf64_Ehdr header{};
        std::memcpy(header.e_ident, ELFMAG, SELFMAG);
        header.e_ident[EI_CLASS] = ELFCLASS64;
        header.e_ident[EI_DATA] = ELFDATA2LSB;
        header.e_ident[EI_VERSION] = EV_CURRENT;
        header.e_type = ET_EXEC;
        header.e_machine = EM_RISCV;
        header.e_version = EV_CURRENT;
        header.e_flags = EF_RISCV_RVC | EF_RISCV_FLOAT_ABI_DOUBLE;
        header.e_ehsize = sizeof(Elf64_Ehdr);
        header.e_phentsize = sizeof(Elf64_Phdr);
        header.e_shentsize = sizeof(Elf64_Shdr);
        header.e_shoff = sections_at;
        header.e_shnum = static_cast<Elf64_Half>(sections_.size());
        header.e_shstrndx = static_cast<Elf64_Half>(sections_.size() - 1);
        return header;
    }

    std::vector<std::byte> file_ = std::vector<std::byte>(sizeof(Elf64_Ehdr));
    std::vector<Elf64_Shdr> sections_ = std::vector<Elf64_Shdr>(1); // section 0 is none
    Names names_;
};

/// The sections of the pieces are the first ones.
std::vector<Elf64_Sym> symbols_of(const std::vector<Symbol>& symbols,
                                  const std::vector<Piece>& pieces, Names& names) {
    std::vector<Elf64_Sym> table(1);
    for (const Symbol& symbol : symbols) {
        const auto holds = [&symbol](const Piece& piece) {
            return symbol.value >= piece.begin && symbol.value < piece.end();
        };
        const auto piece = std::ranges::find_if(pieces, holds);
        if (piece != pieces.end()) {
            table.push_back({.st_name = names.add(symbol.name),
                             .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                             .st_other = STV_DEFAULT,
                             .st_shndx = static_cast<Elf64_Half>(piece - pieces.begin() + 1),
                             .st_value = symbol.value,
                             .st_size = 0});
        }
    }
    return table;
}

} // namespace

std::vector<std::byte> kernel_program(std::string_view kallsyms, const ReadKernelMemory& read) {
    const std::vector<Symbol> symbols = code_symbols(kallsyms);
    const std::vector<Piece> pieces = read_code(symbols, read);
    if (pieces.empty()) {
        return {};
    }
    ElfWriter elf;
    for (const Piece& piece : pieces) {
        Elf64_Shdr& section = elf.add(".text", SHT_PROGBITS, piece.bytes);
        section.sh_flags = SHF_ALLOC | SHF_EXECINSTR;
        section.sh_addr = piece.begin;
    }
    Names names;
    const std::vector<Elf64_Sym> table = symbols_of(symbols, pieces, names);
    Elf64_Shdr& section = elf.add(".symtab", SHT_SYMTAB, std::as_bytes(std::span(table)));
    section.sh_entsize = sizeof(Elf64_Sym);
    section.sh_info = 1; // symbols that are local
    section.sh_link = static_cast<Elf64_Word>(elf.next());
    elf.add(".strtab", SHT_STRTAB, names.bytes());
    return elf.finish();
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "platform/program/elf_program.h"

#include "platform/host/demangle.h"
#include "platform/host/elf_file.h"
#include "platform/program/elf_code.h"
#include "platform/program/function_symbols.h"

#include <algorithm>
#include <filesystem>
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
    const ElfFile elf(path(), "program");
    xlen_ = elf.is_64_bit() ? Xlen::Rv64 : Xlen::Rv32;
    for (const ElfSection& section : elf.sections()) {
        if (!section.is_code()) {
            continue;
        }
        code_.push_back({file_.base + section.header.sh_addr, file_.base + section.end()});
        if (file_.names_the_rest) {
            const std::string name = std::filesystem::path(path()).filename().string() +
                                     (section.name == ".text" ? "" : std::string(section.name));
            rest_.push_back({"[" + name + "]", name, code_.back().begin, code_.back().end});
        }
    }
    functions_ = make_functions(read_code_symbols(elf), file_.base);
    Address reach = 0;
    for (const Function& function : functions_) {
        reach = std::max(reach, function.end);
        reach_.push_back(reach);
    }
    lines_.emplace(elf.handle(), [this](Address address) { return is_code(file_.base + address); });
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
    const auto around = std::ranges::find_if(
        rest_, [pc](const Function& section) { return pc >= section.begin && pc < section.end; });
    return around == rest_.end() ? nullptr : &*around;
}

const BasicBlocks& ElfProgram::blocks() const {
    if (blocks_ == nullptr) {
        trace::ProgramImage code;
        trace::add_program_code(code, file_);
        std::vector<Address> entries;
        for (const Function& function : functions_) {
            entries.push_back(function.begin);
        }
        blocks_ = std::make_unique<const BasicBlocks>(code, std::move(entries));
    }
    return *blocks_;
}

} // namespace pes

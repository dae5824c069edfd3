// SPDX-License-Identifier: Apache-2.0
#include "platform/boot/loader.h"

#include "platform/boot/unpack.h"
#include "platform/host/demangle.h"
#include "platform/host/elf_file.h"
#include "platform/host/numbers.h"
#include "platform/host/user_error.h"

#include <algorithm>
#include <cstring>
#include <sstream>
#include <utility>

namespace pes {

/// One pass over a file; every check names the file and what was expected.
class ElfReader {
  public:
    /// `base`: where a position-independent program goes.
    ElfReader(const std::filesystem::path& file, Address base, std::string_view what)
        : elf_(file, what), base_(base) {
        program_.what_ = what;
        program_.name_ = file.string();
    }

    Program read() {
        if (!elf_.is_64_bit()) {
            fail("is an RV32 program, expected RV64");
        }
        read_headers();
        if (elf_.header().e_type == ET_DYN) {
            choose_bias();
        }
        read_segments();
        check_overlaps();
        relocate();
        set_entry(elf_.header().e_entry + bias_);
        read_symbols();
        return std::move(program_);
    }

  private:
    [[noreturn]] void fail(const std::string& problem) const { elf_.refuse(problem); }

    void read_headers() {
        for (const GElf_Phdr& header : elf_.segments()) {
            if (header.p_type == PT_LOAD && header.p_memsz != 0) {
                loadable_.push_back(header);
            } else if (header.p_type == PT_DYNAMIC) {
                dynamic_ = header;
            } else if (header.p_type == PT_INTERP) {
                fail("wants a dynamic linker, expected a static executable");
            }
        }
        if (loadable_.empty()) {
            fail("has no loadable segment");
        }
    }

    /// The page of the lowest segment goes to the base.
    void choose_bias() {
        constexpr Address kPage = 4096;
        const auto lowest = std::ranges::min_element(loadable_, {}, &GElf_Phdr::p_paddr);
        bias_ = base_ - lowest->p_paddr / kPage * kPage;
    }

    void read_segments() {
        for (const GElf_Phdr& header : loadable_) {
            read_segment(header);
        }
    }

    void read_segment(const GElf_Phdr& header) {
        if (header.p_filesz > header.p_memsz) {
            fail("is damaged: the segment at " + hex(header.p_paddr) +
                 " has more bytes in the file than in memory");
        }
        program_.segments_.push_back(
            {header.p_paddr + bias_, header.p_vaddr + bias_, header.p_memsz, elf_.bytes(header)});
    }

    void check_overlaps() const {
        std::vector<const Program::Segment*> order;
        for (const Program::Segment& segment : program_.segments_) {
            order.push_back(&segment);
        }
        std::ranges::sort(order, {}, &Program::Segment::physical);
        for (std::size_t i = 1; i < order.size(); ++i) {
            if (order[i]->physical - order[i - 1]->physical < order[i - 1]->memory_size) {
                fail("has overlapping segments at " + hex(order[i - 1]->physical) + " and " +
                     hex(order[i]->physical));
            }
        }
    }

    /// A value of the dynamic section, 0 without it.
    std::uint64_t dynamic_value(std::int64_t tag) {
        for (std::uint64_t offset = 0; offset + sizeof(Elf64_Dyn) <= dynamic_->p_filesz;
             offset += sizeof(Elf64_Dyn)) {
            Elf64_Dyn entry;
            read_from_segment(&entry, dynamic_->p_vaddr + offset, sizeof entry, "dynamic section");
            if (entry.d_tag == tag || entry.d_tag == DT_NULL) {
                return entry.d_tag == tag ? entry.d_un.d_val : 0;
            }
        }
        return 0;
    }

    void read_from_segment(void* to, Address linked, std::size_t size, const char* what) {
        const std::byte* from = program_.at(linked + bias_, size);
        if (from == nullptr) {
            fail(std::string("is damaged: the ") + what + " at " + hex(linked) +
                 " lies in no segment");
        }
        std::memcpy(to, from, size);
    }

    /// R_RISCV_RELATIVE: the word becomes bias + addend, whatever it was. A program that relocates
    /// itself does the same again.
    void relocate() {
        if (!dynamic_) {
            return;
        }
        const std::uint64_t table = dynamic_value(DT_RELA);
        const std::uint64_t size = dynamic_value(DT_RELASZ);
        for (std::uint64_t offset = 0; offset + sizeof(Elf64_Rela) <= size;
             offset += sizeof(Elf64_Rela)) {
            Elf64_Rela entry;
            read_from_segment(&entry, table + offset, sizeof entry, "relocation table");
            if (ELF64_R_TYPE(entry.r_info) != R_RISCV_RELATIVE) {
                continue;
            }
            const std::uint64_t value = static_cast<std::uint64_t>(entry.r_addend) + bias_;
            std::byte* word = program_.at(entry.r_offset + bias_, sizeof value);
            if (word == nullptr) {
                fail("is damaged: a relocation is about " + hex(entry.r_offset) +
                     ", which is in no segment");
            }
            std::memcpy(word, &value, sizeof value);
        }
    }

    /// A program may give its entry as a physical address although it is linked elsewhere.
    void set_entry(Address entry) {
        program_.entry_ = program_.physical_of(entry);
        const auto holds = [this](const Program::Segment& segment) {
            return program_.entry_ - segment.physical < segment.memory_size;
        };
        if (program_.entry_ % 2 != 0 || std::ranges::none_of(program_.segments_, holds)) {
            fail("starts at " + hex(entry) + ", expected an even address in one of its segments");
        }
    }

    /// A stripped program simply has none.
    void read_symbols() {
        for (const ElfSymbol& symbol : elf_.symbols(SHT_SYMTAB)) {
            const bool names_a_place = symbol.type() == STT_NOTYPE || symbol.type() == STT_OBJECT ||
                                       symbol.type() == STT_FUNC;
            if (names_a_place && symbol.symbol.st_shndx != SHN_UNDEF) {
                add_symbol(symbol);
            }
        }
    }

    void add_symbol(const ElfSymbol& symbol) {
        const GElf_Sym& entry = symbol.symbol;
        const Address bias = entry.st_shndx == SHN_ABS ? 0 : bias_;
        const SymbolPlace place{program_.physical_of(entry.st_value + bias), entry.st_size};
        if (symbol.binding() == STB_LOCAL) {
            program_.symbols_.try_emplace(std::string(symbol.name), place); // never hides a global
        } else {
            program_.symbols_.insert_or_assign(std::string(symbol.name), place);
        }
    }

    ElfFile elf_;
    const Address base_;
    Address bias_ = 0; ///< of a position-independent program: place - address in the file
    std::vector<GElf_Phdr> loadable_;
    std::optional<GElf_Phdr> dynamic_;
    Program program_;
};

Program Program::read(const std::filesystem::path& file, Address base, std::string_view what) {
    return ElfReader(file, base, what).read();
}

namespace {

bool begins_as_elf(std::span<const std::byte> bytes) {
    return bytes.size() >= SELFMAG && std::memcmp(bytes.data(), ELFMAG, SELFMAG) == 0;
}

} // namespace

Program Program::raw_image(const std::filesystem::path& file, std::string_view what,
                           Address address) {
    Program program;
    program.what_ = what;
    program.name_ = file.string();
    program.entry_ = address;
    std::vector<std::byte> bytes = read_image(file, what);
    program.elf_ = begins_as_elf(bytes);
    const std::uint64_t size = bytes.size();
    program.segments_.push_back({address, address, size, std::move(bytes)});
    return program;
}

Program Program::read_image_or_elf(const std::filesystem::path& file, std::string_view what,
                                   Address address, std::uint64_t most) {
    Program raw = raw_image(file, what, address);
    Segment& segment = raw.segments_.front();
    if (begins_as_elf(segment.data)) {
        return read(file, address, what);
    }
    segment.data = unpack(std::move(segment.data), raw.title(), most);
    segment.memory_size = segment.data.size();
    return raw;
}

std::vector<MemoryRange> Program::ranges() const {
    std::vector<MemoryRange> result;
    for (const Segment& segment : segments_) {
        result.push_back({segment.physical, segment.memory_size});
    }
    return result;
}

Address Program::end() const {
    Address end = 0;
    for (const Segment& segment : segments_) {
        end = std::max(end, segment.physical + segment.memory_size);
    }
    return end;
}

Address Program::physical_of(Address virtual_address) const {
    for (const Segment& segment : segments_) {
        const Address offset = virtual_address - segment.virtual_address;
        if (offset < segment.memory_size) {
            return segment.physical + offset;
        }
    }
    return virtual_address;
}

std::byte* Program::at(Address virtual_address, std::size_t size) {
    for (Segment& segment : segments_) {
        const Address offset = virtual_address - segment.virtual_address;
        if (offset < segment.data.size() && size <= segment.data.size() - offset) {
            return segment.data.data() + offset;
        }
    }
    return nullptr;
}

void Program::require_fits(const MemoryRange& memory) const {
    for (const Segment& segment : segments_) {
        const Address offset = segment.physical - memory.base;
        if (offset > memory.size || segment.memory_size > memory.size - offset) {
            const std::string place = "main memory (" + hex(memory.base) + " to " +
                                      hex(memory.base + memory.size - 1) + ")";
            throw UserError(title() + " has " + std::to_string(segment.memory_size) + " bytes at " +
                            hex(segment.physical) +
                            (offset < memory.size
                                 ? ", too many for " + place + ", expected a larger dram.size"
                                 : ", outside " + place));
        }
    }
}

void Program::place(const Place& place) const {
    for (const Segment& segment : segments_) {
        place(segment.physical, segment.data, segment.memory_size);
    }
}

void Program::load(std::span<std::byte> bytes, Address base) const {
    for (const Segment& segment : segments_) {
        const auto target = bytes.subspan(segment.physical - base, segment.memory_size);
        std::ranges::copy(segment.data, target.begin());
        std::ranges::fill(target.subspan(segment.data.size()), std::byte{0});
    }
}

std::optional<Program::Change> Program::first_change(std::span<const std::byte> bytes,
                                                     Address base) const {
    for (const Segment& segment : segments_) {
        const std::size_t size = segment.data.size();
        const auto now = bytes.subspan(segment.physical - base, size);
        if (size == 0 || std::memcmp(segment.data.data(), now.data(), size) == 0) {
            continue; // a kernel has megabytes that stay as they are
        }
        const auto differs = std::ranges::mismatch(segment.data, now).in2 - now.begin();
        return Change{.range = {.base = segment.physical, .size = segment.memory_size},
                      .address = segment.physical + static_cast<Address>(differs)};
    }
    return std::nullopt;
}

std::optional<SymbolPlace> Program::symbol(std::string_view name) const {
    const auto found = symbols_.find(name);
    if (found == symbols_.end()) {
        return std::nullopt;
    }
    return found->second;
}

const Program::NamedPlace* Program::symbol_at(Address physical) const {
    const auto inside = [physical](const Segment& segment) {
        return physical - segment.physical < segment.memory_size;
    };
    if (std::ranges::none_of(segments_, inside)) {
        return nullptr;
    }
    const NamedPlace* best = nullptr;
    const auto covers = [physical](const SymbolPlace& place) {
        return physical - place.address < place.size;
    };
    for (const auto& symbol : symbols_) {
        const bool marks_only = symbol.first.starts_with('$') || symbol.first.starts_with('.');
        if (symbol.second.address > physical || marks_only) {
            continue;
        }
        if (best == nullptr || std::pair(covers(symbol.second), symbol.second.address) >
                                   std::pair(covers(best->second), best->second.address)) {
            best = &symbol;
        }
    }
    return best;
}

std::string Program::place_name(Address pc) const {
    const Address address = physical_of(pc);
    const NamedPlace* const symbol = symbol_at(address);
    if (symbol == nullptr) {
        return {};
    }
    std::ostringstream text;
    text << demangle(symbol->first) << "+0x" << std::hex << address - symbol->second.address;
    return text.str();
}

std::string Program::function_name(Address pc) const {
    const NamedPlace* const symbol = symbol_at(physical_of(pc));
    return symbol == nullptr ? std::string() : demangle(symbol->first);
}

} // namespace pes

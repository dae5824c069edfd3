// SPDX-License-Identifier: Apache-2.0
// ELF programs for the modelled hart. A file is read and checked whole before anything is loaded,
// so that a bad file has no effect.
#pragma once

#include "hw/core/hart_config.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pes {

/// Where a symbol's object lies in physical memory.
struct SymbolPlace {
    Address address = 0;
    std::uint64_t size = 0; ///< bytes; 0 if the program does not say
};

class Program {
  public:
    /// Reads a static RV64 little-endian executable. One that is position-independent is placed
    /// with its first page at `base`, and its relative relocations are applied: others it does
    /// itself, as OpenSBI does. Throws UserError with one sentence, in which `what` names it.
    static Program read(const std::filesystem::path& file, Address base,
                        std::string_view what = "program");

    /// A file as it is, at `address`, which is its entry too. `what` names it in a UserError.
    static Program raw_image(const std::filesystem::path& file, std::string_view what,
                             Address address);
    /// As read() if it is an ELF file, or else as raw_image(), unpacked if it is compressed and
    /// has at most `most` bytes then; `address` is the latter's, and the former's `base`.
    static Program read_image_or_elf(const std::filesystem::path& file, std::string_view what,
                                     Address address, std::uint64_t most);

    /// Throws UserError unless every segment lies in `memory`.
    void require_fits(const MemoryRange& memory) const;

    /// Copies the segments to their physical addresses and clears what the file does not fill;
    /// `bytes` is the memory that begins at `base`. require_fits() must have passed.
    void load(std::span<std::byte> bytes, Address base) const;

    /// The same for a memory of others: each segment, what the file has of it and its size.
    using Place = std::function<void(Address, std::span<const std::byte>, std::uint64_t size)>;
    void place(const Place& place) const;

    /// Where memory is no longer what load() has copied.
    struct Change {
        MemoryRange range; ///< of the segment
        Address address = 0;
    };
    std::optional<Change> first_change(std::span<const std::byte> bytes, Address base) const;

    /// Physical, because the hart starts without translation.
    Address entry() const { return entry_; }
    std::optional<SymbolPlace> symbol(std::string_view name) const;
    /// "main+0x1c": the function, or else the label, at or before an address inside the program,
    /// virtual or physical; empty if it has none.
    std::string place_name(Address pc) const;
    /// The same without the distance: "main".
    std::string function_name(Address pc) const;
    const std::string& name() const { return name_; }
    /// "kernel 'Image'"
    std::string title() const { return what_ + " '" + name_ + "'"; }
    /// Also an initial RAM disk that is one, the program of a proxy kernel.
    bool is_elf() const { return elf_; }
    std::vector<MemoryRange> ranges() const; ///< what it fills, in physical memory
    Address end() const;                     ///< behind its last byte

  private:
    struct Segment {
        Address physical = 0;
        Address virtual_address = 0;
        std::uint64_t memory_size = 0;
        std::vector<std::byte> data; ///< shorter than memory_size if there is bss
    };

    Address physical_of(Address virtual_address) const;
    using NamedPlace = std::pair<const std::string, SymbolPlace>;
    const NamedPlace* symbol_at(Address physical) const;      ///< null: there is none
    std::byte* at(Address virtual_address, std::size_t size); ///< null: not in the file

    std::string what_;
    std::string name_;
    bool elf_ = true;
    Address entry_ = 0;
    std::vector<Segment> segments_;
    std::map<std::string, SymbolPlace, std::less<>> symbols_;

    friend class ElfReader;
};

} // namespace pes

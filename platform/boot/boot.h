// SPDX-License-Identifier: Apache-2.0
// The contents of memory and registers when the harts leave reset: one program, or a firmware with
// a supervisor payload, as QEMU's virt machine loads them (hw/riscv/boot.c):
//
//   firmware   an ELF file at its own addresses, a raw image at the start of main memory
//   kernel     an ELF file at its own addresses, a raw image at the next multiple of 2 MiB
//   initrd     after the kernel's entry, by half of main memory but at most 128 MiB
//   tree       at the end of main memory, on a multiple of 2 MiB
//
// a0 is the hart's number, a1 the device tree, a2 what lies in front of the tree: with a kernel
// what OpenSBI's fw_dynamic asks for, its entry and mode (struct fw_dynamic_info, version 2); for a
// program that gets words, those (docs/boot.md). Without either a2 is 0, and not the words of a
// program without arguments: their place hangs on the length of its name, and a run does not.
#pragma once

#include "platform/boot/device_tree.h"
#include "platform/boot/loader.h"

namespace pes {

struct BootFiles {
    std::string program{};            ///< either this, ...
    std::vector<std::string> words{}; ///< ... with argv, the name first; empty: it gets none ...
    std::string firmware{};           ///< ... or this, with
    std::string kernel{};
    std::string initrd{};
    std::string append{};      ///< command line of the kernel
    std::string device_tree{}; ///< in place of the platform's own
};

class BootImage {
  public:
    /// Reads and checks everything; throws UserError.
    BootImage(const BootFiles& files, const PlatformConfig& config);

    void load(std::span<std::byte> bytes, Address base) const;

    Address entry() const { return programs_.front().entry(); }
    Address device_tree_address() const { return tree_address_; } ///< a1
    Address information() const { return information_address_; }  ///< a2; 0: there is none
    /// Where the firmware is to start the kernel; nothing without a kernel.
    std::optional<Address> kernel_entry() const;
    /// What is no longer as load() has left it, beside the firmware.
    struct Change {
        std::string title;   ///< "kernel 'Image'"
        MemoryRange range;   ///< of its segment
        Address address = 0; ///< the first byte that differs
    };
    std::vector<Change> changes(std::span<const std::byte> bytes, Address base) const;
    /// Of the program or firmware, or else of the kernel.
    std::optional<SymbolPlace> symbol(std::string_view name) const;
    /// As Program::place_name().
    std::string place_name(Address pc) const;
    /// As Program::function_name().
    std::string function_name(Address pc) const;
    /// Absolute paths of the loaded ELF files, beginning with the one that runs first.
    std::vector<std::string> elf_files() const;
    /// The memory between everything that was loaded and the device tree; empty if the tree lies
    /// below.
    MemoryRange unused_memory() const;
    const DeviceTree& device_tree() const { return tree_; }

  private:
    void add_kernel(const BootFiles& files, const MemoryRange& memory);
    void place_tree(const MemoryRange& memory);
    void write_words(const std::vector<std::string>& words);
    void check_overlaps() const;

    std::vector<Program> programs_; ///< what runs first comes first
    DeviceTree tree_;
    Address tree_address_ = 0;
    Address information_address_ = 0;
    std::vector<std::byte> information_;
};

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "platform/boot/boot.h"

#include "platform/host/numbers.h"
#include "platform/host/regular_file.h"
#include "platform/host/user_error.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

namespace pes {
namespace {

constexpr std::uint64_t kMebibyte = 1 << 20;
constexpr std::uint64_t kMegapage = 2 * kMebibyte; // what an operating system maps in one go
constexpr std::uint64_t kPage = 4096;

constexpr Address align_up(Address address, std::uint64_t step) {
    return (address + step - 1) / step * step;
}

/// struct fw_dynamic_info of OpenSBI (include/sbi/fw_dynamic.h), RV64, version 2.
struct DynamicInformation {
    std::uint64_t magic = 0x4942534F; // "OSBI"
    std::uint64_t version = 2;
    std::uint64_t next_address = 0;
    std::uint64_t next_mode = 1; // supervisor
    std::uint64_t options = 0;
    std::uint64_t boot_hart = 0;
};

/// What main() gets: this, the addresses of the words, 0, and then the words.
struct ProgramWords {
    std::uint64_t magic = 0x766772612D736570; // "pes-argv"
    std::uint64_t count = 0;
};

std::size_t size_of(const std::vector<std::string>& words) {
    std::size_t size = sizeof(ProgramWords) + (words.size() + 1) * sizeof(Address);
    for (const std::string& word : words) {
        size += word.size() + 1;
    }
    return align_up(size, sizeof(Address));
}

} // namespace

BootImage::BootImage(const BootFiles& files, const PlatformConfig& config)
    : tree_(files.device_tree.empty() ? make_device_tree(config)
                                      : read_device_tree(files.device_tree)) {
    const MemoryRange& memory = config.hart.memory;
    programs_.push_back(
        files.firmware.empty()
            ? Program::read(files.program, memory.base)
            : Program::read_image_or_elf(files.firmware, "firmware", memory.base, memory.size));
    if (!files.kernel.empty()) {
        add_kernel(files, memory);
    } else if (!files.words.empty()) {
        information_.resize(size_of(files.words));
    }
    place_tree(memory);
    if (files.kernel.empty()) {
        write_words(files.words);
    }
    for (const Program& program : programs_) {
        program.require_fits(memory);
    }
    check_overlaps();
}

void BootImage::add_kernel(const BootFiles& files, const MemoryRange& memory) {
    const Address start = align_up(programs_.front().end(), kMegapage);
    programs_.push_back(Program::read_image_or_elf(files.kernel, "kernel", start, memory.size));
    const Address entry = programs_.back().entry();
    DynamicInformation information;
    information.next_address = entry;
    information_.resize(sizeof information);
    std::memcpy(information_.data(), &information, sizeof information);

    BootArguments arguments{.command_line = files.append, .initrd = std::nullopt};
    if (!files.initrd.empty()) {
        const Address place =
            align_up(entry + std::min<std::uint64_t>(memory.size / 2, 128 * kMebibyte), kPage);
        programs_.push_back(Program::raw_image(files.initrd, "initrd", place));
        arguments.initrd = {place, programs_.back().end() - place};
    }
    const std::string origin = files.device_tree.empty()
                                   ? std::string("the platform's device tree")
                                   : "device tree '" + files.device_tree + "'";
    set_boot_arguments(tree_, arguments, origin);
}

void BootImage::place_tree(const MemoryRange& memory) {
    const std::uint64_t room = tree_.size() + information_.size();
    if (room > memory.size) {
        throw UserError("the device tree of " + std::to_string(tree_.size()) + " bytes" +
                        (information_.empty() ? ""
                                              : " with " + std::to_string(information_.size()) +
                                                    " bytes in front of it") +
                        " does not fit into main memory of " + std::to_string(memory.size));
    }
    const Address highest = memory.base + memory.size - tree_.size();
    const Address aligned = highest / kMegapage * kMegapage;
    // Main memory smaller than 2 MiB has no such address.
    tree_address_ = aligned >= memory.base + information_.size() ? aligned : highest / 8 * 8;
    information_address_ = information_.empty() ? 0 : tree_address_ - information_.size();
}

void BootImage::write_words(const std::vector<std::string>& words) {
    if (words.empty()) {
        return;
    }
    const ProgramWords head{.count = words.size()};
    std::memcpy(information_.data(), &head, sizeof head);
    std::size_t list = sizeof head;
    std::size_t text = list + (words.size() + 1) * sizeof(Address); // behind the 0
    for (const std::string& word : words) {
        const Address place = information_address_ + text;
        std::memcpy(&information_[list], &place, sizeof place);
        std::memcpy(&information_[text], word.c_str(), word.size() + 1);
        list += sizeof place;
        text += word.size() + 1;
    }
}

void BootImage::check_overlaps() const {
    struct Piece {
        MemoryRange range;
        std::string name;
    };
    std::vector<Piece> pieces{
        {{tree_address_ - information_.size(), tree_.size() + information_.size()}, "device tree"}};
    for (const Program& program : programs_) {
        for (const MemoryRange& range : program.ranges()) {
            pieces.push_back({range, program.title()});
        }
    }
    std::ranges::sort(pieces, {}, [](const Piece& piece) { return piece.range.base; });
    for (std::size_t i = 1; i < pieces.size(); ++i) {
        const Piece& low = pieces[i - 1];
        if (pieces[i].range.base - low.range.base < low.range.size) {
            throw UserError(low.name + " of " + std::to_string(low.range.size) + " bytes and " +
                            pieces[i].name + " overlap in memory at " + hex(pieces[i].range.base) +
                            ", expected each in a place of its own");
        }
    }
}

void BootImage::load(std::span<std::byte> bytes, Address base) const {
    for (const Program& program : programs_) {
        program.load(bytes, base);
    }
    std::ranges::copy(tree_, bytes.subspan(tree_address_ - base).begin());
    if (!information_.empty()) {
        std::ranges::copy(information_, bytes.subspan(information_address_ - base).begin());
    }
}

std::optional<Address> BootImage::kernel_entry() const {
    return programs_.size() > 1 ? std::optional(programs_[1].entry()) : std::nullopt;
}

std::vector<BootImage::Change> BootImage::changes(std::span<const std::byte> bytes,
                                                  Address base) const {
    std::vector<Change> changes;
    for (const Program& program : std::span(programs_).subspan(1)) {
        if (const auto found = program.first_change(bytes, base)) {
            changes.push_back({program.title(), found->range, found->address});
        }
    }
    return changes;
}

std::optional<SymbolPlace> BootImage::symbol(std::string_view name) const {
    for (const Program& program : programs_) {
        if (const std::optional<SymbolPlace> place = program.symbol(name)) {
            return place;
        }
    }
    return std::nullopt;
}

std::string BootImage::place_name(Address pc) const {
    for (const Program& program : programs_) {
        if (std::string name = program.place_name(pc); !name.empty()) {
            return name;
        }
    }
    return {};
}

std::string BootImage::function_name(Address pc) const {
    for (const Program& program : programs_) {
        if (std::string name = program.function_name(pc); !name.empty()) {
            return name;
        }
    }
    return {};
}

std::vector<std::string> BootImage::elf_files() const {
    std::vector<std::string> files;
    for (const Program& program : programs_) {
        if (program.is_elf()) {
            files.push_back(std::filesystem::absolute(program.name()).string());
        }
    }
    return files;
}

MemoryRange BootImage::unused_memory() const {
    Address from = 0;
    for (const Program& program : programs_) {
        from = std::max(from, program.end());
    }
    const Address to = tree_address_ - information_.size();
    return from < to ? MemoryRange{.base = from, .size = to - from} : MemoryRange{};
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "platform/exec/guest_programs.h"

#include "platform/host/user_error.h"
#include "platform/program/elf_code.h"
#include "platform/program/mapped_code.h"

#include <algorithm>
#include <sstream>

namespace pes {
namespace {

constexpr Address kApart = Address{1} << 32; ///< between two places that are tried for a file

bool overlap(const ProgramFile& left, const ProgramFile& right) {
    const auto other = trace::code_mappings(right);
    return std::ranges::any_of(trace::code_mappings(left), [&other](const auto& mine) {
        return std::ranges::any_of(other, [&mine](const auto& theirs) {
            return mine.begin < theirs.begin + theirs.size && theirs.begin < mine.begin + mine.size;
        });
    });
}

} // namespace

GuestPrograms::GuestPrograms(const std::vector<ProcessImage>& images, const FindFile& find,
                             const std::vector<ProgramFile>& taken)
    : taken_(taken) {
    std::vector<const ProcessImage*> sorted; // the first process keeps its addresses
    for (const ProcessImage& image : images) {
        sorted.push_back(&image);
    }
    std::ranges::stable_sort(sorted, {}, &ProcessImage::process);
    images_.reserve(sorted.size());
    for (const ProcessImage* image : sorted) {
        images_.push_back(read_image(*image, find));
        for (const std::uint64_t satp : image->spaces) {
            of_space_[satp] = &images_.back();
        }
    }
    std::ranges::sort(missing_);
    missing_.erase(std::ranges::unique(missing_).begin(), missing_.end());
}

GuestPrograms::Image GuestPrograms::read_image(const ProcessImage& image, const FindFile& find) {
    Image read;
    std::istringstream lines(image.maps);
    for (std::string line; std::getline(lines, line);) {
        const auto code = parse_mapped_code(line, "maps");
        if (!code) {
            continue;
        }
        read.program = read.program.empty() ? code->name : read.program;
        const std::string file = find(code->name);
        std::optional<Address> shift;
        try {
            if (!file.empty()) {
                shift = shift_of(file, trace::load_base(file, code->begin, code->offset));
            }
        } catch (const UserError&) { // it maps code that is no program
        }
        if (shift) {
            read.code.push_back({.begin = code->begin, .end = code->end, .shift = *shift});
        } else {
            missing_.push_back(code->name);
        }
    }
    return read;
}

/// From where an image has the file to its place; it gets one if it has none.
std::optional<Address> GuestPrograms::shift_of(const std::string& path, Address base) {
    const auto known = std::ranges::find(files_, path, &ProgramFile::path);
    if (known != files_.end()) {
        return known->base - base;
    }
    ProgramFile file{.path = path, .base = base, .context = std::nullopt, .names_the_rest = true};
    while (!is_free(file)) {
        file.base += kApart;
    }
    files_.push_back(file);
    taken_.push_back(file);
    return file.base - base;
}

bool GuestPrograms::is_free(const ProgramFile& file) const {
    return std::ranges::none_of(taken_,
                                [&file](const ProgramFile& other) { return overlap(file, other); });
}

const GuestPrograms::Mapped* GuestPrograms::mapping_at(const Image& image, Address pc) {
    const auto found = std::ranges::find_if(
        image.code, [pc](const Mapped& code) { return pc >= code.begin && pc < code.end; });
    return found == image.code.end() ? nullptr : &*found;
}

void GuestPrograms::learn(const TruthTable& truth) {
    std::map<std::uint64_t, std::map<const Image*, std::uint64_t>> covered;
    truth.each_row([&](TruthRow row) {
        const TruthTable::Key key = truth.key(row);
        if (key.context.privilege != Privilege::User || of_space_.contains(key.context.satp)) {
            return;
        }
        for (const Image& image : images_) {
            if (mapping_at(image, key.pc) != nullptr) {
                covered[key.context.satp][&image] += truth.value(row, TruthTable::kRetired);
            }
        }
    });
    for (const auto& [satp, candidates] : covered) {
        std::uint64_t most = 0;
        for (const Image& image : images_) {
            const auto found = candidates.find(&image);
            if (found != candidates.end() && found->second > most) {
                most = found->second;
                of_space_[satp] = &image;
            }
        }
    }
}

bool GuestPrograms::is_of_first(std::uint64_t satp) const {
    const auto image = of_space_.find(satp);
    return image != of_space_.end() && image->second->program == images_.front().program;
}

Address GuestPrograms::place(const TruthTable::Key& key) const {
    const auto image = of_space_.find(key.context.satp);
    const Mapped* const code =
        image == of_space_.end() ? nullptr : mapping_at(*image->second, key.pc);
    return code == nullptr ? key.pc : key.pc + code->shift;
}

} // namespace pes

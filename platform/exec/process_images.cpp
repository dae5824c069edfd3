// SPDX-License-Identifier: Apache-2.0
#include "platform/exec/process_images.h"

#include "hw/interface/maps/linux_agent.h"

#include <algorithm>
#include <sstream>

namespace pes {
namespace {

constexpr unsigned kPageBits = 12, kIndexBits = 9, kLevels = 3;
constexpr std::uint64_t kSv39 = 8; ///< satp.MODE
constexpr std::uint64_t kPpnMask = (std::uint64_t{1} << 44) - 1;
constexpr std::uint64_t kValid = 1, kReadOrExecute = 0xA; ///< of an entry; V, R and X

} // namespace

std::optional<std::uint64_t> frame_of(std::uint64_t satp, Address address,
                                      const ProcessImages::ReadMemory& read) {
    if (satp >> 60 != kSv39) {
        return std::nullopt;
    }
    std::uint64_t table = satp & kPpnMask;
    for (unsigned level = kLevels; level-- > 0;) {
        const Address number = address >> (kPageBits + level * kIndexBits);
        const std::uint64_t index = number & ((1U << kIndexBits) - 1);
        const auto entry = read((table << kPageBits) + index * sizeof(std::uint64_t));
        if (!entry || (*entry & kValid) == 0) {
            return std::nullopt;
        }
        const std::uint64_t frame = *entry >> 10 & kPpnMask;
        if ((*entry & kReadOrExecute) != 0) {
            const std::uint64_t inside = (std::uint64_t{1} << level * kIndexBits) - 1;
            return frame + (address >> kPageBits & inside);
        }
        table = frame;
    }
    return std::nullopt;
}

bool has_user_pages(std::uint64_t satp, const ProcessImages::ReadMemory& read) {
    constexpr std::uint64_t kHalf = std::uint64_t{1} << (kIndexBits - 1);
    const Address root = (satp & kPpnMask) << kPageBits;
    for (std::uint64_t index = 0; satp >> 60 == kSv39 && index < kHalf; ++index) {
        if (read(root + index * sizeof(std::uint64_t)).value_or(0) & kValid) {
            return true;
        }
    }
    return false;
}

bool ProcessImages::add(std::string_view text) {
    bool ended = false;
    while (!text.empty()) {
        const std::size_t size = std::min(text.find('\0'), text.size());
        record_ += text.substr(0, size);
        if (size < text.size()) {
            take_record();
            record_.clear();
            ended = true;
        }
        text.remove_prefix(std::min(size + 1, text.size()));
    }
    return ended;
}

/// "PROCESS KIND STACK_PAGE FRAME" and the text of the maps. A fork makes copies of pages, so that
/// the frame may be another one at the end.
void ProcessImages::take_record() {
    const std::size_t line = std::min(record_.find('\n'), record_.size());
    std::istringstream head(record_.substr(0, line));
    ProcessImage image;
    std::string kind;
    if (!(head >> image.process >> kind >> std::hex >> image.stack_page >> image.frame)) {
        return;
    }
    image.maps = record_.substr(std::min(line + 1, record_.size()));
    const auto known =
        std::find_if(images_.rbegin(), images_.rend(), [&image](const ProcessImage& other) {
            return other.process == image.process;
        });
    if (kind == linux_agent::kExecRecord || known == images_.rend()) {
        images_.push_back(std::move(image));
        return;
    }
    image.spaces = std::move(known->spaces);
    *known = std::move(image);
}

bool ProcessImages::has_image(std::uint64_t satp) const {
    return std::ranges::any_of(
        images_, [satp](const ProcessImage& image) { return image.spaces.contains(satp); });
}

/// The newest one first: an older image may have left its frame to it.
void ProcessImages::look_at(std::span<const std::uint64_t> spaces) {
    for (const std::uint64_t satp : spaces) {
        if (has_image(satp)) {
            continue;
        }
        for (auto image = images_.rbegin(); image != images_.rend(); ++image) {
            if (image->frame != 0 && frame_of(satp, image->stack_page, read_) == image->frame) {
                image->spaces.insert(satp);
                break;
            }
        }
    }
}

} // namespace pes

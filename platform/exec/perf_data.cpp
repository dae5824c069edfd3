// SPDX-License-Identifier: Apache-2.0
#include "platform/exec/perf_data.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

namespace pes {
namespace {

constexpr std::uint64_t kMagic = 0x32454C4946524550; ///< "PERFILE2"
constexpr std::uint64_t kShortest = 128;             ///< PERF_ATTR_SIZE_VER7
constexpr std::size_t kSizeAt = 4;                   ///< of perf_event_attr.size

/// Place and length of a part of the file.
struct Section {
    std::uint64_t offset = 0, size = 0;
};

/// The beginning of perf_file_header.
struct Header {
    std::uint64_t magic = 0;
    std::uint64_t size = 0;
    std::uint64_t entry_size = 0; ///< of an attribute and the section of its numbers
    Section attributes{};
};

class Attributes {
  public:
    Attributes(std::span<std::byte> file, const Header& header)
        : bytes_(file.subspan(header.attributes.offset, header.attributes.size)),
          entry_(header.entry_size), size_(entry_ - sizeof(Section)) {}

    std::uint64_t count() const { return bytes_.size() / entry_; }
    /// Without the zeros that all of them end with.
    std::uint64_t used() const {
        std::uint64_t used = kShortest;
        for (std::uint64_t number = 0; number < count(); ++number) {
            for (std::uint64_t index = used; index < size_; ++index) {
                used = bytes_[number * entry_ + index] == std::byte{0} ? used : index + 1;
            }
        }
        return (used + 7) / 8 * 8;
    }
    void shorten(std::uint64_t to) {
        for (std::uint64_t number = 0; number < count(); ++number) {
            std::byte* const from = &bytes_[number * entry_];
            std::byte* const entry = &bytes_[number * (to + sizeof(Section))];
            const auto size = static_cast<std::uint32_t>(to);
            std::memmove(entry, from, to);
            std::memcpy(entry + kSizeAt, &size, sizeof size);
            std::memmove(entry + to, from + size_, sizeof(Section));
        }
    }

  private:
    std::span<std::byte> bytes_;
    std::uint64_t entry_;
    std::uint64_t size_; ///< of an attribute
};

} // namespace

void shorten_attributes(std::vector<std::byte>& file) {
    Header header;
    if (file.size() < sizeof header) {
        return;
    }
    std::memcpy(&header, file.data(), sizeof header);
    const Section& place = header.attributes;
    if (header.magic != kMagic || header.entry_size <= kShortest + sizeof(Section) ||
        place.offset > file.size() || place.size > file.size() - place.offset ||
        place.size % header.entry_size != 0) {
        return;
    }
    Attributes attributes(file, header);
    const std::uint64_t used = attributes.used();
    if (used + sizeof(Section) >= header.entry_size) {
        return;
    }
    attributes.shorten(used);
    header.entry_size = used + sizeof(Section);
    header.attributes.size = attributes.count() * header.entry_size;
    std::memcpy(file.data(), &header, sizeof header);
}

} // namespace pes

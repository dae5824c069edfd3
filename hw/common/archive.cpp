// SPDX-License-Identifier: Apache-2.0
#include "hw/common/archive.h"

namespace pes {

namespace {

using Length = std::uint64_t;

} // namespace

void Archive::refuse(std::string_view why) const {
    throw ArchiveError(section_.name.empty()
                           ? std::string(why)
                           : "section '" + section_.name + "': " + std::string(why));
}

void Archive::raw(std::span<std::byte> bytes) {
    if (saves_) {
        to_.insert(to_.end(), bytes.begin(), bytes.end());
        return;
    }
    if (bytes.size() > left()) {
        refuse("it ends too early");
    }
    if (source_ != nullptr) {
        source_->read(bytes);
    } else if (!bytes.empty()) {
        std::memcpy(bytes.data(), from_.data() + position_, bytes.size());
    }
    position_ += bytes.size();
}

/// Returns the section around it.
Archive::Section Archive::begin(std::string_view name) {
    std::string found(name);
    value(found);
    if (found != name) {
        refuse("it has no section '" + std::string(name) + "' where it is expected");
    }
    Section inner{.name = section_.name.empty() ? found : section_.name + "." + found,
                  .end = to_.size()};
    Length length = 0;
    integer(length);
    if (!saves_) {
        if (length > left()) {
            refuse("its section '" + found + "' is longer than it");
        }
        inner.end = position_ + static_cast<std::size_t>(length);
    }
    return std::exchange(section_, std::move(inner));
}

void Archive::end(const Section& outer) {
    if (saves_) {
        const Length length = to_.size() - section_.end - sizeof(Length);
        std::memcpy(to_.data() + section_.end, &length, sizeof length);
    } else if (left() != 0) {
        refuse("it is longer than expected");
    }
    section_ = outer;
}

} // namespace pes

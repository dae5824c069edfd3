// SPDX-License-Identifier: Apache-2.0
#include "platform/share/disk_image.h"

#include "platform/host/regular_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace pes {
namespace {

/// Calls `piece` for each part of a range that lies in one block, until it returns false.
template <typename Span, typename Piece>
bool each_block(std::uint64_t offset, Span bytes, std::uint64_t block, Piece piece) {
    while (!bytes.empty()) {
        const std::uint64_t within = offset % block;
        const std::size_t part = std::min<std::size_t>(block - within, bytes.size());
        if (!piece(offset / block, within, bytes.first(part))) {
            return false;
        }
        offset += part;
        bytes = bytes.subspan(part);
    }
    return true;
}

} // namespace

DiskImage::DiskImage(const std::filesystem::path& file, Writes writes, std::string_view option)
    : descriptor_(::open(file.c_str(), (writes == Writes::ToFile ? O_RDWR : O_RDONLY) | O_NONBLOCK |
                                           O_NOCTTY | O_CLOEXEC)),
      writes_(writes) {
    struct stat status = {};
    if (descriptor_.get() < 0 || fstat(descriptor_.get(), &status) != 0) {
        refuse_file(option, file, "cannot be opened: " + std::generic_category().message(errno));
    }
    if (!S_ISREG(status.st_mode)) {
        refuse_file(option, file, "is no regular file, expected a raw image of a disk");
    }
    bytes_ = static_cast<std::uint64_t>(status.st_size);
    if (bytes_ == 0 || bytes_ % kSector != 0) {
        refuse_file(option, file,
                    "has " + std::to_string(bytes_) + " bytes, expected a multiple of " +
                        std::to_string(kSector));
    }
    const int lock = writes == Writes::ToFile ? LOCK_EX : LOCK_SH;
    if (flock(descriptor_.get(), lock | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        refuse_file(option, file,
                    "is used by another run, expected none beside one that keeps its writes");
    }
}

bool DiskImage::read_file(std::uint64_t offset, std::span<std::byte> to) const {
    while (!to.empty()) {
        const ssize_t part =
            pread(descriptor_.get(), to.data(), to.size(), static_cast<off_t>(offset));
        if (part < 0 && errno == EINTR) {
            continue;
        }
        if (part <= 0) { // the file has become shorter
            return false;
        }
        offset += static_cast<std::uint64_t>(part);
        to = to.subspan(static_cast<std::size_t>(part));
    }
    return true;
}

bool DiskImage::write_file(std::uint64_t offset, std::span<const std::byte> from) const {
    while (!from.empty()) {
        const ssize_t part =
            pwrite(descriptor_.get(), from.data(), from.size(), static_cast<off_t>(offset));
        if (part < 0 && errno == EINTR) {
            continue;
        }
        if (part <= 0) {
            return false;
        }
        offset += static_cast<std::uint64_t>(part);
        from = from.subspan(static_cast<std::size_t>(part));
    }
    return true;
}

bool DiskImage::read(std::uint64_t offset, std::span<std::byte> to) {
    if (written_.empty()) {
        return read_file(offset, to);
    }
    return each_block(
        offset, to, kBlock,
        [this](std::uint64_t number, std::uint64_t within, std::span<std::byte> part) {
            const auto found = written_.find(number);
            if (found == written_.end()) {
                return read_file(number * kBlock + within, part);
            }
            std::copy_n(found->second.begin() + static_cast<std::ptrdiff_t>(within), part.size(),
                        part.begin());
            return true;
        });
}

/// Its rest is as in the file, which may end in the middle of its last block.
DiskImage::Block* DiskImage::block_to_write(std::uint64_t number) {
    const auto [place, fresh] = written_.try_emplace(number);
    if (fresh) {
        const std::uint64_t start = number * kBlock;
        if (!read_file(start, std::span(place->second).first(std::min(kBlock, bytes_ - start)))) {
            written_.erase(place);
            return nullptr;
        }
    }
    return &place->second;
}

bool DiskImage::write(std::uint64_t offset, std::span<const std::byte> from) {
    if (writes_ == Writes::ToFile) {
        return write_file(offset, from);
    }
    return each_block(
        offset, from, kBlock,
        [this](std::uint64_t number, std::uint64_t within, std::span<const std::byte> part) {
            Block* const block = block_to_write(number);
            if (block != nullptr) {
                std::ranges::copy(part, block->begin() + static_cast<std::ptrdiff_t>(within));
            }
            return block != nullptr;
        });
}

bool DiskImage::flush() {
    return writes_ == Writes::InMemory || fdatasync(descriptor_.get()) == 0;
}

void DiskImage::state(Archive& archive) {
    std::uint64_t count = written_.size();
    archive.below(count, bytes_ / kBlock + 2);
    if (archive.saves()) {
        for (auto& [number, block] : written_) {
            std::uint64_t copy = number;
            archive(copy);
            archive.raw(block);
        }
        return;
    }
    if (writes_ == Writes::ToFile && count != 0) {
        archive.refuse("what was written is not in the image");
    }
    written_.clear();
    for (std::uint64_t index = 0; index < count; ++index) {
        std::uint64_t number = 0;
        archive.below(number, bytes_ / kBlock + 1);
        archive.raw(written_[number]);
    }
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/guest/guest_files.h"

#include "platform/host/user_error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace pes {
namespace {

// Flags of the RISC-V Linux ABI; those of the host may differ.
constexpr std::uint64_t kAccessMode = 3;
constexpr std::uint64_t kReadOnly = 0, kWriteOnly = 1, kReadWrite = 2;
constexpr std::uint64_t kCreate = 0100;
constexpr std::uint64_t kTruncate = 01000;
constexpr std::uint64_t kAppend = 02000;

constexpr int kNewFile = 0666;

/// One component, so that nothing above or below the directory can be meant.
bool is_plain_name(std::string_view name) {
    return !name.empty() && name != "." && name != ".." && name.find('/') == std::string_view::npos;
}

int host_flags(std::uint64_t flags) {
    // O_NONBLOCK: to open a pipe would wait for its reader.
    const std::uint64_t mode = flags & kAccessMode;
    const int access = mode == kReadOnly ? O_RDONLY : mode == kWriteOnly ? O_WRONLY : O_RDWR;
    return access | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | ((flags & kCreate) != 0 ? O_CREAT : 0) |
           ((flags & kAppend) != 0 ? O_APPEND : 0);
}

} // namespace

GuestFiles::GuestFiles(const std::string& directory) {
    if (directory.empty()) {
        return;
    }
    const int opened = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened < 0) {
        throw UserError("--guest-files '" + directory + "': " + std::string(std::strerror(errno)) +
                        ", expected a directory");
    }
    directory_.emplace(opened);
}

std::int64_t GuestFiles::open(std::string_view name, std::uint64_t flags) {
    if (!directory_ || !is_plain_name(name)) {
        return -EACCES;
    }
    if ((flags & kAccessMode) > kReadWrite ||
        (flags & ~(kAccessMode | kCreate | kTruncate | kAppend)) != 0) {
        return -EINVAL;
    }
    auto* const slot = std::ranges::find(files_, false, &std::optional<OpenFile>::has_value);
    if (slot == files_.end()) {
        return -EMFILE;
    }
    const int opened =
        ::openat(directory_->get(), std::string(name).c_str(), host_flags(flags), kNewFile);
    if (opened < 0) {
        return -errno;
    }
    slot->emplace(opened, name, flags & (kAccessMode | kAppend));
    struct stat status {};
    if (::fstat(opened, &status) != 0 || !S_ISREG(status.st_mode)) {
        slot->reset();
        return -EACCES;
    }
    if ((flags & kTruncate) != 0 && ::ftruncate(opened, 0) != 0) {
        const int error = errno;
        slot->reset();
        return -error;
    }
    return static_cast<std::int64_t>(kFirst) + (slot - files_.begin());
}

std::optional<GuestFiles::OpenFile>* GuestFiles::find(std::uint64_t descriptor) {
    if (descriptor < kFirst || descriptor - kFirst >= kMost) {
        return nullptr;
    }
    std::optional<OpenFile>& file = files_[descriptor - kFirst];
    return file ? &file : nullptr;
}

std::int64_t GuestFiles::write(std::uint64_t descriptor, std::span<const std::byte> bytes) {
    const std::optional<OpenFile>* file = find(descriptor);
    if (file == nullptr) {
        return -EBADF;
    }
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t written =
            ::write((*file)->file.get(), bytes.data() + done, bytes.size() - done);
        if (written < 0 && errno != EINTR) {
            return done != 0 ? static_cast<std::int64_t>(done) : -errno;
        }
        done += written < 0 ? 0 : static_cast<std::size_t>(written);
    }
    return static_cast<std::int64_t>(done);
}

std::int64_t GuestFiles::read(std::uint64_t descriptor, std::span<std::byte> bytes) {
    const std::optional<OpenFile>* file = find(descriptor);
    if (file == nullptr) {
        return -EBADF;
    }
    for (;;) {
        const ssize_t done = ::read((*file)->file.get(), bytes.data(), bytes.size());
        if (done >= 0 || errno != EINTR) {
            return done >= 0 ? done : -errno;
        }
    }
}

std::int64_t GuestFiles::seek(std::uint64_t descriptor, std::int64_t offset, std::uint64_t whence) {
    static constexpr std::array kWhences{SEEK_SET, SEEK_CUR, SEEK_END};
    const std::optional<OpenFile>* file = find(descriptor);
    if (file == nullptr || whence >= kWhences.size()) {
        return file == nullptr ? -EBADF : -EINVAL;
    }
    const off_t now = ::lseek((*file)->file.get(), offset, kWhences[whence]);
    return now >= 0 ? now : -errno;
}

std::int64_t GuestFiles::close(std::uint64_t descriptor) {
    std::optional<OpenFile>* file = find(descriptor);
    if (file == nullptr) {
        return -EBADF;
    }
    file->reset();
    return 0;
}

// --- Checkpoints ---------------------------------------------------------------------------------

GuestFiles::Place GuestFiles::place_of(Archive& archive, const OpenFile& open) const {
    const off_t offset = ::lseek(open.file.get(), 0, SEEK_CUR);
    struct stat status {};
    if (offset < 0 || ::fstat(open.file.get(), &status) != 0) {
        archive.refuse("the guest's file '" + open.name + "': " + std::strerror(errno));
    }
    return {.name = open.name,
            .flags = open.flags,
            .offset = static_cast<std::uint64_t>(offset),
            .size = static_cast<std::uint64_t>(status.st_size)};
}

void GuestFiles::open_again(Archive& archive, const Place& place,
                            std::optional<OpenFile>& slot) const {
    const auto refuse = [&](const std::string& why) {
        archive.refuse("the guest's file '" + place.name + "' in the folder of --guest-files " +
                       why);
    };
    if (!directory_ || !is_plain_name(place.name)) {
        refuse("cannot be opened");
    }
    const int opened = ::openat(directory_->get(), place.name.c_str(), host_flags(place.flags));
    if (opened < 0) {
        refuse(std::string("cannot be opened: ") + std::strerror(errno));
    }
    slot.emplace(opened, place.name, place.flags);
    struct stat status {};
    if (::fstat(opened, &status) != 0 || !S_ISREG(status.st_mode)) {
        refuse("is not a regular file");
    }
    if (static_cast<std::uint64_t>(status.st_size) < place.size) {
        refuse("is shorter than it was when the checkpoint was taken");
    }
    if (::lseek(opened, static_cast<off_t>(place.offset), SEEK_SET) < 0) {
        refuse(std::string("cannot be continued: ") + std::strerror(errno));
    }
}

void GuestFiles::state(Archive& archive) {
    std::array<std::optional<Place>, kMost> places;
    if (archive.saves()) {
        for (std::size_t index = 0; index < kMost; ++index) {
            if (files_[index]) {
                places[index] = place_of(archive, *files_[index]);
            }
        }
    }
    archive(places);
    if (archive.saves()) {
        return;
    }
    for (std::size_t index = 0; index < kMost; ++index) {
        files_[index].reset();
        if (places[index]) {
            open_again(archive, *places[index], files_[index]);
        }
    }
    for (std::size_t index = 0; index < kMost; ++index) {
        if (files_[index] && (files_[index]->flags & kAccessMode) != kReadOnly &&
            ::ftruncate(files_[index]->file.get(), static_cast<off_t>(places[index]->size)) != 0) {
            archive.refuse("the guest's file '" + files_[index]->name +
                           "': " + std::strerror(errno));
        }
    }
}

} // namespace pes

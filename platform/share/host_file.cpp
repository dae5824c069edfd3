// SPDX-License-Identifier: Apache-2.0
#include "platform/share/host_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>

namespace pes {
namespace {

ShareTime time_of(const struct timespec& time) {
    return {.seconds = static_cast<std::uint64_t>(time.tv_sec),
            .nanoseconds = static_cast<std::uint64_t>(time.tv_nsec)};
}

std::uint8_t id_type(mode_t mode) {
    return S_ISDIR(mode)   ? ShareId::kDirectory
           : S_ISLNK(mode) ? ShareId::kSymbolicLink
                           : ShareId::kFile;
}

std::uint8_t entry_type(mode_t mode) {
    return static_cast<std::uint8_t>(IFTODT(mode));
}

off_t host_offset(std::uint64_t offset) {
    if (offset > static_cast<std::uint64_t>(std::numeric_limits<off_t>::max())) {
        throw ShareError(EINVAL);
    }
    return static_cast<off_t>(offset);
}

} // namespace

void fail_with_errno() {
    throw ShareError(errno);
}

int open_below(int directory, const std::string& name, int flags, mode_t mode) {
    constexpr int kAttempts = 16; // EAGAIN: something is moved just now (openat2(2))
    struct open_how how = {};
    how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC | O_NOFOLLOW);
    how.mode = (flags & O_CREAT) != 0 ? mode : 0;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS;
    long result = -1;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        result = syscall(SYS_openat2, directory, name.c_str(), &how, sizeof how);
        if (result >= 0 || (errno != EAGAIN && errno != EINTR)) {
            break;
        }
    }
    return static_cast<int>(checked(result));
}

struct stat status_of(int descriptor) {
    struct stat status = {};
    checked(fstat(descriptor, &status));
    return status;
}

std::string path_of(int descriptor) {
    return "/proc/self/fd/" + std::to_string(descriptor);
}

HostShare::HostShare(bool writable) : writable_(writable), user_(geteuid()), group_(getegid()) {}

void HostShare::require_writable() const {
    if (!writable_) {
        throw ShareError(EROFS);
    }
}

ShareId HostShare::id_of(const struct stat& status) {
    const auto [place, fresh] =
        numbers_.emplace(std::pair(status.st_dev, status.st_ino), numbers_.size() + 1);
    return {.type = id_type(status.st_mode),
            .version = static_cast<std::uint32_t>(status.st_mtim.tv_sec) ^
                       static_cast<std::uint32_t>(status.st_size) << 8,
            .path = place->second};
}

/// Sizes on the disk are the host's file system's own affair.
ShareAttributes HostShare::attributes_of(const struct stat& status) {
    constexpr std::uint64_t kPage = 4096;
    constexpr std::uint64_t kBlock = 512;
    const std::uint64_t bytes =
        S_ISDIR(status.st_mode) ? kPage : static_cast<std::uint64_t>(status.st_size);
    return {.id = id_of(status),
            .mode = status.st_mode,
            .user = status.st_uid == user_ ? 0 : status.st_uid,
            .group = status.st_gid == group_ ? 0 : status.st_gid,
            .links = status.st_nlink,
            .device = status.st_rdev,
            .bytes = bytes,
            .block_bytes = kPage,
            .blocks = bytes / kBlock + (bytes % kBlock != 0 ? 1 : 0),
            .accessed = time_of(status.st_mtim), // a run that reads must not change the next one
            .modified = time_of(status.st_mtim),
            .changed = time_of(status.st_ctim)};
}

std::size_t HostFile::read(std::uint64_t offset, std::span<std::byte> to) {
    std::size_t done = 0;
    while (done < to.size()) { // less than asked for is the end of the file
        const ssize_t part = pread(descriptor_.get(), to.data() + done, to.size() - done,
                                   host_offset(offset + done));
        if (part < 0 && errno == EINTR) {
            continue;
        }
        if (checked(part) == 0) {
            break;
        }
        done += static_cast<std::size_t>(part);
    }
    return done;
}

std::size_t HostFile::write(std::uint64_t offset, std::span<const std::byte> from) {
    std::size_t done = 0;
    while (done < from.size()) {
        const ssize_t part = pwrite(descriptor_.get(), from.data() + done, from.size() - done,
                                    host_offset(offset + done));
        if (part < 0 && errno == EINTR) {
            continue;
        }
        if (part < 0 && done != 0) {
            break; // the guest hears of the error when it writes the rest
        }
        done += static_cast<std::size_t>(checked(part));
    }
    return done;
}

void HostFile::sync(bool data_only) {
    checked(data_only ? fdatasync(descriptor_.get()) : fsync(descriptor_.get()));
}

void HostDirectory::sync(bool data_only) {
    checked(data_only ? fdatasync(descriptor_.get()) : fsync(descriptor_.get()));
}

std::vector<ShareEntry> HostDirectory::entries() {
    std::vector<ShareEntry> list{{.id = self_, .type = DT_DIR, .name = "."},
                                 {.id = parent_, .type = DT_DIR, .name = ".."}};
    const int own = checked(openat(descriptor_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    DIR* const directory = fdopendir(own);
    if (directory == nullptr) {
        ::close(own);
        throw ShareError(ENOMEM);
    }
    const std::unique_ptr<DIR, int (*)(DIR*)> closed_in_the_end(directory, &closedir);
    std::vector<std::string> names;
    while (const struct dirent* const entry = ::readdir(directory)) {
        const std::string_view name = entry->d_name;
        if (name != "." && name != "..") {
            names.emplace_back(name);
        }
    }
    std::ranges::sort(names);
    for (std::string& name : names) {
        struct stat status = {};
        if (fstatat(own, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) { // or it is gone
            list.push_back({.id = share_->id_of(status),
                            .type = entry_type(status.st_mode),
                            .name = std::move(name)});
        }
    }
    return list;
}

} // namespace pes

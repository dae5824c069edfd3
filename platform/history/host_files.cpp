// SPDX-License-Identifier: Apache-2.0
#include "platform/history/host_files.h"

#include "platform/host/file_descriptor.h"

#include <algorithm>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace pes::history {
namespace {

/// Those of this process that are open for writing.
std::vector<int> written_descriptors() {
    std::vector<int> found;
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("/proc/self/fd"), ::closedir);
    while (folder) {
        const dirent* const entry = ::readdir(folder.get());
        if (entry == nullptr) {
            break;
        }
        const int descriptor = std::atoi(entry->d_name); // "." is no file that is written
        const int flags = entry->d_name[0] == '.' ? -1 : ::fcntl(descriptor, F_GETFL);
        if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY) {
            found.push_back(descriptor);
        }
    }
    return found;
}

} // namespace

/// Of what is silent, the descriptors are known, and their copies are nothing of their own.
void HostFiles::note() {
    files_.clear();
    std::vector<int> streams;
    for (const int descriptor : written_descriptors()) {
        struct stat status {};
        if (descriptor == own_ || ::fstat(descriptor, &status) != 0 ||
            std::ranges::find(silenced_, descriptor, &Silenced::copy) != silenced_.end()) {
            continue;
        }
        if (S_ISREG(status.st_mode) && descriptor > STDERR_FILENO) {
            files_.push_back({.descriptor = descriptor,
                              .position = ::lseek(descriptor, 0, SEEK_CUR),
                              .size = status.st_size});
        } else {
            streams.push_back(descriptor);
        }
    }
    if (!silent()) {
        streams_ = std::move(streams);
    }
}

/// What fails here fails when the file is written too, which is told there.
void HostFiles::put_back() const {
    for (const File& file : files_) {
        if (::ftruncate(file.descriptor, file.size) == 0) {
            ::lseek(file.descriptor, file.position, SEEK_SET);
        }
    }
}

void HostFiles::silence() {
    if (silent()) {
        return;
    }
    const FileDescriptor nowhere(::open("/dev/null", O_RDWR | O_CLOEXEC));
    for (const int descriptor : streams_) {
        const int copy = ::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        if (copy >= 0 && ::dup2(nowhere.get(), descriptor) >= 0) {
            silenced_.push_back({.descriptor = descriptor, .copy = copy});
        }
    }
}

void HostFiles::speak() {
    for (const Silenced& one : silenced_) {
        ::dup2(one.copy, one.descriptor);
        ::close(one.copy);
    }
    silenced_.clear();
}

} // namespace pes::history

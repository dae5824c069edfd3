// SPDX-License-Identifier: Apache-2.0
#include "tb/lab/directory_lock.h"

#include "platform/host/user_error.h"

#include <fcntl.h>
#include <string>
#include <sys/file.h>

namespace pes::lab {
namespace {

int open_lock(const std::filesystem::path& directory) {
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    const int file = ::open((directory / "lock").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) {
        throw UserError("--out got '" + directory.string() +
                        "', expected a directory that can be written");
    }
    return file;
}

} // namespace

DirectoryLock::DirectoryLock(const std::filesystem::path& directory) : file_(open_lock(directory)) {
    if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0) {
        throw UserError("another pes-lab works in '" + directory.string() + "'");
    }
}

} // namespace pes::lab

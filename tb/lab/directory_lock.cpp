// SPDX-License-Identifier: Apache-2.0
#include "tb/lab/directory_lock.h"

#include "platform/host/user_error.h"

#include <chrono>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <thread>

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
    // Of a pes-lab that was killed, a child that has not become its program yet has the lock too.
    constexpr int kTries = 50;
    constexpr std::chrono::milliseconds kPause(10);
    for (int left = kTries; ::flock(file_.get(), LOCK_EX | LOCK_NB) != 0; --left) {
        if (left == 0) {
            throw UserError("another pes-lab works in '" + directory.string() + "'");
        }
        std::this_thread::sleep_for(kPause);
    }
}

} // namespace pes::lab

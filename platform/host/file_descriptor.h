// SPDX-License-Identifier: Apache-2.0
// A file descriptor that is closed in the end.
#pragma once

#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace pes {

class FileDescriptor {
  public:
    /// Takes an open one.
    explicit FileDescriptor(int descriptor) : descriptor_(descriptor) {}
    /// For reading. get() is negative and errno says why if the file cannot be opened. Never waits,
    /// as open() does for a pipe; what is no regular file, the caller refuses.
    explicit FileDescriptor(const std::filesystem::path& file)
        : descriptor_(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {}
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;
    ~FileDescriptor() {
        if (descriptor_ >= 0) {
            ::close(descriptor_);
        }
    }
    int get() const { return descriptor_; }

  private:
    int descriptor_;
};

} // namespace pes

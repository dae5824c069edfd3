// SPDX-License-Identifier: Apache-2.0
// Input files that are read whole or more than once: programs, images, configurations. A pipe, a
// device or a directory in their place is the user's mistake.
#pragma once

#include "platform/host/file_descriptor.h"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace pes {

/// Throws UserError "WHAT 'FILE' PROBLEM", the one shape of a mistake in a whole file.
[[noreturn]] void refuse_file(std::string_view what, const std::filesystem::path& file,
                              const std::string& problem);

class RegularFile {
  public:
    /// `what` names the file in a UserError ("initrd").
    RegularFile(std::filesystem::path file, std::string_view what);

    const std::filesystem::path& path() const { return path_; }
    const std::string& what() const { return what_; }
    int descriptor() const { return descriptor_.get(); }
    std::uint64_t size() const { return size_; }

    /// Throw UserError.
    std::vector<std::byte> read() const { return read(0, size_); }
    std::vector<std::byte> read(std::uint64_t offset, std::uint64_t size) const;

    [[noreturn]] void refuse(const std::string& problem) const {
        refuse_file(what_, path_, problem);
    }

  private:
    std::filesystem::path path_;
    std::string what_;
    FileDescriptor descriptor_;
    std::uint64_t size_ = 0;
};

/// The bytes of a file that is not empty.
std::vector<std::byte> read_image(const std::filesystem::path& file, std::string_view what);

} // namespace pes

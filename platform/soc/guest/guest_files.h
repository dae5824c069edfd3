// SPDX-License-Identifier: Apache-2.0
// Files that a guest writes and reads on the host, in one directory that the user has named and
// nowhere else: a name is a plain file name, symbolic links are not followed, and existing files
// that are not regular files are left alone. Results are those of Linux system calls: a number or
// -errno.
#pragma once

#include "hw/common/archive.h"
#include "platform/host/file_descriptor.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace pes {

class GuestFiles {
  public:
    /// `directory` empty: every open is refused (EACCES). Throws UserError if it is not a
    /// directory.
    explicit GuestFiles(const std::string& directory = {});

    /// Descriptor of the file. `flags` are Linux's: O_RDONLY, O_WRONLY or O_RDWR, with or without
    /// O_CREAT, O_TRUNC and O_APPEND.
    std::int64_t open(std::string_view name, std::uint64_t flags);
    std::int64_t write(std::uint64_t descriptor, std::span<const std::byte> bytes);
    std::int64_t read(std::uint64_t descriptor, std::span<std::byte> bytes);
    /// `whence` is Linux's: 0 from the beginning, 1 from here, 2 from the end. The new offset.
    std::int64_t seek(std::uint64_t descriptor, std::int64_t offset, std::uint64_t whence);
    std::int64_t close(std::uint64_t descriptor);

    /// Of a checkpoint: which files are open, and where. Loading opens them again and cuts them to
    /// the length that they had; nothing is changed if one of them cannot be had.
    void state(Archive& archive);

    static constexpr std::uint64_t kFirst = 4; ///< descriptors below have a meaning of their own
    static constexpr std::size_t kMost = 16;   ///< open at a time

  private:
    struct OpenFile {
        OpenFile(int descriptor, std::string_view called, std::uint64_t how)
            : file(descriptor), name(called), flags(how) {}
        FileDescriptor file;
        std::string name;
        std::uint64_t flags; ///< of open(), without those that say what becomes of the file then
    };
    /// How an open file is found again.
    struct Place {
        std::string name;
        std::uint64_t flags = 0;
        std::uint64_t offset = 0;
        std::uint64_t size = 0;
        void state(Archive& archive) { archive(name, flags, offset, size); }
    };

    std::optional<OpenFile>* find(std::uint64_t descriptor);
    Place place_of(Archive& archive, const OpenFile& open) const;
    void open_again(Archive& archive, const Place& place, std::optional<OpenFile>& slot) const;

    std::optional<FileDescriptor> directory_;
    std::array<std::optional<OpenFile>, kMost> files_;
};

} // namespace pes

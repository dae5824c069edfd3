// SPDX-License-Identifier: Apache-2.0
#include "platform/host/regular_file.h"

#include "platform/host/user_error.h"

#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace pes {

void refuse_file(std::string_view what, const std::filesystem::path& file,
                 const std::string& problem) {
    throw UserError(std::string(what) + " '" + file.string() + "' " + problem);
}

RegularFile::RegularFile(std::filesystem::path file, std::string_view what)
    : path_(std::move(file)), what_(what), descriptor_(path_) {
    struct stat status {};
    if (descriptor() < 0 || ::fstat(descriptor(), &status) != 0) {
        refuse(std::string("cannot be read: ") + std::strerror(errno));
    }
    if (!S_ISREG(status.st_mode)) {
        refuse(std::string(S_ISDIR(status.st_mode) ? "is a directory" : "is a pipe or a device") +
               ", expected a regular file");
    }
    size_ = static_cast<std::uint64_t>(status.st_size);
}

std::vector<std::byte> RegularFile::read(std::uint64_t offset, std::uint64_t size) const {
    std::vector<std::byte> bytes(size);
    for (std::size_t filled = 0; filled < bytes.size();) {
        const ssize_t got = ::pread(descriptor(), bytes.data() + filled, bytes.size() - filled,
                                    static_cast<off_t>(offset + filled));
        if (got <= 0) {
            refuse(got == 0 ? std::string("became shorter while it was read")
                            : std::string("cannot be read: ") + std::strerror(errno));
        }
        filled += static_cast<std::size_t>(got);
    }
    return bytes;
}

std::vector<std::byte> read_image(const std::filesystem::path& file, std::string_view what) {
    const RegularFile image(file, what);
    if (image.size() == 0) {
        image.refuse("is empty");
    }
    return image.read();
}

} // namespace pes

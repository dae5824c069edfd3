// SPDX-License-Identifier: Apache-2.0
#include "platform/image_file.h"

#include "hw/common/host/file_descriptor.h"
#include "hw/common/host/user_error.h"

#include <cerrno>
#include <cstring>
#include <string>
#include <unistd.h>

namespace pes {

std::vector<std::byte> read_image(const std::filesystem::path& file, std::string_view what) {
    const auto fail = [&](const std::string& problem) {
        throw UserError(std::string(what) + " '" + file.string() + "' " + problem);
    };
    const FileDescriptor descriptor(file);
    if (descriptor.get() < 0) {
        fail(std::string("cannot be read: ") + std::strerror(errno));
    }
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error)) {
        fail("is not a file");
    }
    std::vector<std::byte> bytes(std::filesystem::file_size(file, error));
    if (bytes.empty()) {
        fail("is empty");
    }
    std::size_t filled = 0;
    while (filled < bytes.size()) {
        const ssize_t got = ::read(descriptor.get(), bytes.data() + filled, bytes.size() - filled);
        if (got <= 0) {
            fail(got == 0 ? std::string("became shorter while it was read")
                          : std::string("cannot be read: ") + std::strerror(errno));
        }
        filled += static_cast<std::size_t>(got);
    }
    return bytes;
}

} // namespace pes

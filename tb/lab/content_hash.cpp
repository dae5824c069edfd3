// SPDX-License-Identifier: Apache-2.0
#include "tb/lab/content_hash.h"

#include "platform/host/regular_file.h"

#include <spdlog/fmt/fmt.h>

namespace pes::lab {

void ContentHash::mix(std::string_view bytes) {
    for (const char byte : bytes) {
        state_ = (state_ ^ static_cast<unsigned char>(byte)) * 0x100000001B3;
    }
}

ContentHash& ContentHash::add(std::string_view field) {
    add(std::uint64_t{field.size()});
    mix(field);
    return *this;
}

ContentHash& ContentHash::add(std::uint64_t number) {
    mix({reinterpret_cast<const char*>(&number), sizeof number});
    return *this;
}

ContentHash& ContentHash::add_file(const std::filesystem::path& file) {
    const std::vector<std::byte> bytes = read_image(file, "file");
    return add(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

std::string ContentHash::text() const {
    return fmt::format("{:016x}", state_);
}

} // namespace pes::lab

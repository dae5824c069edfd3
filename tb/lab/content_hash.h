// SPDX-License-Identifier: Apache-2.0
// Keys of what has been run: two runs have one key if all that decides their result is equal.
// 64 bits of FNV-1a; a laboratory has thousands of keys, not billions, and no adversary.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace pes::lab {

class ContentHash {
  public:
    /// A field: its length is part of the hash.
    ContentHash& add(std::string_view field);
    ContentHash& add(std::uint64_t number);
    /// The bytes of a file. Throws UserError.
    ContentHash& add_file(const std::filesystem::path& file);

    std::string text() const; ///< 16 hexadecimal digits

  private:
    void mix(std::string_view bytes);

    std::uint64_t state_ = 0xCBF29CE484222325;
};

} // namespace pes::lab

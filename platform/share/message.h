// SPDX-License-Identifier: Apache-2.0
// The bytes of 9P2000.L messages: size[4] type[1] tag[2] and fields, little-endian; a string is its
// length in 16 bits and its bytes.
#pragma once

#include "platform/share/share_tree.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace pes {

/// Types of the requests that are served; the answer to one has the next number.
enum class ShareMessage : std::uint8_t {
    Lerror = 6, ///< there is only the answer, Rlerror
    Statfs = 8,
    Lopen = 12,
    Lcreate = 14,
    Symlink = 16,
    Readlink = 22,
    Getattr = 24,
    Setattr = 26,
    Readdir = 40,
    Fsync = 50,
    Lock = 52,
    Getlock = 54,
    Link = 70,
    Mkdir = 72,
    Renameat = 74,
    Unlinkat = 76,
    Version = 100,
    Attach = 104,
    Flush = 108,
    Walk = 110,
    Read = 116,
    Write = 118,
    Clunk = 120,
    Remove = 122,
};

inline constexpr std::size_t kMessageHeader = 7; ///< bytes

/// Takes fields out of a request. What goes past its end is a ShareError.
class MessageReader {
  public:
    explicit MessageReader(std::span<const std::byte> bytes) : rest_(bytes) {}

    std::uint8_t u8() { return static_cast<std::uint8_t>(number(1)); }
    std::uint16_t u16() { return static_cast<std::uint16_t>(number(2)); }
    std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
    std::uint64_t u64() { return number(8); }
    std::string text();
    /// A string that names one file in a directory.
    std::string name();
    std::span<const std::byte> bytes(std::size_t count);
    bool at_end() const { return rest_.empty(); }

  private:
    std::uint64_t number(std::size_t count);

    std::span<const std::byte> rest_;
};

/// Puts fields into an answer. What does not fit is a ShareError.
class MessageWriter {
  public:
    explicit MessageWriter(std::span<std::byte> room) : room_(room) {}

    void u8(std::uint8_t value) { number(value, 1); }
    void u16(std::uint16_t value) { number(value, 2); }
    void u32(std::uint32_t value) { number(value, 4); }
    void u64(std::uint64_t value) { number(value, 8); }
    void text(std::string_view value);
    void id(const ShareId& value);
    void time(const ShareTime& value);
    void entry(const ShareEntry& value, std::uint64_t next);

    std::size_t size() const { return size_; }
    /// Bytes that are left.
    std::size_t left() const { return room_.size() - size_; }
    /// The room for this many more, which belong to the answer when claim() says so.
    std::span<std::byte> ahead(std::size_t bytes);
    void claim(std::size_t bytes) { size_ += bytes; }
    /// Puts a number where it belongs when it is known.
    void put_u32(std::size_t at, std::uint32_t value);

    /// Bytes of an entry of a directory.
    static std::size_t entry_bytes(const ShareEntry& value);

  private:
    void number(std::uint64_t value, std::size_t bytes);

    std::span<std::byte> room_;
    std::size_t size_ = 0;
};

} // namespace pes

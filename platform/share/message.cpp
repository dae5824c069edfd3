// SPDX-License-Identifier: Apache-2.0
#include "platform/share/message.h"

#include <algorithm>
#include <limits>

namespace pes {
namespace {

constexpr std::size_t kMostName = 255; // of Linux's file systems
constexpr std::size_t kIdBytes = 13;

} // namespace

std::span<const std::byte> MessageReader::bytes(std::size_t count) {
    if (count > rest_.size()) {
        throw ShareError(EINVAL);
    }
    const std::span<const std::byte> taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
}

std::uint64_t MessageReader::number(std::size_t count) {
    std::uint64_t value = 0;
    unsigned shift = 0;
    for (const std::byte byte : bytes(count)) {
        value |= std::to_integer<std::uint64_t>(byte) << shift;
        shift += 8;
    }
    return value;
}

std::string MessageReader::text() {
    std::string text(u16(), '\0');
    std::ranges::copy(bytes(text.size()), std::as_writable_bytes(std::span(text)).begin());
    if (text.find('\0') != std::string::npos) {
        throw ShareError(EINVAL);
    }
    return text;
}

std::string MessageReader::name() {
    std::string name = text();
    if (name.size() > kMostName) {
        throw ShareError(ENAMETOOLONG);
    }
    if (name.empty() || name.find('/') != std::string::npos) {
        throw ShareError(EINVAL);
    }
    return name;
}

void MessageWriter::number(std::uint64_t value, std::size_t bytes) {
    for (std::byte& byte : ahead(bytes)) {
        byte = static_cast<std::byte>(value);
        value >>= 8;
    }
    claim(bytes);
}

std::span<std::byte> MessageWriter::ahead(std::size_t bytes) {
    if (bytes > left()) {
        throw ShareError(EMSGSIZE);
    }
    return room_.subspan(size_, bytes);
}

void MessageWriter::text(std::string_view value) {
    if (value.size() > std::numeric_limits<std::uint16_t>::max()) {
        throw ShareError(ENAMETOOLONG);
    }
    u16(static_cast<std::uint16_t>(value.size()));
    std::ranges::copy(std::as_bytes(std::span(value)), ahead(value.size()).begin());
    claim(value.size());
}

void MessageWriter::id(const ShareId& value) {
    u8(value.type);
    u32(value.version);
    u64(value.path);
}

void MessageWriter::time(const ShareTime& value) {
    u64(value.seconds);
    u64(value.nanoseconds);
}

std::size_t MessageWriter::entry_bytes(const ShareEntry& value) {
    return kIdBytes + sizeof(std::uint64_t) + 1 + sizeof(std::uint16_t) + value.name.size();
}

void MessageWriter::entry(const ShareEntry& value, std::uint64_t next) {
    id(value.id);
    u64(next);
    u8(value.type);
    text(value.name);
}

void MessageWriter::put_u32(std::size_t at, std::uint32_t value) {
    for (std::byte& byte : room_.subspan(at, sizeof value)) {
        byte = static_cast<std::byte>(value);
        value >>= 8;
    }
}

} // namespace pes

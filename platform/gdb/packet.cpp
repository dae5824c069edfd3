// SPDX-License-Identifier: Apache-2.0
#include "platform/gdb/packet.h"

#include "platform/host/numbers.h"

namespace pes::gdb {
namespace {

constexpr char kEscape = '}';
constexpr char kFlipped = 0x20;
constexpr char kInterruptByte = 3;
constexpr std::string_view kHexDigits = "0123456789abcdef";

unsigned checksum(std::string_view data) {
    unsigned sum = 0;
    for (const char letter : data) {
        sum += static_cast<unsigned char>(letter);
    }
    return sum & 0xFF;
}

void append_byte(std::string& text, unsigned byte) {
    text += kHexDigits[byte >> 4];
    text += kHexDigits[byte & 15];
}

} // namespace

std::string framed(std::string_view data) {
    std::string packet = "$";
    packet.append(data).append("#");
    append_byte(packet, checksum(data));
    return packet;
}

std::string escaped(std::string_view bytes) {
    constexpr std::string_view kSpecial = "#$}*";
    std::string data;
    data.reserve(bytes.size());
    for (const char letter : bytes) {
        if (kSpecial.find(letter) == std::string_view::npos) {
            data += letter;
        } else {
            data += kEscape;
            data += static_cast<char>(letter ^ kFlipped);
        }
    }
    return data;
}

std::string unescaped(std::string_view data) {
    std::string bytes;
    bytes.reserve(data.size());
    for (std::size_t index = 0; index < data.size(); ++index) {
        const bool flipped = data[index] == kEscape && index + 1 < data.size();
        bytes += flipped ? static_cast<char>(data[++index] ^ kFlipped) : data[index];
    }
    return bytes;
}

std::string hex_of(std::span<const std::byte> bytes) {
    std::string digits;
    digits.reserve(2 * bytes.size());
    for (const std::byte byte : bytes) {
        append_byte(digits, std::to_integer<unsigned>(byte));
    }
    return digits;
}

std::string hex_of(std::string_view text) {
    return hex_of(std::as_bytes(std::span(text)));
}

std::optional<std::vector<std::byte>> bytes_of(std::string_view digits) {
    std::vector<std::byte> bytes;
    bytes.reserve(digits.size() / 2);
    for (; digits.size() >= 2; digits.remove_prefix(2)) {
        const auto byte = parse_digits<std::uint8_t>(digits.substr(0, 2), 16);
        if (!byte) {
            return std::nullopt;
        }
        bytes.push_back(std::byte{*byte});
    }
    return digits.empty() ? std::optional(std::move(bytes)) : std::nullopt;
}

std::optional<std::uint64_t> number_of(std::string_view digits) {
    return parse_digits(digits, 16);
}

std::string hex_number(std::uint64_t value) {
    return hex(value).substr(2);
}

// --- What comes in ------------------------------------------------------------------------------

void PacketReader::take(std::string_view bytes) {
    for (const char byte : bytes) {
        take(byte);
    }
}

std::optional<PacketReader::Item> PacketReader::next() {
    if (items_.empty()) {
        return std::nullopt;
    }
    std::optional<Item> item(std::move(items_.front()));
    items_.pop_front();
    return item;
}

/// A '$' inside data begins the packet anew: its sender has given up. Bytes outside a packet that
/// mean nothing are skipped.
void PacketReader::take(char byte) {
    if (byte == '$' && state_ != State::FirstDigit && state_ != State::SecondDigit) {
        state_ = State::Data;
        data_.clear();
        too_long_ = false;
        return;
    }
    switch (state_) {
    case State::Outside:
        if (byte == '+' || byte == '-') {
            items_.push_back({.kind = byte == '+' ? Kind::Accepted : Kind::Refused});
        } else if (byte == kInterruptByte) {
            items_.push_back({.kind = Kind::Interrupt});
        }
        break;
    case State::Data:
        if (byte == '#') {
            state_ = State::FirstDigit;
        } else if (data_.size() < 2 * kPacketSize) { // escapes may double it
            data_ += byte;
        } else {
            too_long_ = true;
        }
        break;
    case State::FirstDigit:
        digit_ = byte;
        state_ = State::SecondDigit;
        break;
    case State::SecondDigit:
        last_ = byte;
        end_packet();
        break;
    }
}

void PacketReader::end_packet() {
    const char digits[] = {digit_, last_};
    const auto sum = parse_digits<std::uint8_t>(std::string_view(digits, sizeof digits), 16);
    if (sum && *sum == checksum(data_) && !too_long_) {
        items_.push_back({.kind = Kind::Packet, .data = std::move(data_)});
    } else {
        items_.push_back({.kind = Kind::Damaged});
    }
    data_ = {};
    state_ = State::Outside;
}

} // namespace pes::gdb

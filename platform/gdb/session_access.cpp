// SPDX-License-Identifier: Apache-2.0
// Packets that read and write registers and memory, and set breakpoints.
#include "platform/gdb/packet.h"
#include "platform/gdb/session.h"
#include "platform/gdb/session_text.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string>

namespace pes::gdb {
namespace {

constexpr std::size_t kDigits = 16;    // of a register
constexpr unsigned kGeneral = kPc + 1; // registers of the packet g: x0 to x31 and pc

/// In the byte order of the target, which is little-endian.
std::string digits_of(std::uint64_t value) {
    std::array<std::byte, sizeof value> bytes;
    std::memcpy(bytes.data(), &value, sizeof value);
    return hex_of(bytes);
}

std::optional<std::uint64_t> value_of(std::string_view digits) {
    const auto bytes = bytes_of(digits);
    if (!bytes || bytes->empty() || bytes->size() > sizeof(std::uint64_t)) {
        return std::nullopt;
    }
    std::uint64_t value = 0;
    std::memcpy(&value, bytes->data(), bytes->size());
    return value;
}

} // namespace

// --- Registers ----------------------------------------------------------------------------------

/// The digits of one that has no value say so.
std::string Session::register_digits(unsigned hart, unsigned number) const {
    const auto value = target_.read_register(hart, number);
    return value ? digits_of(*value) : std::string(kDigits, 'x');
}

std::string Session::general_registers(unsigned hart) const {
    std::string digits;
    for (unsigned number = 0; number < kGeneral; ++number) {
        digits += register_digits(hart, number);
    }
    return digits;
}

std::string Session::read_all() {
    return general_registers(hart_);
}

std::string Session::write_all(std::string_view digits) {
    for (unsigned number = 0; number < kGeneral && !digits.empty(); ++number) {
        const auto value = value_of(digits.substr(0, kDigits));
        if (!value || digits.size() < kDigits || !target_.write_register(hart_, number, *value)) {
            return kMalformed;
        }
        digits.remove_prefix(kDigits);
    }
    return kOk;
}

std::string Session::read_one(std::string_view digits) {
    const auto number = number_of(digits);
    return number && *number <= kPrivilege ? register_digits(hart_, static_cast<unsigned>(*number))
                                           : kMalformed;
}

std::string Session::write_one(std::string_view assignment) {
    const std::size_t equals = std::min(assignment.find('='), assignment.size());
    const auto number = number_of(assignment.substr(0, equals));
    const auto value = value_of(assignment.substr(std::min(equals + 1, assignment.size())));
    const bool written = number && *number <= kPrivilege && value &&
                         target_.write_register(hart_, static_cast<unsigned>(*number), *value);
    return written ? kOk : kMalformed;
}

// --- Memory -------------------------------------------------------------------------------------

std::string Session::read_memory(std::string_view place) {
    const auto numbers = numbers_of(place);
    if (!numbers) {
        return kMalformed;
    }
    std::vector<std::byte> bytes(std::min<std::uint64_t>(numbers->second, kPacketSize / 2));
    const std::size_t count = target_.read_memory(hart_, numbers->first, bytes);
    return count == 0 && !bytes.empty() ? kFault : hex_of(std::span(bytes).first(count));
}

/// "ADDRESS,LENGTH:DATA", as digits or binary.
std::string Session::write_memory(std::string_view place_and_data, bool binary) {
    const std::size_t colon = std::min(place_and_data.find(':'), place_and_data.size());
    const auto numbers = numbers_of(place_and_data.substr(0, colon));
    const std::string_view data = place_and_data.substr(std::min(colon + 1, place_and_data.size()));
    std::optional<std::vector<std::byte>> bytes;
    if (binary) {
        const std::string plain = unescaped(data);
        const auto from = std::as_bytes(std::span(plain));
        bytes.emplace(from.begin(), from.end());
    } else {
        bytes = bytes_of(data);
    }
    if (!numbers || !bytes || bytes->size() != numbers->second) {
        return kMalformed;
    }
    return bytes->empty() || target_.write_memory(hart_, numbers->first, *bytes) ? kOk : kFault;
}

// --- Breakpoints and watchpoints ----------------------------------------------------------------

/// "Z" or "z" with "TYPE,ADDRESS,SIZE": types 0 and 1 are breakpoints, 2 watches stores, 3 loads,
/// 4 both. Conditions are gdb's own matter.
std::string Session::change_point(std::string_view packet) {
    const bool insert = packet.front() == 'Z';
    if (packet.size() < 3 || packet[1] < '0' || packet[1] > '4' || packet[2] != ',') {
        return "";
    }
    constexpr std::array kKinds{PointKind::Breakpoint, PointKind::Breakpoint, PointKind::WriteWatch,
                                PointKind::ReadWatch, PointKind::AccessWatch};
    const std::string_view place = packet.substr(3);
    const auto numbers = numbers_of(place.substr(0, place.find(';')));
    if (!numbers) {
        return kMalformed;
    }
    const PointKind kind = kKinds[static_cast<std::size_t>(packet[1] - '0')];
    const Point point{.kind = kind,
                      .address = numbers->first,
                      .size = kind == PointKind::Breakpoint ? 0 : numbers->second};
    return (insert ? target_.insert(point) : target_.remove(point)) ? kOk : kMalformed;
}

} // namespace pes::gdb

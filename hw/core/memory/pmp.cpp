// SPDX-License-Identifier: Apache-2.0
#include "hw/core/memory/pmp.h"

namespace pes {

namespace {

constexpr std::uint8_t kRead = 1U << 0;
constexpr std::uint8_t kWrite = 1U << 1;
constexpr std::uint8_t kExecute = 1U << 2;
constexpr unsigned kModeShift = 3;
constexpr std::uint8_t kMode = 3U << kModeShift;
constexpr std::uint8_t kLock = 1U << 7;
constexpr std::uint8_t kConfigMask = kRead | kWrite | kExecute | kMode | kLock;
constexpr std::uint64_t kAddressMask = (std::uint64_t{1} << 54) - 1; ///< bits 55:2 of an address

enum class Mode : std::uint8_t { Off, Tor, Na4, Napot };

Mode mode_of(std::uint8_t config) {
    return static_cast<Mode>((config & kMode) >> kModeShift);
}

std::uint8_t permission_for(Access access) {
    switch (access) {
    case Access::Fetch:
        return kExecute;
    case Access::Load:
        return kRead;
    default:
        return kWrite;
    }
}

} // namespace

std::uint64_t Pmp::read_config(unsigned index) const {
    std::uint64_t value = 0;
    for (unsigned byte = 0; byte < 8; ++byte) {
        value |= std::uint64_t{config_[index * 4 + byte]} << (8 * byte);
    }
    return value;
}

/// The bits that do not count depend on the mode when they are read, and are kept.
std::uint64_t Pmp::read_address(unsigned entry) const {
    const Mode mode = mode_of(config_[entry]);
    return mode == Mode::Napot ? address_[entry] | below_grain_ >> 1
                               : address_[entry] & ~below_grain_;
}

bool Pmp::locked(unsigned entry) const {
    return (config_[entry] & kLock) != 0;
}

void Pmp::write_config(unsigned index, std::uint64_t value) {
    for (unsigned byte = 0; byte < 8; ++byte) {
        const unsigned entry = index * 4 + byte;
        if (entry >= entries_ || locked(entry)) {
            continue;
        }
        auto config = static_cast<std::uint8_t>((value >> (8 * byte)) & kConfigMask);
        if ((config & (kRead | kWrite)) == kWrite) {
            config &= static_cast<std::uint8_t>(~kWrite); // R=0, W=1 is reserved
        }
        const bool na4 = mode_of(config) == Mode::Na4 && below_grain_ != 0;
        const bool napot = mode_of(config) == Mode::Napot && napot_ == PmpNapot::Absent;
        if (na4 || napot) { // no mode then; it stays as it is
            config = static_cast<std::uint8_t>((config & ~kMode) | (config_[entry] & kMode));
        }
        config_[entry] = config;
    }
    update_ranges();
}

void Pmp::write_address(unsigned entry, std::uint64_t value) {
    const bool guards_locked_tor =
        entry + 1 < entries_ && locked(entry + 1) && mode_of(config_[entry + 1]) == Mode::Tor;
    if (entry >= entries_ || locked(entry) || guards_locked_tor) {
        return;
    }
    address_[entry] = value & kAddressMask;
    update_ranges();
}

void Pmp::update_ranges() {
    active_ = 0;
    for (unsigned entry = 0; entry < entries_; ++entry) {
        const std::uint64_t address = read_address(entry);
        Range range{1, 0};
        switch (mode_of(config_[entry])) {
        case Mode::Off:
            break;
        case Mode::Tor: {
            const Address bottom = entry == 0 ? 0 : (address_[entry - 1] & ~below_grain_) << 2;
            if (bottom < address << 2) {
                range = {bottom, (address << 2) - 1};
            }
            break;
        }
        case Mode::Na4:
            range = {address << 2, (address << 2) + 3};
            break;
        case Mode::Napot: {
            // The lowest zero bit of the register gives the size: 2^(trailing ones + 3) bytes.
            const std::uint64_t ones = address & ~(address + 1);
            const Address base = (address & ~ones) << 2;
            range = {base, base | (ones << 3) | 7};
            break;
        }
        }
        range_[entry] = range;
        if (mode_of(config_[entry]) != Mode::Off) {
            active_ = entry + 1;
        }
    }
}

bool Pmp::allows(Address address, unsigned size, Access access, Privilege privilege) const {
    const bool machine = privilege == Privilege::Machine;
    const Address last = address + size - 1;
    for (unsigned entry = 0; entry < active_; ++entry) {
        const Range& range = range_[entry];
        if (range.first > range.last || last < range.first || address > range.last) {
            continue;
        }
        if (address < range.first || last > range.last) {
            return false;
        }
        return (machine && !locked(entry)) || (config_[entry] & permission_for(access)) != 0;
    }
    return machine || entries_ == 0;
}

bool Pmp::uniform_in_page(Address address) const {
    const Address first = address & ~Address{0xFFF};
    const Address last = first | 0xFFF;
    for (unsigned entry = 0; entry < active_; ++entry) {
        const Range& range = range_[entry];
        const bool disjoint = range.first > range.last || last < range.first || first > range.last;
        const bool covers = first >= range.first && last <= range.last;
        if (covers) {
            return true; // entries of lower priority never decide
        }
        if (!disjoint) {
            return false;
        }
    }
    return true;
}

} // namespace pes

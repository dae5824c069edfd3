// SPDX-License-Identifier: Apache-2.0
// What the library knows of a PMU profile: its native events, and its presets as terms of them. A
// profile is two tables of hw/interface/pmu (profile_*.h, presets_*.h) and a file that joins them
// (profile_*.cpp); which one a machine has is asked of its SBI.
#pragma once

#include "firmware/papi/papi_codes.h"
#include "firmware/papi/text_util.h"
#include "firmware/sbi/sbi.h"
#include "hw/interface/pmu/presets.h"
#include "hw/interface/pmu/profile.h"

#include <stddef.h>
#include <stdint.h>

namespace pes::papi {

/// An event of the SBI's PMU extension.
struct Native {
    const char* name;
    const char* meaning;
    uint32_t event; ///< event_idx
    uint64_t data;  ///< event_data
};

inline constexpr unsigned kMaxTerms = kMostPresetTerms;

struct Preset {
    int code;
    Derived derived;
    uint8_t terms;
    uint8_t term[kMaxTerms]; ///< indices of native events
    const char* postfix;     ///< of a Postfix
    const char* note;        ///< what differs from the preset's description, or ""
};

struct Profile {
    const char* name;
    const char* vendor;
    const char* model;
    const Native* natives;
    uint8_t native_count;
    const Preset* presets;
    uint8_t preset_count;
    uint64_t signature; ///< a raw selector that only this profile has
};

/// Asks the SBI which profile's selectors it takes. Null: none.
const Profile* find_profile(bool (*counts)(const Native& native));

// Native events: cycles, instructions, the profile's own, the SBI's firmware events.
inline constexpr uint8_t kCyclesNative = 0;
inline constexpr uint8_t kInstructionsNative = 1;
inline constexpr uint8_t kMaxNatives = 64; // a set of them is 64 bits

inline constexpr const char* kFirmwareEventNames[] = {
    "sbi-misaligned-load",  "sbi-misaligned-store",     "sbi-load-fault",
    "sbi-store-fault",      "sbi-illegal-instruction",  "sbi-set-timer",
    "sbi-ipi-sent",         "sbi-ipi-received",         "sbi-fence-i-sent",
    "sbi-fence-i-received", "sbi-sfence-sent",          "sbi-sfence-received",
    "sbi-sfence-asid-sent", "sbi-sfence-asid-received",
};
inline constexpr size_t kFirmwareEvents =
    sizeof(kFirmwareEventNames) / sizeof(kFirmwareEventNames[0]);

template <size_t Count>
struct NativeTable {
    static_assert(Count <= kMaxNatives);
    static constexpr uint8_t kCount = Count;
    Native row[Count];

    /// Index of the event called `name`; one that does not exist ends the compilation.
    consteval uint8_t operator[](const char* name) const {
        uint8_t i = 0;
        while (!same_text(row[i].name, name)) {
            ++i;
        }
        return i;
    }
};

/// Selector 0 counts nothing; a selector for cycles or instructions is behind the SBI's own event.
template <typename Row>
constexpr bool is_native(const Row& row) {
    return row.selector != 0 && !same_text(row.name, "cycles") &&
           !same_text(row.name, "instructions");
}

/// The natives of a table of rows with name, meaning and selector.
template <const auto& kRows>
consteval auto natives_of() {
    constexpr size_t kCounting = [] {
        size_t count = 0;
        for (const auto& row : kRows) {
            count += is_native(row) ? 1 : 0;
        }
        return count;
    }();
    NativeTable<2 + kCounting + kFirmwareEvents> table{};
    table.row[kCyclesNative] = {"cycles", "Clock cycles.", sbi::pmu::kEventCycles, 0};
    table.row[kInstructionsNative] = {"instructions", "Instructions retired.",
                                      sbi::pmu::kEventInstructions, 0};
    size_t at = 2;
    for (const auto& row : kRows) {
        if (is_native(row)) {
            table.row[at++] = {row.name, row.meaning(), sbi::pmu::kEventRaw, row.selector};
        }
    }
    constexpr uint64_t kFirmware = sbi::pmu::kEventTypeFirmware << sbi::pmu::kEventTypeShift;
    for (size_t i = 0; i < kFirmwareEvents; ++i) {
        table.row[at++] = {kFirmwareEventNames[i], "Firmware event of the SBI.",
                           static_cast<uint32_t>(kFirmware | i), 0};
    }
    return table;
}

/// Code of the preset called so; one that does not exist ends the compilation.
consteval int preset_code(const char* name) {
#define PES_PAPI_NAME(preset, category, text) #preset,
    constexpr const char* kNames[] = {PES_PAPI_PRESETS(PES_PAPI_NAME)};
#undef PES_PAPI_NAME
    int index = 0;
    while (!same_text(kNames[index], name)) {
        ++index;
    }
    return index | PAPI_PRESET_MASK;
}

template <size_t Count>
struct PresetTable {
    static constexpr uint8_t kCount = Count;
    Preset row[Count];
};

/// Rows with names as rows with codes and indices.
template <const auto& kRows, size_t Natives>
consteval auto presets_of(const NativeTable<Natives>& natives) {
    PresetTable<sizeof(kRows) / sizeof(kRows[0])> table{};
    Preset* to = table.row;
    for (const PresetRow& from : kRows) {
        *to = {preset_code(from.name), from.derived, from.terms, {}, from.postfix, from.note};
        for (unsigned term = 0; term < from.terms; ++term) {
            to->term[term] = natives[from.term[term]];
        }
        ++to;
    }
    return table;
}

extern const Profile kCva6;
extern const Profile kU74;

} // namespace pes::papi

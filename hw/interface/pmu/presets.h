// SPDX-License-Identifier: Apache-2.0
// PAPI's preset events as terms of a profile's events. Freestanding: the PAPI layer of the firmware
// and the files for PAPI under Linux are made of the same tables.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace pes {

/// How a preset follows from its terms.
enum class Derived : uint8_t {
    None,    ///< one term
    Add,     ///< sum
    Sub,     ///< the first less the others
    Postfix, ///< an expression such as "N0|N1|+|N2|-|"
};
/// As PAPI writes them.
inline constexpr const char* kDerivedNames[] = {"NOT_DERIVED", "DERIVED_ADD", "DERIVED_SUB",
                                                "DERIVED_POSTFIX"};

inline constexpr unsigned kMostPresetTerms = 8;

/// Terms that no profile has to have: the fixed counters count them.
inline constexpr const char* kCyclesTerm = "cycles";
inline constexpr const char* kInstructionsTerm = "instructions";

struct PresetRow {
    const char* name; ///< without PAPI's prefix: "TOT_CYC"
    Derived derived;
    uint8_t terms;
    const char* term[kMostPresetTerms]; ///< names of events of the profile, or those above
    const char* postfix;                ///< of a Postfix
    const char* note;                   ///< what differs from the preset's description, or ""
};

namespace presets {

template <typename... Terms>
consteval PresetRow row(const char* name, Derived derived, const char* postfix, const char* note,
                        Terms... terms) {
    static_assert(sizeof...(terms) >= 1 && sizeof...(terms) <= kMostPresetTerms);
    return {name, derived, sizeof...(terms), {terms...}, postfix, note};
}

consteval PresetRow one(const char* name, const char* term, const char* note = "") {
    return row(name, Derived::None, "", note, term);
}

template <typename... Terms>
consteval PresetRow sum(const char* name, Terms... terms) {
    return row(name, Derived::Add, "", "", terms...);
}

/// The first term less the others.
template <typename... Terms>
consteval PresetRow difference(const char* name, const char* note, Terms... terms) {
    return row(name, Derived::Sub, "", note, terms...);
}

} // namespace presets
} // namespace pes

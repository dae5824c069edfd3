// SPDX-License-Identifier: Apache-2.0
// RTL that only tests need: odd shapes, and copies with a planted error.
#pragma once

#include "hw/hpm/rtl/built_models.h"

namespace pes {

/// Shapes at the ends of every range.
std::span<const BuiltModel> test_models();

/// plain_counters.sv in the place of the programmable counters.
std::span<const BuiltModel> foreign_models();

/// The same with packaged/packaged_counters.sv.
std::span<const BuiltModel> packaged_models();

/// Counters that decode the events of retirement from the class pins, classes/class_counters.toml;
/// and with an error in the decoding.
std::span<const BuiltModel> class_models();
std::span<const BuiltModel> wrong_class_models();
std::span<const BuiltModel> few_class_models(); ///< with six counters

/// Both variants of the PCER unit.
std::span<const BuiltModel> pcer_models();

/// A copy of the RTL in which one line is wrong.
struct Mutant {
    const char* name;
    std::unique_ptr<RtlModel> (*make)();
    const PmuProfile* profile = &kCva6Profile;
    bool write_freezes = true;
};

/// They have two counters of 40 bits; those of the PCER unit (pcer_equivalence_test.cpp) say in the
/// name which variant they are.
std::span<const Mutant> mutants();

} // namespace pes

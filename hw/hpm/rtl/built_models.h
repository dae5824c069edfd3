// SPDX-License-Identifier: Apache-2.0
// The RTL that this build contains. Parameters of RTL are fixed when it is Verilated, so there is
// one model a shape; PES_RTL_SHAPES names the shapes.
#pragma once

#include "hw/hpm/rtl_model.h"

#include <span>

namespace pes {

struct BuiltModel {
    unsigned programmable;
    unsigned width;
    bool write_freezes;
    std::unique_ptr<RtlModel> (*make)();
};

/// Empty if the project was built without Verilator.
std::span<const BuiltModel> built_models();

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "hw/finisher/finisher.h"

#include "hw/common/module_logger.h"
#include "hw/common/register_map.h"
#include "hw/interface/maps/finisher.h"

#include <spdlog/spdlog.h>

namespace pes {
namespace {

constexpr std::uint64_t kBytes = 4;
constexpr std::uint64_t kKindMask = 0xFFFF;

} // namespace

Finisher::Finisher(ExitHandler exit)
    : exit_(std::move(exit)), registers_("finisher", kBytes, describe()) {}

std::vector<Register> Finisher::describe() {
    RegisterMap<Finisher> map(*this);
    // OpenSBI and Linux store 16 bits.
    map.reg("finish", 0).u32().low_bytes().write(&Finisher::written);
    return map.take();
}

void Finisher::written(std::uint64_t value) {
    switch (value & kKindMask) {
    case finisher::kPass:
    case finisher::kReset:
        exit_(0);
        break;
    case finisher::kFail:
        exit_(value >> finisher::kCodeShift);
        break;
    default:
        module_logger("finisher")
            ->warn("{:#x} is no request, expected {:#x}, {:#x} or {:#x} in the low half", value,
                   finisher::kPass, finisher::kFail, finisher::kReset);
    }
}

} // namespace pes

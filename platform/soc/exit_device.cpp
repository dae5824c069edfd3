// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/exit_device.h"

#include "hw/common/module_logger.h"
#include "hw/interface/maps/finisher.h"

#include <spdlog/spdlog.h>

namespace pes {
namespace {

constexpr std::uint64_t kBytes = 4;
constexpr std::uint64_t kKindMask = 0xFFFF;

} // namespace

Finisher::Finisher(ExitHandler exit)
    : exit_(std::move(exit)),
      registers_(
          "finisher", kBytes,
          {Register{.name = "finish",
                    .parts = RegisterParts::Low, // OpenSBI and Linux store 16 bits
                    .write = [this](unsigned, std::uint64_t value, Cycle) { written(value); }}}) {}

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

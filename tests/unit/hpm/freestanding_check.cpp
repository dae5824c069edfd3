// SPDX-License-Identifier: Apache-2.0
// What firmware uses of the counters, compiled by the firmware's compiler.
#include "hw/interface/pmu/counter_csr.h"
#include "hw/interface/pmu/profile_u74.h"
#include "hw/interface/pmu/profiles.h"
#include "hw/interface/pmu/pulse_sources.h"

static_assert(pes::find_event(pes::kCva6Profile, "floating-point")->selector == 21);
static_assert(pes::threshold_csr(3) == 0xB23);
static_assert(pes::sources_of(pes::kU74Profile, 0x6001) ==
              (pes::event_bit(pes::Event::DirectionMispredict) |
               pes::event_bit(pes::Event::TargetMispredict)));
static_assert(pes::find_profile("u74")->width == 40);
static_assert(pes::find_profile("u75") == nullptr);

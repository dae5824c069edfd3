// SPDX-License-Identifier: Apache-2.0
// The registers of a timestamp unit, in both sets. Bits 0 to 15 are the same in both but for
// RunInDebug; which messages carry a timestamp, the width and the place of the time are not.
#include "hw/common/register_map.h"
#include "hw/interface/maps/trace.h"
#include "hw/interface/maps/trace_control.h"
#include "hw/trace/encoder/timestamp_unit.h"
#include "hw/trace/register_bits.h"

namespace pes::trace {
namespace {

namespace sifive = trace_map::timestamp;
namespace standard = trace_control::timestamp;

} // namespace

// ------------------------------------------------------------------------------------------------
// SiFive

std::vector<Register> TimestampUnit::sifive_registers() {
    RegisterMap<TimestampUnit> map(*this);
    map.reg("tsControl", trace_map::kTimestampControl)
        .u32()
        .read(&TimestampUnit::read_sifive)
        .write(&TimestampUnit::write_sifive);
    map.reg("tsLower", trace_map::kTimestampLower).u32().read_only().read(&TimestampUnit::time);
    map.reg("tsUpper", trace_map::kTimestampUpper)
        .u32()
        .read_only()
        .read(&TimestampUnit::time_high);
    return map.take();
}

std::uint32_t TimestampUnit::read_sifive() const {
    const bool there = config_.type != TimestampType::None;
    const bool difference = stamps_messages() && config_.dialect == TimestampDialect::NTrace;
    return bit_if(fields_.active, sifive::kActive) | bit_if(fields_.count, sifive::kCount) |
           bit_if(fields_.run_in_debug, sifive::kDebug) |
           fields_.prescale << sifive::kPrescaleShift | bit_if(fields_.enable, sifive::kEnable) |
           static_cast<std::uint32_t>(fields_.branches) << sifive::kBranchShift |
           bit_if(fields_.instrumentation, sifive::kInstrumentation) |
           bit_if(fields_.ownership, sifive::kOwnership) | bit_if(difference, sifive::kDifference) |
           static_cast<std::uint32_t>(config_.type) << sifive::kTypeShift |
           (there ? config_.bits << sifive::kWidthShift : 0);
}

void TimestampUnit::write_sifive(std::uint32_t value, Cycle at) {
    constexpr std::uint32_t kReservedBranches = 2;
    const std::uint32_t branches = value >> sifive::kBranchShift & sifive::kBranchMask;
    control({.active = (value & sifive::kActive) != 0,
             .count = (value & sifive::kCount) != 0,
             .run_in_debug = (value & sifive::kDebug) != 0,
             .prescale = value >> sifive::kPrescaleShift & sifive::kPrescaleMask,
             .enable = (value & sifive::kEnable) != 0,
             .branches = branches == kReservedBranches ? fields_.branches
                                                       : static_cast<TimestampedBranches>(branches),
             .instrumentation = (value & sifive::kInstrumentation) != 0,
             .ownership = (value & sifive::kOwnership) != 0},
            (value & sifive::kReset) != 0, at);
}

// ------------------------------------------------------------------------------------------------
// Trace Control Interface 1.0

std::vector<Register> TimestampUnit::standard_registers() {
    RegisterMap<TimestampUnit> map(*this);
    map.reg("trTsControl", standard::kControl)
        .u32()
        .read(&TimestampUnit::read_standard)
        .write(&TimestampUnit::write_standard);
    map.reg("trTsCounterLow", standard::kCounterLow).u32().read_only().read(&TimestampUnit::time);
    map.reg("trTsCounterHigh", standard::kCounterHigh)
        .u32()
        .read_only()
        .read(&TimestampUnit::time_high);
    return map.take();
}

/// The vendor's bits say which messages have none, so that zeros give all of them one.
std::uint32_t TimestampUnit::read_standard() const {
    const bool there = config_.type != TimestampType::None;
    const std::uint32_t without =
        bit_if(fields_.branches == TimestampedBranches::Indirect, standard::kNotDirect) |
        bit_if(fields_.branches == TimestampedBranches::None, standard::kNotProgram) |
        bit_if(!fields_.instrumentation, standard::kNotInstrumentation) |
        bit_if(!fields_.ownership, standard::kNotOwnership);
    return bit_if(fields_.active, trace_control::kActive) |
           bit_if(fields_.count, standard::kCount) |
           bit_if(fields_.run_in_debug, standard::kRunInDebug) |
           static_cast<std::uint32_t>(config_.type) << standard::kModeShift |
           fields_.prescale << standard::kPrescaleShift |
           bit_if(fields_.enable, standard::kEnable) |
           (fields_.active && stamps_messages() ? without : 0) |
           (there ? config_.bits << standard::kWidthShift : 0);
}

void TimestampUnit::write_standard(std::uint32_t value, Cycle at) {
    TimestampedBranches branches = TimestampedBranches::All;
    if ((value & standard::kNotProgram) != 0) {
        branches = TimestampedBranches::None;
    } else if ((value & standard::kNotDirect) != 0) {
        branches = TimestampedBranches::Indirect;
    }
    const bool core = config_.type == TimestampType::InternalCore;
    control({.active = (value & trace_control::kActive) != 0,
             .count = (value & standard::kCount) != 0,
             .run_in_debug = core && (value & standard::kRunInDebug) != 0,
             .prescale = value >> standard::kPrescaleShift & standard::kPrescaleMask,
             .enable = (value & standard::kEnable) != 0,
             .branches = branches,
             .instrumentation = (value & standard::kNotInstrumentation) == 0,
             .ownership = (value & standard::kNotOwnership) == 0},
            (value & standard::kReset) != 0, at);
}

} // namespace pes::trace

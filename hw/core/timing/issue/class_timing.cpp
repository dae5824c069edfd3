// SPDX-License-Identifier: Apache-2.0
#include "hw/core/timing/issue/class_timing.h"

namespace pes {

ClassTable class_table(const TimingConfig& config) {
    using Unit = ClassTiming::Unit;
    const ResultLatency& latency = config.latency;
    const FpIterationInterval& interval = config.fp_interval;
    ClassTable table{};
    const auto at = [&table](TimingClass timing) -> ClassTiming& {
        return table[static_cast<std::size_t>(timing)];
    };
    for (const TimingClass timing :
         {TimingClass::Alu, TimingClass::Branch, TimingClass::Jal, TimingClass::Jalr}) {
        at(timing) = {.result = latency.alu};
    }
    at(TimingClass::Alu).direct = true;
    at(TimingClass::Multiply) = {
        .result = latency.multiply, .unit = Unit::Multiply, .direct = true};
    at(TimingClass::Divide) = {.result = latency.divide, .unit = Unit::Multiply};
    at(TimingClass::Load) = {.unit = Unit::LoadStore};
    at(TimingClass::Store) = {.port = RetirePort::First, .unit = Unit::LoadStore};
    for (const TimingClass timing :
         {TimingClass::Amo, TimingClass::LoadReserved, TimingClass::StoreConditional}) {
        at(timing) = {.port = RetirePort::Alone, .unit = Unit::LoadStore};
    }
    for (const TimingClass timing :
         {TimingClass::Csr, TimingClass::CsrRefetch, TimingClass::Fence, TimingClass::FenceI,
          TimingClass::SfenceVma, TimingClass::TrapReturn, TimingClass::Trap, TimingClass::Wfi}) {
        at(timing) = {.port = RetirePort::Alone};
    }
    const auto pipelined = [](Cycle result, FpuPort::Group group) {
        return ClassTiming{.result = result, .unit = Unit::Fpu, .group = group};
    };
    at(TimingClass::Illegal) = {
        .result = latency.alu + 1, .port = RetirePort::Alone, .unit = Unit::Coprocessor};
    at(TimingClass::FpMove) = pipelined(latency.fp_move, FpuPort::Group::NonComputational);
    at(TimingClass::FpConvert) = pipelined(latency.fp_convert, FpuPort::Group::Convert);
    at(TimingClass::FpSingle) = pipelined(latency.fp_single, FpuPort::Group::AddMultiply);
    at(TimingClass::FpDouble) = pipelined(latency.fp_double, FpuPort::Group::AddMultiply);
    const auto iterative = [](Cycle result, Cycle busy) {
        return ClassTiming{.result = result,
                           .unit = Unit::Fpu,
                           .group = FpuPort::Group::DivideSqrt,
                           .fpu_interval = busy};
    };
    at(TimingClass::FpDivideSingle) = iterative(latency.fp_divide_single, interval.single);
    at(TimingClass::FpDivideDouble) = iterative(latency.fp_divide_double, interval.wide);
    at(TimingClass::FpSqrtSingle) = iterative(latency.fp_sqrt_single, interval.single);
    at(TimingClass::FpSqrtDouble) = iterative(latency.fp_sqrt_double, interval.wide);
    return table;
}

} // namespace pes

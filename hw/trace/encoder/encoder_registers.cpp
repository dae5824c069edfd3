// SPDX-License-Identifier: Apache-2.0
// The registers of an encoder that are the same in both sets but for their places. The others are
// in sifive_registers.cpp and standard_registers.cpp.
#include "hw/trace/encoder/encoder.h"

#include "hw/common/register_map.h"
#include "hw/interface/maps/trace.h"
#include "hw/trace/register_bits.h"

#include <utility>

namespace pes::trace {
namespace {

constexpr std::uint32_t kRoom = ~0U;   ///< what a stimulus reads as if a store will find room
constexpr std::uint32_t kSampling = 1; ///< PC sampling control

} // namespace

std::vector<Register> Encoder::common_registers(const Places& places) {
    std::vector<Register> list = describe_open(places);
    for (Register& definition : describe_gated(places)) {
        list.push_back(gated(
            std::move(definition), [this] { return active_; }, places.active_name, log_));
    }
    return list;
}

/// Registers that are read-only or check Active themselves. PCs are 64 bits in two registers.
std::vector<Register> Encoder::describe_open(const Places& places) {
    RegisterMap<Encoder> map(*this);
    map.reg("teFifo", places.fifo).u32().read_only().read(&Encoder::fifo_level);
    map.reg("teBtmCount", places.message_count).u32().read_only().read(&Encoder::message_count);
    map.reg("itcStimulus", places.stimuli)
        .u32()
        .array(kStimuli)
        .read(&Encoder::stimulus_room)
        .write_part(&Encoder::write_stimulus);
    map.reg("pcCapture", places.pc_capture).u32().read_only().read(&Encoder::pc_capture_);
    map.reg("pcCaptureHigh", places.pc_capture_high)
        .u32()
        .read_only()
        .read(&Encoder::pc_capture_high);
    map.reg("pcSample", places.pc_sample)
        .u32()
        .read_only()
        .read(&Encoder::sample_pc)
        .peek(&Encoder::current_pc);
    map.reg("pcSampleHigh", places.pc_sample_high).u32().read_only().read(&Encoder::pc_sample_high);
    return map.take();
}

std::vector<Register> Encoder::describe_gated(const Places& places) {
    RegisterMap<Encoder> map(*this);
    map.reg("evControl", places.events).u32().read(&Encoder::events).write(&Encoder::set_events);
    map.reg("itcTraceEnable", places.itc_enable)
        .u32()
        .read(&Encoder::itc_trace_enable_)
        .write(&Encoder::itc_trace_enable_);
    map.reg("pcsControl", places.pc_control)
        .u32()
        .read(&Encoder::pc_sampling_)
        .write(&Encoder::set_pc_sampling);
    std::vector<Register> list = map.take();

    RegisterMap<TriggerUnit> triggers(triggers_);
    if (packets_only()) { // "Hardcode to 0": the E-Trace specification, table of filtering
        triggers.reg(places.trigger_in_name, places.trigger_in).u32().mask(0);
    } else {
        triggers.reg(places.trigger_in_name, places.trigger_in)
            .u32()
            .read(&TriggerUnit::inputs)
            .write(&TriggerUnit::set_inputs);
    }
    append(list, triggers.take());
    return list;
}

// ------------------------------------------------------------------------------------------------

void Encoder::set_events(std::uint32_t value, Cycle at) {
    fields_.events = value & legal_events();
    update(SyncReason::TraceEnable, at);
}

std::uint32_t Encoder::message_count() const {
    return static_cast<std::uint32_t>(sender_.counts().messages - message_base_);
}

/// Nothing is sent while trace is off, so nothing has to be waited for.
std::uint32_t Encoder::stimulus_room(unsigned /*stimulus*/, Cycle /*at*/) const {
    return running_ && !sender_.has_room() ? 0 : kRoom;
}

void Encoder::set_pc_sampling(std::uint32_t value) {
    pc_sampling_ = hart_ != nullptr && (value & kSampling) != 0;
    pc_capture_ = pc_sampling_ ? pc_capture_ : 0;
    pc_sample_ = pc_sampling_ ? pc_sample_ : 0;
}

std::uint64_t Encoder::current_pc() const {
    return pc_sampling_ ? hart_->pc() | 1U : 0;
}

std::uint64_t Encoder::pc_capture_high() const {
    return pc_capture_ >> kWordBits;
}

std::uint64_t Encoder::pc_sample_high() const {
    return pc_sample_ >> kWordBits;
}

} // namespace pes::trace

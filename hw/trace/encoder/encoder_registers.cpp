// SPDX-License-Identifier: Apache-2.0
// The registers of an encoder, except those of its sink and its timestamp unit.
#include "hw/trace/encoder/encoder.h"

#include "hw/common/register_map.h"
#include "hw/interface/maps/trace.h"

#include <utility>

namespace pes::trace {
namespace {

constexpr std::uint32_t kRoom = ~0U;   ///< what a stimulus reads as if a store will find room
constexpr std::uint32_t kSampling = 1; ///< pcsControl
constexpr unsigned kWordBits = 32;

void append(std::vector<Register>& list, std::vector<Register> more) {
    for (Register& definition : more) {
        list.push_back(std::move(definition));
    }
}

} // namespace

std::vector<Register> Encoder::describe() {
    std::vector<Register> list = sink_.registers();
    append(list, timestamps_.registers());
    list.push_back(no_atb_sink());
    append(list, describe_open());
    for (Register& definition : describe_gated()) {
        list.push_back(gated(std::move(definition)));
    }
    return list;
}

/// While teActive is 0 the block is in reset: writes have no effect.
Register Encoder::gated(Register definition) {
    definition.write = [this, name = definition.name, write = std::move(definition.write)](
                           unsigned index, std::uint64_t value, Cycle at) {
        if (!active_) {
            log_->warn("write of {:#x} to {} while teActive is 0: ignored", value, name);
            return;
        }
        write(index, value, at);
    };
    return definition;
}

/// Registers that are read-only or check teActive themselves. PCs are 64 bits in two registers.
std::vector<Register> Encoder::describe_open() {
    RegisterMap<Encoder> map(*this);
    map.reg("teControl", trace_map::kControl)
        .u32()
        .read(&Encoder::read_control)
        .write(&Encoder::write_control);
    map.reg("teImpl", trace_map::kImplementation).u32().read_only().read(&Encoder::implementation);
    map.reg("teFifo", trace_map::kFifo).u32().read_only().read(&Encoder::fifo_level);
    map.reg("teBtmCount", trace_map::kMessageCount).u32().read_only().read(&Encoder::message_count);
    map.reg("itcStimulus", trace_map::kItcStimulus)
        .u32()
        .array(kStimuli)
        .read(&Encoder::stimulus_room)
        .write_part(&Encoder::write_stimulus);
    // No trigger outputs, no watchpoints: WARL, always 0.
    map.reg("xtoControl", trace_map::kTriggerOutControl).u32().mask(0);
    map.reg("wpControl", trace_map::kWatchpointControl).u32().mask(0);
    map.reg("itcTrigEnable", trace_map::kItcTriggerEnable).u32().mask(0);
    map.reg("pcCapture", trace_map::kPcCapture).u32().read_only().read(&Encoder::pc_capture_);
    map.reg("pcCaptureHigh", trace_map::kPcCaptureHigh)
        .u32()
        .read_only()
        .read(&Encoder::pc_capture_high);
    map.reg("pcSample", trace_map::kPcSample)
        .u32()
        .read_only()
        .read(&Encoder::sample_pc)
        .peek(&Encoder::current_pc);
    map.reg("pcSampleHigh", trace_map::kPcSampleHigh)
        .u32()
        .read_only()
        .read(&Encoder::pc_sample_high);
    return map.take();
}

std::vector<Register> Encoder::describe_gated() {
    RegisterMap<Encoder> map(*this);
    map.reg("evControl", trace_map::kEventControl)
        .u32()
        .read(&Encoder::events_)
        .write(&Encoder::set_events);
    map.reg("itcTraceEnable", trace_map::kItcTraceEnable)
        .u32()
        .read(&Encoder::itc_trace_enable_)
        .write(&Encoder::itc_trace_enable_);
    map.reg("pcsControl", trace_map::kPcSamplingControl)
        .u32()
        .read(&Encoder::pc_sampling_)
        .write(&Encoder::set_pc_sampling);
    std::vector<Register> list = map.take();

    RegisterMap<TriggerUnit> triggers(triggers_);
    triggers.reg("xtiControl", trace_map::kTriggerInControl)
        .u32()
        .read(&TriggerUnit::inputs)
        .write(&TriggerUnit::set_inputs);
    append(list, triggers.take());
    return list;
}

// ------------------------------------------------------------------------------------------------

void Encoder::set_events(std::uint32_t value, Cycle at) {
    events_ = value & legal_events();
    update(SyncReason::TraceEnable, at);
}

std::uint32_t Encoder::message_count() const {
    return static_cast<std::uint32_t>(sender_.counts().messages - message_base_);
}

/// Nothing is sent while trace is off, so nothing has to be waited for.
std::uint32_t Encoder::stimulus_room(unsigned /*stimulus*/, Cycle /*at*/) const {
    return running_ && !sender_.has_room() ? 0 : kRoom;
}

void Encoder::write_stimulus(unsigned stimulus, unsigned bytes, std::uint64_t value, Cycle at) {
    store({.stimulus = stimulus, .bytes = bytes, .value = static_cast<std::uint32_t>(value)}, at);
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

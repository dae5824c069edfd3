// SPDX-License-Identifier: Apache-2.0
// The registers of an encoder, but for those of its sink and its timestamp unit.
#include "hw/trace/encoder.h"

#include "hw/interface/maps/trace.h"

#include <utility>

namespace pes::trace {
namespace {

constexpr std::uint32_t kRoom = ~0U;    ///< what a stimulus reads as if a store will find room
constexpr std::uint32_t kSampling = 1;  ///< pcsControl
constexpr std::uint64_t kLowWord = ~0U; ///< of a PC
constexpr unsigned kWordBits = 32;

Register read_only(std::string name, Address offset, Register::Read read) {
    return {.name = std::move(name),
            .offset = offset,
            .rights = RegisterRights::ReadOnly,
            .read = std::move(read)};
}

/// A register that is a variable of the encoder.
Register word(std::string name, Address offset, std::uint32_t& value) {
    return {.name = std::move(name),
            .offset = offset,
            .read = [&value](unsigned, Cycle) { return std::uint64_t{value}; },
            .write = [&value](unsigned, std::uint64_t written,
                              Cycle) { value = static_cast<std::uint32_t>(written); }};
}

} // namespace

std::vector<Register> Encoder::describe() {
    std::vector<Register> list = sink_.registers();
    for (Register& definition : timestamps_.registers()) {
        list.push_back(std::move(definition));
    }
    list.push_back(no_atb_sink());
    describe_control(list);
    describe_triggers(list);
    describe_stimuli(list);
    describe_pc_sampling(list);
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

void Encoder::describe_control(std::vector<Register>& list) {
    list.push_back(
        {.name = "teControl",
         .offset = trace_map::kControl,
         .read = [this](unsigned, Cycle) { return std::uint64_t{read_control()}; },
         .write = [this](unsigned, std::uint64_t value,
                         Cycle at) { write_control(static_cast<std::uint32_t>(value), at); }});
    list.push_back(read_only("teImpl", trace_map::kImplementation,
                             [this](unsigned, Cycle) { return std::uint64_t{implementation()}; }));
    list.push_back(gated({.name = "evControl",
                          .offset = trace_map::kEventControl,
                          .read = [this](unsigned, Cycle) { return std::uint64_t{events_}; },
                          .write =
                              [this](unsigned, std::uint64_t value, Cycle at) {
                                  const auto events = static_cast<std::uint32_t>(value);
                                  events_ = events & legal_events();
                                  update(SyncReason::TraceEnable, at);
                              }}));
    list.push_back(read_only("teFifo", trace_map::kFifo,
                             [this](unsigned, Cycle) { return std::uint64_t{queue_.used()}; }));
    list.push_back(read_only("teBtmCount", trace_map::kMessageCount, [this](unsigned, Cycle) {
        return static_cast<std::uint32_t>(sender_.counts().messages - message_base_);
    }));
}

void Encoder::describe_triggers(std::vector<Register>& list) {
    list.push_back(gated(
        {.name = "xtiControl",
         .offset = trace_map::kTriggerInControl,
         .read = [this](unsigned, Cycle) { return std::uint64_t{triggers_.inputs()}; },
         .write = [this](unsigned, std::uint64_t value,
                         Cycle) { triggers_.set_inputs(static_cast<std::uint32_t>(value)); }}));
    list.push_back(gated(
        {.name = "xtoControl",
         .offset = trace_map::kTriggerOutControl,
         .read = [this](unsigned, Cycle) { return std::uint64_t{triggers_.outputs()}; },
         .write = [this](unsigned, std::uint64_t value,
                         Cycle) { triggers_.set_outputs(static_cast<std::uint32_t>(value)); }}));
    list.push_back(
        gated({.name = "wpControl",
               .offset = trace_map::kWatchpointControl,
               .read = [this](unsigned, Cycle) { return std::uint64_t{triggers_.watchpoints()}; },
               .write =
                   [this](unsigned, std::uint64_t value, Cycle) {
                       triggers_.set_watchpoints(static_cast<std::uint32_t>(value));
                   }}));
}

void Encoder::describe_stimuli(std::vector<Register>& list) {
    list.push_back(gated(word("itcTraceEnable", trace_map::kItcTraceEnable, itc_trace_enable_)));
    list.push_back(gated(word("itcTrigEnable", trace_map::kItcTriggerEnable, itc_trigger_enable_)));
    list.push_back({.name = "itcStimulus",
                    .offset = trace_map::kItcStimulus,
                    .parts = RegisterParts::High,
                    .count = kStimuli,
                    .read =
                        [this](unsigned, Cycle) {
                            // Nothing is sent while trace is off, so nothing has to be waited for.
                            return std::uint64_t{running_ && !sender_.has_room() ? 0 : kRoom};
                        },
                    .write_part =
                        [this](unsigned index, unsigned bytes, std::uint64_t value, Cycle at) {
                            store({.stimulus = index,
                                   .bytes = bytes,
                                   .value = static_cast<std::uint32_t>(value)},
                                  at);
                        }});
}

void Encoder::describe_pc_sampling(std::vector<Register>& list) {
    list.push_back(gated({.name = "pcsControl",
                          .offset = trace_map::kPcSamplingControl,
                          .read = [this](unsigned, Cycle) { return pc_sampling_ ? kSampling : 0; },
                          .write =
                              [this](unsigned, std::uint64_t value, Cycle) {
                                  pc_sampling_ = hart_ != nullptr && (value & kSampling) != 0;
                                  pc_capture_ = pc_sampling_ ? pc_capture_ : 0;
                                  pc_sample_ = pc_sampling_ ? pc_sample_ : 0;
                              }}));
    list.push_back(read_only("pcCaptureHigh", trace_map::kPcCaptureHigh,
                             [this](unsigned, Cycle) { return pc_capture_ >> kWordBits; }));
    list.push_back(read_only("pcCapture", trace_map::kPcCapture,
                             [this](unsigned, Cycle) { return pc_capture_ & kLowWord; }));
    list.push_back(read_only("pcSampleHigh", trace_map::kPcSampleHigh,
                             [this](unsigned, Cycle) { return pc_sample_ >> kWordBits; }));
    Register sample = read_only("pcSample", trace_map::kPcSample,
                                [this](unsigned, Cycle) { return sample_pc() & kLowWord; });
    sample.peek = [this](unsigned, Cycle) {
        return pc_sampling_ ? (hart_->pc() | 1U) & kLowWord : 0;
    };
    list.push_back(std::move(sample));
}

} // namespace pes::trace

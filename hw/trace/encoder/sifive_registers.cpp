// SPDX-License-Identifier: Apache-2.0
// SiFive's registers of an encoder (hw/interface/maps/trace.h). The encoder's block has the
// registers of its sink unit, and teControl chooses the sink.
#include "hw/common/archive.h"
#include "hw/common/register_map.h"
#include "hw/interface/maps/trace.h"
#include "hw/trace/encoder/encoder_registers.h"

#include <bit>

namespace pes::trace {
namespace {

namespace control = trace_map::control;
namespace sifive_field = trace_map::implementation;

// The initial value in OpenOCD's scripts: a synchronising message every 256 messages or 4096
// half-words.
constexpr std::uint32_t kResetSyncMessages = 3;
constexpr std::uint32_t kResetSyncUnits = 8;
constexpr std::uint32_t kMostSyncMessages = 11; ///< the largest exponent but "never"
constexpr unsigned kLeastSyncMessages = 5;      ///< 2^(n+5)
constexpr unsigned kLeastSyncUnits = 4;

constexpr Encoder::Places kSifivePlaces{.fifo = trace_map::kFifo,
                                        .message_count = trace_map::kMessageCount,
                                        .events = trace_map::kEventControl,
                                        .itc_enable = trace_map::kItcTraceEnable,
                                        .stimuli = trace_map::kItcStimulus,
                                        .trigger_in = trace_map::kTriggerInControl,
                                        .pc_control = trace_map::kPcSamplingControl,
                                        .pc_capture_high = trace_map::kPcCaptureHigh,
                                        .pc_capture = trace_map::kPcCapture,
                                        .pc_sample_high = trace_map::kPcSampleHigh,
                                        .pc_sample = trace_map::kPcSample,
                                        .trigger_in_name = "xtiControl",
                                        .active_name = "teActive"};

class SiFiveRegisters final : public EncoderRegisters {
  public:
    SiFiveRegisters(Encoder& encoder, SinkUnit& sink)
        : encoder_(encoder), sink_(sink), control_(reset_control(0)) {}

    std::vector<Register> describe() override;
    void state(Archive& archive) override { archive(control_); }

  private:
    std::uint32_t read_control() const;
    std::uint32_t implementation() const;
    void write_control(std::uint32_t value, Cycle at);
    std::uint32_t legal_control(std::uint32_t value, Cycle at);
    std::uint32_t legal_instruction(std::uint32_t value) const;
    std::uint32_t reset_control(Cycle at);
    std::uint32_t field(unsigned shift, std::uint32_t mask) const {
        return control_ >> shift & mask;
    }
    std::uint64_t sync_limit(unsigned shift, unsigned least) const;
    EncoderFields fields() const;

    Encoder& encoder_;
    SinkUnit& sink_;
    std::uint32_t control_; ///< what software writes, without Active, Enable and Tracing
};

std::vector<Register> SiFiveRegisters::describe() {
    std::vector<Register> list = sink_.registers();
    append(list, encoder_.timestamp_registers());
    append(list, encoder_.common_registers(kSifivePlaces));
    list.push_back(no_atb_sink());
    RegisterMap<SiFiveRegisters> map(*this);
    map.reg("teControl", trace_map::kControl)
        .u32()
        .read(&SiFiveRegisters::read_control)
        .write(&SiFiveRegisters::write_control);
    map.reg("teImpl", trace_map::kImplementation)
        .u32()
        .read_only()
        .read(&SiFiveRegisters::implementation);
    // No trigger outputs, no watchpoints: WARL, always 0.
    map.reg("xtoControl", trace_map::kTriggerOutControl).u32().mask(0);
    map.reg("wpControl", trace_map::kWatchpointControl).u32().mask(0);
    map.reg("itcTrigEnable", trace_map::kItcTriggerEnable).u32().mask(0);
    append(list, map.take());
    return list;
}

std::uint32_t SiFiveRegisters::reset_control(Cycle at) {
    return kResetSyncMessages << control::kSyncMaxMessagesShift |
           kResetSyncUnits << control::kSyncMaxUnitsShift |
           sink_.select(trace_map::sink::kOnly, at) << control::kSinkShift;
}

std::uint32_t SiFiveRegisters::read_control() const {
    std::uint32_t value = control_ | 1U << control::kSliceFormatShift;
    value |= encoder_.active() ? control::kActive : 0;
    value |= encoder_.enabled() ? control::kEnable : 0;
    value |= encoder_.trace_wanted() ? control::kTracing : 0;
    value |= encoder_.empty() && sink_.empty() ? control::kEmpty : 0;
    value |= encoder_.stalled_or_overflowed() ? control::kStallOrOverflow : 0;
    value |= sink_.error() ? control::kSinkError : 0;
    return value;
}

std::uint32_t SiFiveRegisters::implementation() const {
    const EncoderConfig& config = encoder_.config();
    const auto word_code = static_cast<unsigned>(std::countr_zero(sink_.word_bytes() / 4));
    return sink_.present() | word_code << sifive_field::kSinkBytesShift |
           config.source << sifive_field::kSourceShift |
           config.source_bits << sifive_field::kSourceBitsShift |
           config.hart << sifive_field::kHartShift;
}

std::uint32_t SiFiveRegisters::legal_instruction(std::uint32_t value) const {
    if (!encoder_.has_tracer()) {
        return trace_map::instruction::kNone;
    }
    const std::uint32_t code = value >> control::kInstructionShift & control::kInstructionMask;
    const bool reserved = code == 2 || code == 4 || code == 5;
    return reserved ? field(control::kInstructionShift, control::kInstructionMask) : code;
}

// WARL: the fields that software can write, with their legal values. Fields that are not named here
// are fixed or belong to other blocks.
std::uint32_t SiFiveRegisters::legal_control(std::uint32_t value, Cycle at) {
    std::uint32_t legal =
        value & (control::kStopOnWrap | control::kSyncMaxMask << control::kSyncMaxUnitsShift |
                 control::kInstrumentationMask << control::kInstrumentationShift);
    if (encoder_.has_hart()) {
        legal |= value & control::kStallEnable;
    }
    if (encoder_.config().source_bits != 0) {
        legal |= value & control::kInhibitSource;
    }
    legal |= legal_instruction(value) << control::kInstructionShift;

    std::uint32_t messages = (value >> control::kSyncMaxMessagesShift) & control::kSyncMaxMask;
    if (messages > kMostSyncMessages && messages != control::kSyncNever) {
        messages = kMostSyncMessages;
    }
    legal |= messages << control::kSyncMaxMessagesShift;

    const std::uint32_t sink = value >> control::kSinkShift;
    const std::uint32_t selected = control_ >> control::kSinkShift;
    return legal | (sink == selected ? sink : sink_.select(sink, at)) << control::kSinkShift;
}

std::uint64_t SiFiveRegisters::sync_limit(unsigned shift, unsigned least) const {
    const std::uint32_t exponent = field(shift, control::kSyncMaxMask);
    return exponent == control::kSyncNever ? 0 : std::uint64_t{1} << (exponent + least);
}

EncoderFields SiFiveRegisters::fields() const {
    const EncoderConfig& config = encoder_.config();
    return {.mode = static_cast<InstructionMode>(
                field(control::kInstructionShift, control::kInstructionMask)),
            .instrumentation = static_cast<Instrumentation>(
                field(control::kInstrumentationShift, control::kInstrumentationMask)),
            .events = encoder_.events(),
            .sync_messages = sync_limit(control::kSyncMaxMessagesShift, kLeastSyncMessages),
            .sync_units = sync_limit(control::kSyncMaxUnitsShift, kLeastSyncUnits),
            .stall = (control_ & control::kStallEnable) != 0,
            .inhibit_source = (control_ & control::kInhibitSource) != 0,
            .source = config.source,
            .source_bits = config.source_bits};
}

void SiFiveRegisters::write_control(std::uint32_t value, Cycle at) {
    if ((value & control::kActive) == 0) {
        encoder_.deactivate({}, at);
        sink_.reset(at);
        control_ = reset_control(at);
        sink_.on_wrap(SinkUnit::OnWrap::GoOn);
        return;
    }
    control_ = legal_control(value, at);
    sink_.on_wrap((control_ & control::kStopOnWrap) != 0 ? SinkUnit::OnWrap::Stop
                                                         : SinkUnit::OnWrap::GoOn);
    if ((value & control::kStallOrOverflow) == 0) {
        encoder_.clear_stalled_or_overflowed();
    }
    if ((value & control::kSinkError) != 0) {
        sink_.clear_error();
    }
    const bool enable = (value & control::kEnable) != 0;
    if (enable && !encoder_.enabled()) {
        sink_.open();
    }
    encoder_.control(enable, (value & control::kTracing) != 0, fields(), at);
}

} // namespace

std::unique_ptr<EncoderRegisters> sifive_registers(Encoder& encoder, SinkUnit& sink) {
    return std::make_unique<SiFiveRegisters>(encoder, sink);
}

} // namespace pes::trace

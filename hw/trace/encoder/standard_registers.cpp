// SPDX-License-Identifier: Apache-2.0
// The registers of an encoder in the Trace Control Interface 1.0
// (hw/interface/maps/trace_control.h). Data trace and trigger outputs are absent and
// read as 0. What the standard leaves undefined at reset is 0 here, but for the mode,
// the interval of synchronisation and the source.
#include "hw/common/archive.h"
#include "hw/common/module_logger.h"
#include "hw/common/register_map.h"
#include "hw/interface/maps/trace.h"
#include "hw/interface/maps/trace_control.h"
#include "hw/trace/encoder/encoder_registers.h"
#include "hw/trace/encoder/filter_registers.h"
#include "hw/trace/program/settings_archive.h"
#include "hw/trace/register_bits.h"

#include <algorithm>

namespace pes::trace {
namespace {

namespace te = trace_control::encoder;
namespace standard_field = trace_control::implementation;
namespace vendor = trace_control::vendor;

constexpr std::uint32_t kResetSyncMax = 4; ///< every 256 messages
constexpr const char* kActiveName = "trTeActive";

constexpr Encoder::Places kStandardPlaces{.fifo = vendor::kFifo,
                                          .message_count = vendor::kMessageCount,
                                          .events = vendor::kEventControl,
                                          .itc_enable = vendor::kItcTraceEnable,
                                          .stimuli = vendor::kItcStimulus,
                                          .trigger_in = te::kTriggerInControl,
                                          .pc_control = vendor::kPcSamplingControl,
                                          .pc_capture_high = vendor::kPcCaptureHigh,
                                          .pc_capture = vendor::kPcCapture,
                                          .pc_sample_high = vendor::kPcSampleHigh,
                                          .pc_sample = vendor::kPcSample,
                                          .trigger_in_name = "trTeTrigExtInControl",
                                          .active_name = kActiveName};

class StandardRegisters final : public EncoderRegisters {
  public:
    explicit StandardRegisters(Encoder& encoder)
        : encoder_(encoder), filters_({.filters = encoder.config().filters,
                                       .comparators = encoder.config().comparators},
                                      [this](Cycle at) { apply(at); }) {
        reset();
    }

    std::vector<Register> describe() override;
    void state(Archive& archive) override;

  private:
    std::uint32_t read_control() const;
    std::uint32_t implementation() const;
    std::uint32_t read_features() const;
    void write_control(std::uint32_t value, Cycle at);
    void write_features(std::uint32_t value, Cycle at);
    void set_instrumentation(std::uint32_t value, Cycle at);
    std::uint32_t read_instrumentation() const {
        return static_cast<std::uint32_t>(instrumentation_);
    }
    /// The same flag as that of the vendor's event control.
    bool context() const { return (encoder_.events() & trace_map::event::kContext) != 0; }
    bool is_ntrace() const {
        return !encoder_.packets_only() &&
               encoder_.config().timestamps.dialect == TimestampDialect::NTrace;
    }
    std::uint32_t format() const {
        return encoder_.packets_only() ? te::kFormatETrace
               : is_ntrace()           ? te::kFormatNTrace
                                       : te::kFormatVendor;
    }
    std::uint32_t legal_mode(std::uint32_t code) const;
    void set_sync(std::uint32_t control);
    void reset();
    EncoderFields fields() const;
    void apply(Cycle at);

    Encoder& encoder_;
    std::uint32_t mode_ = te::kModeOff;
    bool triggers_ = false;
    bool stall_ = false;
    bool inhibit_source_ = false;
    std::uint32_t sync_mode_ = te::kSyncMessages;
    std::uint32_t sync_max_ = kResetSyncMax;
    FlowOptions options_;
    AddressForm addresses_ = AddressForm::Plain;
    etrace::Options etrace_;
    std::uint32_t source_ = 0;
    std::uint32_t source_bits_ = 0;
    Instrumentation instrumentation_ = Instrumentation::None;
    FilterRegisters filters_;
};

void StandardRegisters::reset() {
    mode_ = te::kModeOff;
    triggers_ = stall_ = inhibit_source_ = false;
    options_ = {};
    addresses_ = AddressForm::Plain;
    etrace_ = {};
    sync_mode_ = te::kSyncMessages;
    sync_max_ = kResetSyncMax;
    source_ = encoder_.config().source;
    source_bits_ = encoder_.config().source_bits;
    instrumentation_ = Instrumentation::None;
    filters_.reset();
}

void StandardRegisters::state(Archive& archive) {
    archive.below(mode_, te::kModeMask + 1);
    archive(triggers_, stall_, inhibit_source_, options_.implicit_returns, options_.repeats);
    archive.one_of(addresses_, AddressForm::Extended);
    options_state(archive, etrace_);
    archive.below(sync_mode_, te::kSyncModeMask + 1);
    archive.below(sync_max_, te::kSyncMaxMask + 1);
    archive.below(source_, te::kSourceMask + 1);
    archive.below(source_bits_, kMostSourceBits + 1);
    archive.one_of(instrumentation_, Instrumentation::Both);
    archive(filters_);
}

std::vector<Register> StandardRegisters::describe() {
    std::vector<Register> list = encoder_.timestamp_registers();
    append(list, encoder_.common_registers(kStandardPlaces));
    RegisterMap<StandardRegisters> map(*this);
    map.reg("trTeControl", trace_control::kControl)
        .u32()
        .read(&StandardRegisters::read_control)
        .write(&StandardRegisters::write_control);
    map.reg("trTeImpl", trace_control::kImplementation)
        .u32()
        .read_only()
        .read(&StandardRegisters::implementation);
    append(list, map.take());
    map.reg("trTeInstFeatures", te::kFeatures)
        .u32()
        .read(&StandardRegisters::read_features)
        .write(&StandardRegisters::write_features);
    map.reg("trTeVendorInstrumentation", vendor::kInstrumentation)
        .u32()
        .read(&StandardRegisters::read_instrumentation)
        .write(&StandardRegisters::set_instrumentation);
    std::vector<Register> while_active = map.take();
    append(while_active, filters_.describe());
    for (Register& definition : while_active) {
        list.push_back(gated(
            std::move(definition), [this] { return encoder_.active(); }, kActiveName,
            module_logger(encoder_.config().name)));
    }
    return complete_page(std::move(list), trace_control::kComponentBytes);
}

// ------------------------------------------------------------------------------------------------
// trTeControl, trTeImpl

std::uint32_t StandardRegisters::read_control() const {
    return bit_if(encoder_.active(), trace_control::kActive) |
           bit_if(encoder_.enabled(), trace_control::kEnable) |
           bit_if(encoder_.trace_wanted(), te::kTracing) |
           bit_if(encoder_.empty(), trace_control::kEmpty) | mode_ << te::kModeShift |
           bit_if(context(), te::kContext) | bit_if(triggers_, te::kTriggerEnable) |
           bit_if(encoder_.stalled_or_overflowed(), te::kStallOrOverflow) |
           bit_if(stall_, te::kStallEnable) | bit_if(inhibit_source_, te::kInhibitSource) |
           sync_mode_ << te::kSyncModeShift | sync_max_ << te::kSyncMaxShift |
           format() << te::kFormatShift;
}

std::uint32_t StandardRegisters::implementation() const {
    constexpr std::uint32_t kNTraceMajor = 1; // N-Trace 1.0
    constexpr std::uint32_t kNTraceMinor = 0;
    const std::uint32_t type = trace_control::implementation_of(standard_field::kEncoder);
    if (!is_ntrace()) {
        return type; // version 0 of E-Trace; the vendor's format has none
    }
    return type | kNTraceMajor << standard_field::kProtocolMajorShift |
           kNTraceMinor << standard_field::kProtocolMinorShift;
}

/// A mode that is not supported becomes one that is, and never 0: the simpler one below 4.
std::uint32_t StandardRegisters::legal_mode(std::uint32_t code) const {
    if (!encoder_.has_tracer()) {
        return te::kModeOff;
    }
    if (encoder_.packets_only() || code == te::kModeVendor) {
        return te::kModeVendor; // E-Trace: hard-coded, and not looked at
    }
    if (code == te::kModeOff) {
        return te::kModeOff;
    }
    return code <= te::kModeBranches ? te::kModeBranches : te::kModeHistory;
}

void StandardRegisters::write_control(std::uint32_t value, Cycle at) {
    if ((value & trace_control::kActive) == 0) {
        reset();
        EncoderFields initial = fields();
        initial.events = 0;
        encoder_.deactivate(initial, at);
        return;
    }
    mode_ = legal_mode(value >> te::kModeShift & te::kModeMask);
    triggers_ = (value & te::kTriggerEnable) != 0;
    stall_ = encoder_.has_hart() && (value & te::kStallEnable) != 0;
    inhibit_source_ = (value & te::kInhibitSource) != 0;
    if (encoder_.active() || value != trace_control::kActive) {
        set_sync(value);
    } // else: "Release from reset and set all defaults"
    const bool enable = (value & trace_control::kEnable) != 0;
    if ((value & te::kStallOrOverflow) != 0 || (enable && !encoder_.enabled())) {
        encoder_.clear_stalled_or_overflowed();
    }
    EncoderFields wanted = fields();
    wanted.events &= ~trace_map::event::kContext;
    wanted.events |=
        bit_if((value & te::kContext) != 0, encoder_.legal_events()) & trace_map::event::kContext;
    encoder_.control(enable, (value & te::kTracing) != 0, wanted, at);
}

void StandardRegisters::set_sync(std::uint32_t control) {
    const std::uint32_t sync_mode = control >> te::kSyncModeShift & te::kSyncModeMask;
    const bool legal = !encoder_.packets_only() || sync_mode != te::kSyncCycles;
    sync_mode_ = legal ? sync_mode : sync_mode_; // E-Trace does not count cycles
    sync_max_ = control >> te::kSyncMaxShift & te::kSyncMaxMask;
}

// ------------------------------------------------------------------------------------------------
// trTeInstFeatures, vendor registers

/// The tracer compares full return addresses, if at all.
std::uint32_t StandardRegisters::read_features() const {
    return bit_if(etrace_.full_address, te::kNoAddressDifference) |
           bit_if(etrace_.implicit_return, te::kImplicitReturn) |
           bit_if(etrace_.branch_prediction, te::kBranchPrediction) |
           bit_if(etrace_.jump_target_cache, te::kJumpTargetCache) |
           bit_if(options_.implicit_returns,
                  te::kImplicitReturn | te::kReturnModeAddresses << te::kReturnModeShift) |
           bit_if(options_.repeats, te::kRepeatedHistory) |
           bit_if(addresses_ == AddressForm::Extended, te::kExtendAddress) |
           source_ << te::kSourceShift | source_bits_ << te::kSourceBitsShift;
}

void StandardRegisters::write_features(std::uint32_t value, Cycle at) {
    const auto has = [&](std::uint32_t bit) { return encoder_.has_tracer() && (value & bit) != 0; };
    if (encoder_.packets_only()) {
        etrace_ = {.implicit_return = has(te::kImplicitReturn),
                   .full_address = has(te::kNoAddressDifference),
                   .jump_target_cache = has(te::kJumpTargetCache),
                   .branch_prediction = has(te::kBranchPrediction)};
    } else if (is_ntrace()) {
        options_ = {.implicit_returns = has(te::kImplicitReturn),
                    .repeats = has(te::kRepeatedHistory)};
        addresses_ = has(te::kExtendAddress) ? AddressForm::Extended : AddressForm::Plain;
    }
    source_ = value >> te::kSourceShift & te::kSourceMask;
    source_bits_ = std::min(value >> te::kSourceBitsShift, kMostSourceBits);
    apply(at);
}

void StandardRegisters::set_instrumentation(std::uint32_t value, Cycle at) {
    instrumentation_ =
        encoder_.packets_only() ? Instrumentation::None : static_cast<Instrumentation>(value & 3U);
    apply(at);
}

// ------------------------------------------------------------------------------------------------

EncoderFields StandardRegisters::fields() const {
    const std::uint64_t interval = std::uint64_t{1} << (sync_max_ + te::kSyncMaxLeast);
    InstructionMode mode = InstructionMode::None;
    switch (mode_) {
    case te::kModeBranches:
        mode = InstructionMode::Branches;
        break;
    case te::kModeHistory:
        mode = InstructionMode::History;
        break;
    case te::kModeVendor:
        mode = encoder_.packets_only() ? InstructionMode::History : InstructionMode::Events;
        break;
    default:
        break;
    }
    return {.mode = mode,
            .instrumentation = instrumentation_,
            .events = encoder_.events(),
            .sync_messages = sync_mode_ == te::kSyncMessages ? interval : 0,
            .sync_units = sync_mode_ == te::kSyncHalfWords ? interval : 0,
            .sync_cycles = sync_mode_ == te::kSyncCycles ? interval : 0,
            .options = options_,
            .addresses = addresses_,
            .etrace = etrace_,
            .filters = filters_.settings(),
            .stall = stall_,
            .inhibit_source = inhibit_source_,
            .triggers = triggers_,
            .source = source_,
            .source_bits = source_bits_};
}

void StandardRegisters::apply(Cycle at) {
    encoder_.control(encoder_.enabled(), encoder_.trace_wanted(), fields(), at);
}

} // namespace

std::unique_ptr<EncoderRegisters> standard_registers(Encoder& encoder) {
    return std::make_unique<StandardRegisters>(encoder);
}

} // namespace pes::trace

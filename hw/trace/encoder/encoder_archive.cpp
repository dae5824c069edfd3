// SPDX-License-Identifier: Apache-2.0
// What a checkpoint has of an encoder: its registers, and the messages that no sink has taken yet.
// Who takes them follows from the sink that is selected.
#include "hw/common/archive.h"
#include "hw/trace/encoder/encoder.h"
#include "hw/trace/encoder/encoder_registers.h"
#include "hw/trace/program/settings_archive.h"

namespace pes::trace {

void MessageQueue::Entry::state(Archive& archive) {
    archive.below(size, kMostSlices + 1);
    archive(ready);
}

void MessageQueue::state(Archive& archive) {
    archive.fixed(bytes_);
    archive.fixed(entries_);
    archive.below(first_byte_, bytes_.size());
    archive.below(first_entry_, entries_.size());
    archive.below(used_, bytes_.size() + 1);
    archive.below(count_, entries_.size() + 1);
    archive(last_ready_);
    std::size_t sum = 0;
    for (std::size_t index = 0; index < count_; ++index) {
        sum += entries_[wrapped(first_entry_ + index, entries_.size())].size;
    }
    if (sum != used_) {
        archive.refuse("the messages of a FIFO do not fit together");
    }
}

void TimestampUnit::state(Archive& archive) {
    archive(fields_.active, fields_.count, fields_.run_in_debug, fields_.enable,
            fields_.instrumentation, fields_.ownership);
    archive.below(fields_.prescale, kMostPrescale + 1);
    archive.one_of(fields_.branches, TimestampedBranches::All);
    archive(base_, since_);
}

void TriggerUnit::state(Archive& archive) {
    archive(inputs_);
}

void MessageSender::StreamState::state(Archive& archive) {
    archive(times, time_known, relative, loss_due);
}

void MessageSender::state(Archive& archive) {
    archive.below(settings_.source_bits, kMostSourceBits + 1);
    archive.below(settings_.source, 1U << settings_.source_bits);
    archive(settings_.most_relative);
    archive.one_of(settings_.addresses, AddressForm::Extended);
    archive.one_of(settings_.when_full, FullFifo::StallHart);
    archive(accepting_, stalled_or_overflowed_, lost_kinds_, losing_, resumption_lost_, state_,
            last_);
    archive(counts_.messages, counts_.bytes, counts_.lost, counts_.overflows, counts_.stalls,
            counts_.stall_cycles, counts_.extended_addresses);
}

void EncoderFields::state(Archive& archive) {
    archive.one_of(mode, InstructionMode::OptimisedHistory);
    archive.one_of(instrumentation, Instrumentation::Both);
    archive(events, sync_messages, sync_units, sync_cycles, options.implicit_returns,
            options.repeats, stall, inhibit_source, triggers);
    options_state(archive, etrace);
    archive.one_of(addresses, AddressForm::Extended);
    archive.below(source, 1U << kMostSourceBits);
    archive.below(source_bits, kMostSourceBits + 1);
    archive(filters);
}

void PacketSender::state(Archive& archive) {
    archive(framing_.source_bits, framing_.timestamp_bytes, source_, since_synchronisation_, last_);
}

void Encoder::state(Archive& archive) {
    archive(queue_, timestamps_, sender_, triggers_);
    archive(active_, enable_, tracing_, fields_, running_, program_running_);
    settings_state(archive, program_);
    archive(program_filters_);
    archive(packets_, itc_trace_enable_, pc_sampling_, pc_capture_, pc_sample_, message_base_,
            *registers_, *description_);
}

} // namespace pes::trace

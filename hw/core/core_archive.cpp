// SPDX-License-Identifier: Apache-2.0
// What a checkpoint has of a hart beside its timing model (timing/timing_archive.cpp) and its
// decoded code (memory/code_archive.cpp). Tables that only make the host faster are emptied when a
// state is restored: pages of host memory, recent pages of code, memo and native code.
#include "hw/common/archive.h"
#include "hw/core/hart.h"

#include <bit>

namespace pes {

namespace {

void mode_state(Archive& archive, Privilege& mode) {
    archive.one_of(mode, Privilege::Machine);
    if (mode != Privilege::User && mode != Privilege::Supervisor && mode != Privilege::Machine) {
        archive.refuse("a privilege mode is out of its range");
    }
}

} // namespace

// --- Registers -----------------------------------------------------------------------------------

void Pmp::state(Archive& archive) {
    archive(config_, address_);
    if (!archive.saves()) {
        update_ranges();
    }
}

void CsrFile::state(Archive& archive) {
    archive(fflags, frm, pmp_, status_, mip_lines_, timer_interrupt_, shown_lines_, values_);
}

/// `next_pc` belongs to an instruction in hand.
void ArchState::state(Archive& archive) {
    archive(x, pc, csr);
    mode_state(archive, privilege);
}

void HartTime::state(Archive& archive) {
    archive(decode, last_retirement, retired, block_ended, held_until, woken_in);
}

// --- Memory --------------------------------------------------------------------------------------

void Tlb::state(Archive& archive) {
    for (unsigned index = 0; index < entries_; ++index) {
        TlbEntry& entry = entry_[index];
        archive(entry.page, entry.page_mask, entry.leaf, entry.asid, entry.global, entry.valid);
    }
    archive.below(last_, entries_);
    archive(tree_);
    if (!archive.saves()) {
        hints_.fill(0);
        absent_page_ = kNoPage;
        overlapping_ = false;
        for (unsigned index = 0; index < entries_; ++index) {
            overlapping_ = overlapping_ || overlaps_others(index);
        }
    }
}

void Mmu::state(Archive& archive) {
    archive(itlb_, dtlb_);
    if (!archive.saves()) {
        pages_.forget();
    }
}

void Reservation::state(Archive& archive) {
    archive(reserved_);
}

void HostMemory::state(Archive& archive) {
    archive(reached_);
    if (!archive.saves()) {
        forget_regions();
    }
}

/// The registers come first.
void DataMemory::state(Archive& archive) {
    archive(mmu_, reservation_, host_);
    if (!archive.saves()) {
        context_changed();
    }
}

void DevicePort::state(Archive& archive) {
    archive(last_);
}

void BufferPort::state(Archive& archive) {
    archive(fences_);
}

// --- Counters and interrupts ---------------------------------------------------------------------

void InterruptInputs::Change::state(Archive& archive) {
    archive(at, level);
    archive.one_of(line, Interrupt::CounterOverflow);
}

void InterruptInputs::state(Archive& archive) {
    archive(changes_);
}

/// The bank comes first. What blocks have passed by has no edge: it may be handed over at once.
void CounterFeed::state(Archive& archive) {
    archive(pulses_);
    if (!archive.saves() && bank_.begins_anew()) {
        const Cycle known_from = std::max(bank_.now(), pulses_.first_open() - 1);
        const EventTotals totals = pulses_.totals_through(known_from);
        if (bank_.now() < known_from) {
            bank_.advance(totals, known_from);
        }
        bank_.restored(totals);
    }
    if (!archive.saves()) {
        pulses_.spread(bank_.counted());
        renew_deadline();
    }
}

// --- Observations --------------------------------------------------------------------------------

void TrapHistory::state(Archive& archive) {
    archive(traps_, last_vector_, retired_at_trap_, loops_, interruptible_, handler_cause_, total_);
    archive(last_.cycle, last_.cause, last_.epc, last_.tval, last_.vector);
    mode_state(archive, last_.from);
    mode_state(archive, last_.to);
    for (Passage& passage : passages_) {
        archive(passage.pc, passage.count, passage.long_instructions);
    }
}

void ActiveCycles::state(Archive& archive) {
    archive(since_, counted_, active_, valid_);
}

void TransferBuffer::state(Archive& archive) {
    archive(depth_);
    if (depth_ > largest_ || !std::has_single_bit(depth_)) {
        archive.refuse("a depth is out of its range");
    }
    archive.below(write_pointer_, depth_);
    for (TransferEntry& entry : entries_) {
        archive(entry.source, entry.target, entry.data);
    }
}

void TransferRecords::state(Archive& archive) {
    archive(control_, frozen_, buffer_, cycles_);
    mode_state(archive, mode_);
}

void SkidlessDelivery::state(Archive& archive) {
    archive(held_for_, cause_, cost_.flushes, cost_.cycles);
}

void SampleAttribution::state(Archive& archive) {
    archive(asked_at_);
    archive.below(turn_, 2);
}

// --- All of it -----------------------------------------------------------------------------------

void HartParts::state(Archive& archive) {
    archive.section("registers", [this](Archive& part) { part(arch(), time); });
    archive.section("memory",
                    [this](Archive& part) { part(execution.data(), devices, buffer_port); });
    archive.section("counters", [this](Archive& part) { part(interrupts, feed); });
    archive.section("history", [this](Archive& part) { part(history); });
    archive.section("code", [this](Archive& part) { part(code); });
    archive.section("pipeline", [this](Archive& part) { part(pipeline); });
    if (transfers) {
        archive.section("transfers", [this](Archive& part) { part(*transfers); });
    }
    if (skidless) {
        archive.section("skidless", [this](Archive& part) { part(*skidless); });
    }
    if (attribution) {
        archive.section("causes", [this](Archive& part) { part(*attribution); });
    }
    if (!archive.saves()) {
        block_start = {};
        attention.ask_now();
    }
}

/// The instruction in decode is told by its word: it may be one that memory does not have any more.
/// There is none if its fetch has failed.
void Stepper::state(Archive& archive) {
    archive(fetched_, waiting_, emptied_word_);
    std::optional<std::uint32_t> word =
        fetched_ && archive.saves() ? word_in_decode() : std::nullopt;
    archive(word);
    if (!archive.saves()) {
        current_ = word ? hart_.code.instruction_again(*word) : nullptr;
    }
}

void Hart::state(Archive& archive) {
    if (archive.saves()) {
        blocks_.expand_truth();
    }
    archive(parts_);
    archive.section("decode", [this](Archive& part) { part(stepper_); });
}

} // namespace pes

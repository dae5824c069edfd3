// SPDX-License-Identifier: Apache-2.0
// What a checkpoint has of the timing model: every member that an instruction leaves behind, with
// its cycle. timing_state.h serves another purpose: its words are equal for states that differ only
// in what cannot matter any more.
#include "hw/common/archive.h"
#include "hw/core/timing/pipeline.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

namespace pes {

namespace {

constexpr TimingClass kLastClass = TimingClass::FpSqrtDouble;
constexpr std::uint64_t kRegisters = kSinkRegister + 1;

} // namespace

// --- What outlasts an instruction ----------------------------------------------------------------

/// The line that was found last may always be another one that is there: an access finds out.
void Cache::state(Archive& archive) {
    archive(lfsr_);
    archive.fixed(lines_);
    if (!archive.saves()) {
        free_lines_ = static_cast<std::size_t>(std::ranges::count(lines_, kNoLine));
        last_line_ = kNoLine;
        std::ranges::fill(last_way_, std::uint8_t{0});
        ++fills_;
    }
}

void BranchTables::state(Archive& archive) {
    archive.fixed(bht_);
    archive.fixed(btb_);
    std::rotate(ras_.begin(), ras_.begin() + static_cast<std::ptrdiff_t>(top_) + 1, ras_.end());
    top_ = ras_.size() - 1;
    std::reverse(ras_.begin(), ras_.end()); // in the archive the top comes first
    archive.fixed(ras_);
    std::reverse(ras_.begin(), ras_.end());
    archive(pending_, pending_targets_, sent_, arrived_);
    for (const History entry : bht_) {
        if (entry >= kUpdated.size()) {
            archive.refuse("a value is out of its range");
        }
    }
    for (const Update update : pending_) {
        const std::size_t entries = (update & kJump) != 0 ? btb_.size() : bht_.size();
        if (update >> kKindBits >= entries) {
            archive.refuse("a value is out of its range");
        }
    }
}

void BufferedStores::state(Archive& archive) {
    archive(stores_, store_count_, writes_, write_count_);
    note_young();
}

void ReservationBackoff::state(Archive& archive) {
    archive(over_, mask_, random_);
}

void Tables::state(Archive& archive) {
    archive(l1i_, l1d_, refilled_, branches_, stores_, backoff_);
}

// --- Fetch ---------------------------------------------------------------------------------------

void FetchQueue::state(Archive& archive) {
    archive(word, scan, next_request, scanned_, slot_free_, in_two_words_, sequence_, target_scan_,
            target_free_, last_target_free_);
}

void Frontend::state(Archive& archive) {
    archive(queue_, page_.pc, page_.to_physical);
    for (AskedAhead& line : asked_ahead_) {
        archive(line.asked, line.sent);
    }
    archive(ahead_count_, refill_until_, asks_from_);
}

/// Their number is what counts, and which slots of the ring they have.
void Predictor::state(Archive& archive) {
    archive(resolved_, first_, end_);
    if (end_ - first_ > kPending) {
        archive.refuse("more updates wait than there is room for");
    }
}

// --- Issue and retirement ------------------------------------------------------------------------

void Scoreboard::state(Archive& archive) {
    archive(result_, retires_, entry_retired_, count_, entry_free_, last_);
    archive.each_of(writers_, kLastClass);
    archive.one_of(port_, Port::Closed);
    if (!archive.saves()) {
        written_ = ~std::uint64_t{0};
    }
}

void FpuDivider::state(Archive& archive) {
    archive(started_, free_);
}

void FpuPort::state(Archive& archive) {
    archive(first_);
    archive.below(turn_.group, kGroups);
    archive.below(turn_.formats, 1U << kGroups);
    archive.below(count_, kMost + 1);
    for (Waiting& waiting : waiting_) {
        archive.one_of(waiting.result.group, Group::None);
        archive.below(waiting.result.rd, kRegisters);
        archive(waiting.result.wide, waiting.ready, waiting.taken);
    }
    for (std::size_t index = 0; index != count_; ++index) {
        archive.one_of(waiting_[index].result.group, Group::Convert);
    }
}

void LastRetirements::state(Archive& archive) {
    for (Retirement& retirement : ring_) {
        archive(retirement.events, retirement.cycle);
        archive.below(retirement.rd, kRegisters);
        archive.one_of(retirement.port, RetirePort::Alone);
    }
    archive(count_);
}

// --- Memory --------------------------------------------------------------------------------------

void LoadStoreUnit::state(Archive& archive) {
    for (Store& store : stores_) {
        archive(store.retired, store.granted);
    }
    archive(store_count_, issued_, request_, request_before_, port_free_);
}

void WriteBuffer::state(Archive& archive) {
    for (Transaction& transaction : transactions_) {
        archive(transaction.ready, transaction.asked, transaction.taken, transaction.sent,
                transaction.next, transaction.freed, transaction.looked_up, transaction.first,
                transaction.sent_again);
    }
    archive(count_, oldest_, refill_.asked, refill_.from, refill_.to, refill_.next, refill_.code,
            empty_from_, line_read_until_);
}

// --- Pulses --------------------------------------------------------------------------------------

void PulseSpan::state(Archive& archive) {
    archive(first, retired, retired_twice, sources);
    if ((sources - kAllEvents).any()) {
        archive.refuse("a value is out of its range");
    }
    sources.for_each([&](Event event) {
        Track& track = tracks[static_cast<std::size_t>(event)];
        archive(track.pulsed, track.moved);
    });
}

void PlacedPulse::state(Archive& archive) {
    archive.below(event, kEventCount);
    archive(from, to);
}

/// Floors and journal belong to whoever records a block or looks for a cause in the meantime.
void PulseLog::state(Archive& archive) {
    if (!archive.saves()) {
        ring_ = {};
    }
    archive(ring_, counts_, retired_, first_open_, ring_end_, earliest_, moved_, lost_,
            level_moved_until_, levels_moved_, kept_late_);
    newest_ = ring_end_;
    std::uint64_t far = far_.size();
    archive(far);
    auto next = far_.begin();
    std::map<Cycle, Span> loaded;
    for (; far != 0; --far) {
        Span span = archive.saves() ? (next++)->second : Span();
        archive(span);
        loaded[span.first] = span;
    }
    far_ = std::move(loaded);
    archive(far_levels_);
}

// --- Decoded instructions ------------------------------------------------------------------------

namespace {

void sample_state(Archive& archive, SampledInstruction& sample) {
    archive(sample.decoded.pc, sample.decoded.cycle, sample.raw, sample.time, sample.time_open);
    archive.one_of(sample.decoded.type, DecodedType::Transfer);
    archive.one_of(sample.end, SampledInstruction::End::Flushed);
    archive.one_of(sample.flush, SampledInstruction::Flush::Other);
    archive.one_of(sample.source, DataSource::Device);
    SampledTimes& times = sample.times;
    archive(times.decoded, times.dispatched, times.issued, times.completed, times.oldest,
            times.ended);
    archive(sample.flushed_by, sample.itlb_miss, sample.l1i_miss, sample.data, sample.physical,
            sample.dtlb_miss, sample.l1d_miss, sample.taken, sample.target, sample.mispredicted);
}

} // namespace

void DecodeWatch::state(Archive& archive) {
    archive(totals_, reported_, following_, in_memory_);
    sample_state(archive, sample_);
}

void PageWalker::state(Archive& archive) {
    for (Asked& asked : asked_) {
        archive(asked.first, asked.last);
    }
    archive(load_reads_);
}

void PageWalk::state(Archive& archive) {
    archive(pte);
    archive.below(reads, pte.size() + 1);
    archive(fills_tlb, updates);
}

// --- All of it -----------------------------------------------------------------------------------

void Pipeline::state(Archive& archive) {
    archive.section("tables", [this](Archive& part) { part(tables_); });
    archive.section("frontend", [this](Archive& part) { part(frontend_, predictor_); });
    archive.section(
        "issue", [this](Archive& part) { part(scoreboard_, divider_, fpu_port_, retired_last_); });
    archive.section("memory",
                    [this](Archive& part) { part(load_store_, walker_, data_cache_.writes()); });
    archive.section("instruction", [this](Archive& part) {
        part(next_pc_, pc_, decode_, issue_, ready_, queue_kept_, resume_, went_on_, unit_free_,
             stale_from_, stale_until_, request_, mispredicted_, failing_walk_);
        part.one_of(stale_writer_, kLastClass);
        part.one_of(float_use_, FloatUse::None);
        part.one_of(stage_, Stage::Issued);
        part.one_of(class_, kLastClass);
        part.below(rd_, kRegisters);
    });
    archive.section("attribution", [this](Archive& part) { part(attribution_); });
    if (watch_ != nullptr) {
        archive.section("decoded", [this](Archive& part) { part(*watch_); });
    }
    if (!archive.saves()) {
        in_hand_ = nullptr;
    }
}

} // namespace pes

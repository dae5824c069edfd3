// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/software/software_trace.h"

#include "hw/common/register_map.h"
#include "hw/interface/maps/software_trace.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

namespace pes::trace {

namespace map = software_trace_map;

namespace {

constexpr std::size_t kPacketBytes = 2 * (1 + osd::kLeastPacketWords); // with its length

static_assert(osd::kHeaderWords + osd::kMostEventWords <= osd::kLeastPacketWords,
              "an event goes into one packet, however wide its value");

} // namespace

SoftwareTrace::SoftwareTrace(const SoftwareTraceConfig& config, ProbeOutput& link)
    : value_words_(config.value_bits / 16), word_cycles_(config.word_cycles),
      source_(config.source), link_(link),
      registers_(config.name, map::kBlockBytes, describe(config.value_bits)) {
    packet_.reserve(kPacketBytes);
}

std::vector<Register> SoftwareTrace::describe(unsigned value_bits) {
    RegisterMap<SoftwareTrace> rows(*this);
    const auto constant = [&rows](const char* name, Address offset, unsigned value) {
        rows.reg(name, offset).u16().read_only().reset(value);
    };
    constant("MOD_VENDOR", map::kVendor, map::kOpenSocDebug);
    constant("MOD_TYPE", map::kType, map::kSoftwareTrace);
    constant("MOD_VERSION", map::kVersion, 0);
    constant("VALWIDTH", map::kValueWidth, value_bits);
    const auto setting = [&rows](const char* name, Address offset, std::uint16_t bits) {
        rows.reg(name, offset).u16().mask(bits).write(&SoftwareTrace::controlled);
    };
    setting("MOD_CS", map::kControl, map::kActive);
    setting("THREAD_TRACKING", map::kThreadTracking, map::kTrackThreads);
    rows.reg("MOD_EVENT_DEST", map::kEventDestination)
        .u16()
        .read(&SoftwareTrace::destination_)
        .write(&SoftwareTrace::set_destination);
    return rows.take();
}

/// DEST: a packet takes it when it begins to leave.
void SoftwareTrace::set_destination(std::uint16_t value, Cycle at) {
    advance(now(at));
    destination_ = value;
}

void SoftwareTrace::controlled(std::uint16_t /*value*/, Cycle at) {
    advance(now(at));
    active_ = (registers_.stored(map::kControl) & map::kActive) != 0;
    const bool wanted =
        active_ && (registers_.stored(map::kThreadTracking) & map::kTrackThreads) != 0;
    if (std::exchange(tracks_threads_, wanted) != wanted && tracking_changed_) {
        tracking_changed_();
    }
}

/// A store reaches the module some cycles after its retirement, when later instructions may have
/// retired already: their events must not have an earlier time than the store.
Cycle SoftwareTrace::now(Cycle at) {
    return last_ = std::max(last_, at);
}

void SoftwareTrace::written(std::uint64_t id, std::uint64_t value, Cycle at) {
    const auto sent = static_cast<std::uint16_t>(id);
    if (active_ && sent != osd::kUnusedId) {
        accept(sent, value, now(at));
    }
}

void SoftwareTrace::thread_switched(std::uint64_t thread_pointer, Cycle at) {
    if (tracks_threads_) {
        accept(osd::kThreadSwitchId, thread_pointer, now(at));
    }
}

void SoftwareTrace::accept(std::uint16_t id, std::uint64_t value, Cycle at) {
    advance(at);
    if (missed_ != 0 || count_ == kFifoEvents) {
        ++counts_.missed;
        missed_ = static_cast<std::uint16_t>(
            std::min<unsigned>(missed_ + 1U, std::numeric_limits<std::uint16_t>::max()));
        return;
    }
    ++counts_.events;
    push({.event = {static_cast<std::uint32_t>(at), id, value}, .ready = at + 1});
}

void SoftwareTrace::push(const Entry& entry) {
    if (count_ == kFifoEvents) {
        std::abort();
    }
    fifo_[(first_ + count_) % kFifoEvents] = entry;
    ++count_;
}

/// Advances the link up to and including cycle `at`.
void SoftwareTrace::advance(Cycle at) {
    while (count_ != 0) {
        if (!leaving_) {
            const Entry& head = fifo_[first_];
            const Cycle start = std::max(link_free_, head.ready);
            if (start > at) {
                return;
            }
            link_free_ = start;
            leaving_ = true;
            send(head);
        }
        if (link_free_ > at) {
            return;
        }
        release_head();
    }
}

void SoftwareTrace::release_head() {
    leaving_ = false;
    first_ = (first_ + 1) % kFifoEvents;
    --count_;
    if (missed_ != 0 && kFifoEvents - count_ >= kRoomAfterOverflow) {
        ++counts_.overflows;
        push({.kind = osd::EventKind::Overflow,
              .missed = std::exchange(missed_, std::uint16_t{0}),
              .ready = link_free_});
    }
}

void SoftwareTrace::send(const Entry& entry) {
    const osd::Route route{.destination = destination_, .source = source_};
    packet_.clear();
    std::size_t words = osd::kHeaderWords;
    if (entry.kind == osd::EventKind::Overflow) {
        osd::append_overflow(packet_, route, entry.missed);
        words += 1;
    } else {
        osd::append_event(packet_, route, entry.event, value_words_);
        words += osd::kEventHeadWords + value_words_;
    }
    counts_.words += words;
    link_free_ += words * word_cycles_;
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(packet_.data());
    link_.send({bytes, packet_.size()});
}

// --- Checkpoints ---------------------------------------------------------------------------------

void SoftwareTrace::Entry::state(Archive& archive) {
    archive.one_of(kind, osd::EventKind::Overflow);
    archive(event.timestamp, event.id, event.value, missed, ready);
}

void SoftwareTrace::state(Archive& archive) {
    archive(destination_, registers_, active_, tracks_threads_, fifo_);
    archive.below(first_, kFifoEvents);
    archive.below(count_, kFifoEvents + 1);
    archive(leaving_, link_free_, missed_, last_);
    archive(counts_.events, counts_.missed, counts_.overflows, counts_.words);
}

} // namespace pes::trace

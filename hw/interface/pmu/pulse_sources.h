// SPDX-License-Identifier: Apache-2.0
// The pulse sources of the hart. pulse_sources.def has one row for each; the enumeration, the names
// in files and messages, the bounds of the fast path and the tables in docs/ come from there.
// Freestanding: event tables that firmware reads refer to them.
//
// The hart knows nothing of selectors, counters or profiles. A PMU profile (hw/hpm) maps a selector
// to a source. A source pulses at most once in a cycle ("two loads retired in one cycle count
// once"); only the number of retired instructions is 0..2.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace pes {

#define PES_SOURCE_ID(id, ...) id,
enum class Event : uint8_t {
    None = 0,
#define BASE_SOURCE PES_SOURCE_ID
#define FURTHER_SOURCE PES_SOURCE_ID
#define SAMPLING_SOURCE PES_SOURCE_ID
#define FIXED_SOURCE(...)
#include "hw/interface/pmu/pulse_sources.def"
    Count_, ///< number of pulse sources, not a source

    BeforeFixed_ = Count_ - 1,
#define BASE_SOURCE(...)
#define FURTHER_SOURCE(...)
#define SAMPLING_SOURCE(...)
#define FIXED_SOURCE PES_SOURCE_ID
#include "hw/interface/pmu/pulse_sources.def"
    All_, ///< number of rows
};
#undef PES_SOURCE_ID

inline constexpr size_t kEventCount = static_cast<size_t>(Event::Count_);

/// All rows: with None, Instructions and Cycles.
inline constexpr size_t kSourceCount = static_cast<size_t>(Event::All_);

/// The sources that every configuration has, with None: those of CVA6's table.
inline constexpr size_t kBaseEventCount = 1
#define BASE_SOURCE(...) +1
#define FURTHER_SOURCE(...)
#define SAMPLING_SOURCE(...)
#define FIXED_SOURCE(...)
#include "hw/interface/pmu/pulse_sources.def"
    ;

/// Those of the core, with None: what counters in RTL have pins for.
inline constexpr size_t kCoreEventCount = kBaseEventCount
#define BASE_SOURCE(...)
#define FURTHER_SOURCE(...) +1
#define SAMPLING_SOURCE(...)
#define FIXED_SOURCE(...)
#include "hw/interface/pmu/pulse_sources.def"
    ;

/// Where in the machine an event is seen, and so what one count of it stands for.
enum class EventClass : uint8_t {
    None,   ///< never pulses
    Commit, ///< at retirement: at least one instruction of the class retired, or a trap was taken
    Miss,   ///< one pulse for each miss (cache, TLB, predictor), where the machine notices it
    Level,  ///< one pulse for each cycle in which a condition holds
};

constexpr const char* to_string(EventClass kind) {
    constexpr const char* kNames[] = {"none", "commit", "miss", "level"};
    return kNames[static_cast<unsigned>(kind)];
}

/// How often a block of the fast path (hw/core/blocks) pulses a source at most. Blocks raise no
/// exception, return from none, walk no page table and stay in cacheable memory.
enum class BlockBound : uint8_t {
    Never,
    Retired,        ///< once for each instruction that names it at retirement
    PerLoad,        ///< once for each load
    PerControlFlow, ///< once for each branch or jump
    PerBranch,      ///< once for each conditional branch
    PerJump,        ///< once for each jal or jalr
    Timed,          ///< depends on time: no bound
};

/// Whether the instruction that causes a pulse retires in the cycle of the pulse, so that its pc
/// can be captured with it.
enum class Attribution : uint8_t {
    Skids, ///< the cause retires in another cycle, is discarded, or is no instruction
    Precise,
};

struct PulseSource {
    const char* name; ///< in files and messages; an event table may call it differently
    EventClass kind;
    BlockBound bound;
    Attribution attribution;
    const char* meaning; ///< one sentence: exactly what is counted
};

/// Index = Event.
inline constexpr PulseSource kPulseSources[] = {
    {"none", EventClass::None, BlockBound::Never, Attribution::Skids, "Never counts."},
#define PES_SOURCE_ROW(id, name, kind, bound, attribution, retired_by, meaning, pulsed)            \
    {name, EventClass::kind, BlockBound::bound, Attribution::attribution, meaning},
#define BASE_SOURCE PES_SOURCE_ROW
#define FURTHER_SOURCE PES_SOURCE_ROW
#define SAMPLING_SOURCE PES_SOURCE_ROW
#define FIXED_SOURCE PES_SOURCE_ROW
#include "hw/interface/pmu/pulse_sources.def"
#undef PES_SOURCE_ROW
};
static_assert(sizeof(kPulseSources) / sizeof(kPulseSources[0]) == kSourceCount);

/// How the model pulses a source, and what it leaves out. Apart, because firmware has no use for
/// it.
inline constexpr const char* kHowPulsed[] = {
    "-",
#define PES_SOURCE_ROW(id, name, kind, bound, attribution, retired_by, meaning, pulsed) pulsed,
#define BASE_SOURCE PES_SOURCE_ROW
#define FURTHER_SOURCE PES_SOURCE_ROW
#define SAMPLING_SOURCE PES_SOURCE_ROW
#define FIXED_SOURCE PES_SOURCE_ROW
#include "hw/interface/pmu/pulse_sources.def"
#undef PES_SOURCE_ROW
};

constexpr const PulseSource& source_row(Event source) {
    return kPulseSources[static_cast<size_t>(source)];
}
constexpr const char* to_string(Event source) {
    return source_row(source).name;
}
constexpr const char* how_pulsed(Event source) {
    return kHowPulsed[static_cast<size_t>(source)];
}

/// A set of the first `Count` sources, one bit each.
template <size_t Count>
class SourceSet {
  public:
    static constexpr size_t kWords = (Count + 63) / 64;

    constexpr SourceSet() = default;
    constexpr explicit SourceSet(Event source) { word_of(source) = bit_of(source); }
    /// The same set, with room for more.
    template <size_t Fewer>
    requires(Fewer < Count)
        // NOLINTNEXTLINE(google-explicit-constructor)
        constexpr SourceSet(const SourceSet<Fewer>& other) {
        for (size_t index = 0; index < other.kWords; ++index) {
            words_[index] = other.word(index);
        }
    }

    constexpr bool has(Event source) const {
        return (words_[index_of(source)] & bit_of(source)) != 0;
    }
    constexpr bool any() const {
        uint64_t bits = 0;
        for (const uint64_t word : words_) {
            bits |= word;
        }
        return bits != 0;
    }
    constexpr unsigned count() const {
        unsigned sum = 0;
        for_each([&sum](Event) { ++sum; });
        return sum;
    }
    /// The lowest; None if there is none.
    constexpr Event first() const {
        for (size_t index = 0; index < kWords; ++index) {
            if (words_[index] != 0) {
                return at(index, words_[index]);
            }
        }
        return Event::None;
    }
    constexpr void remove(Event source) { word_of(source) &= ~bit_of(source); }

    /// In ascending order.
    template <typename Function>
    [[gnu::always_inline]] constexpr void for_each(Function function) const {
        all_of([&function](Event source) {
            function(source);
            return true;
        });
    }
    /// True if `holds` is true of each; asks no further at the first that is not.
    template <typename Predicate>
    [[gnu::always_inline]] constexpr bool all_of(Predicate holds) const {
        for (size_t index = 0; index < kWords; ++index) {
            for (uint64_t left = words_[index]; left != 0; left &= left - 1) {
                if (!holds(static_cast<Event>(64 * index +
                                              static_cast<size_t>(__builtin_ctzll(left))))) {
                    return false;
                }
            }
        }
        return true;
    }

    constexpr SourceSet& operator|=(SourceSet other) {
        for (size_t index = 0; index < kWords; ++index) {
            words_[index] |= other.words_[index];
        }
        return *this;
    }
    constexpr SourceSet& operator&=(SourceSet other) {
        for (size_t index = 0; index < kWords; ++index) {
            words_[index] &= other.words_[index];
        }
        return *this;
    }
    friend constexpr SourceSet operator|(SourceSet left, SourceSet right) { return left |= right; }
    friend constexpr SourceSet operator&(SourceSet left, SourceSet right) { return left &= right; }
    /// Of `left`, those that are not in `right`.
    friend constexpr SourceSet operator-(SourceSet left, SourceSet right) {
        for (size_t index = 0; index < kWords; ++index) {
            left.words_[index] &= ~right.words_[index];
        }
        return left;
    }
    friend constexpr bool operator==(const SourceSet&, const SourceSet&) = default;

    /// Bit n of word m is the source 64 * m + n: for pins and archives.
    constexpr uint64_t& word(size_t index) { return words_[index]; }
    constexpr uint64_t word(size_t index) const { return words_[index]; }

  private:
    static constexpr size_t index_of(Event source) { return static_cast<size_t>(source) / 64; }
    static constexpr uint64_t bit_of(Event source) {
        return uint64_t{1} << (static_cast<unsigned>(source) % 64);
    }
    /// The lowest of a word's bits.
    static constexpr Event at(size_t index, uint64_t bits) {
        return static_cast<Event>(64 * index + static_cast<size_t>(__builtin_ctzll(bits)));
    }
    constexpr uint64_t& word_of(Event source) { return words_[index_of(source)]; }

    uint64_t words_[kWords] = {};
};

/// Instructions and Cycles have bits too, for event tables.
using EventMask = SourceSet<kSourceCount>;

/// What the retirement of an instruction can pulse is among the first 64 sources, one word, which
/// every decoded instruction has.
using RetiredMask = SourceSet<64>;

/// Without the sources that no retirement pulses.
constexpr RetiredMask retired_part(EventMask sources) {
    RetiredMask part;
    part.word(0) = sources.word(0);
    return part;
}

constexpr EventMask event_bit(Event event) {
    return EventMask(event);
}

namespace detail {
constexpr EventMask sources_before(size_t end) {
    EventMask mask;
    for (size_t source = 1; source < end; ++source) {
        mask |= event_bit(static_cast<Event>(source));
    }
    return mask;
}
} // namespace detail

/// All pulse sources, those of the core, and those of CVA6's table.
inline constexpr EventMask kAllEvents = detail::sources_before(kEventCount);
inline constexpr EventMask kCoreEvents = detail::sources_before(kCoreEventCount);
inline constexpr EventMask kBaseEvents = detail::sources_before(kBaseEventCount);

} // namespace pes

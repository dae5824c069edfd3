// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/hpm/rtl/directed_streams.h"

#include "hw/interface/pmu/counter_csr.h"

#include <algorithm>

namespace pes::test {
namespace {

constexpr EventBits kBranches =
    bits_of(Event::Branch) | bits_of(Event::Call) | bits_of(Event::Return);

/// Writes streams for one shape.
class Author {
  public:
    explicit Author(const CounterConfig& config) : config_(config) {
        for (const EventRow& row : *config.profile) {
            if (row.source != Event::None && row.origin == EventOrigin::Core) {
                rows_.push_back(&row);
            }
        }
        for (unsigned place = 0; place < config.programmable; ++place) {
            counters_.push_back(kFirstProgrammable + place);
        }
    }

    std::vector<NamedStream> all() {
        add("each event by itself", [this] { each_event(); });
        add("each pair of events", [this] { each_pair(); });
        add("carries of every length", [this] { carries(); });
        add("past 2^32 step by step", [this] { past_32_bits(); });
        add("counter written on the cycle of an event", [this] { counter_writes(); });
        add("selector written on the cycle of an event", [this] { selector_writes(); });
        add("one counter inhibited, and all but one", [this] { single_inhibits(); });
        add("absent registers written", [this] { absent_registers(); });
        add("every bit of every register", [this] { bits(); });
        add("debug mode and reset", [this] { debug_and_reset(); });
        return std::move(streams_);
    }

  private:
    template <typename Write>
    void add(const char* name, Write write) {
        stream_.clear();
        write();
        stream_.push_back({}); // what the last cycle did
        streams_.push_back({name, std::move(stream_)});
    }

    void write(std::uint16_t csr, std::uint64_t value, EventBits events = 0) {
        stream_.push_back(
            {.events = events, .retired = retired(events), .csr = csr, .value = value});
    }
    void cycle(EventBits events, unsigned count = 1) {
        for (; count != 0; --count) {
            stream_.push_back({.events = events, .retired = retired(events)});
        }
    }
    /// Two, so that events of two classes are possible.
    static unsigned retired(EventBits events) { return events == 0 ? 0 : 2; }

    /// The pulses of a cycle in which the event happens: a call is a branch too.
    static EventBits pulses_of(const EventRow& row) {
        EventBits events = bits_of(row.source);
        events |= (events & kBranches) != 0 ? bits_of(Event::Branch) : 0;
        events |= row.source == Event::L1DEviction ? bits_of(Event::L1DMiss) : 0;
        return events;
    }
    const EventRow& row(unsigned index) const { return *rows_[index % rows_.size()]; }

    /// Counter n counts the event of row n + `turn`.
    void select(unsigned turn) {
        for (const unsigned index : counters_) {
            write(event_csr(index), row(index + turn).selector);
        }
    }

    void each_event() {
        for (unsigned turn = 0; turn < rows_.size(); ++turn) {
            select(turn);
            for (const EventRow* pulsing : rows_) {
                cycle(pulses_of(*pulsing));
                stream_.push_back({.events = pulses_of(*pulsing), .retired = 1});
            }
        }
    }

    /// Two classes of instructions, each on either port; a third event changes which is first.
    void each_pair() {
        const auto turns = static_cast<unsigned>(std::max<std::size_t>(counters_.size(), 1));
        for (unsigned turn = 0; turn < rows_.size(); turn += turns) {
            select(turn);
            for (const EventRow* one : rows_) {
                for (const EventRow* other : rows_) {
                    const EventBits events = pulses_of(*one) | pulses_of(*other);
                    cycle(events);
                    cycle(events ^ bits_of(Event::TlbFlush));
                }
            }
        }
    }

    void carries() {
        select(0);
        for (const unsigned index : counters_) {
            const EventBits events = pulses_of(row(index));
            for (unsigned bit = 1; bit <= config_.width; ++bit) {
                write(counter_csr(index), (bit == 64 ? 0 : std::uint64_t{1} << bit) - 2);
                cycle(events, 4);
            }
        }
    }

    void past_32_bits() {
        for (unsigned turn = 0; turn < rows_.size(); turn += 5) {
            select(turn);
            for (const unsigned index : counters_) {
                write(counter_csr(index), 0xFFFF'FFF0 + index % 8);
            }
            for (unsigned step = 0; step < 24; ++step) {
                for (const unsigned index : counters_) {
                    cycle(pulses_of(row(index + turn)));
                }
            }
        }
    }

    void counter_writes() {
        select(3);
        for (const unsigned index : counters_) {
            const EventBits events = pulses_of(row(index + 3));
            for (const unsigned written : counters_) {
                cycle(events);
                write(counter_csr(written), 0x1111 * written, events);
                write(counter_csr(written), 0x2222 * written, events); // and again at once
                cycle(events, 2);
                cycle(0);
                write(counter_csr(written), 0x3333 * written, events); // the first event for long
            }
        }
    }

    void selector_writes() {
        for (const unsigned index : counters_) {
            for (unsigned turn = 0; turn < rows_.size(); ++turn) {
                const EventBits before = pulses_of(row(turn));
                const EventBits behind = pulses_of(row(turn + 1));
                write(event_csr(index), row(turn).selector, behind);
                cycle(before, 2);
                write(event_csr(index), row(turn + 1).selector, before);
                cycle(before);
                cycle(behind);
                write(event_csr(index), row(turn).selector, behind);
                write(csr::kMcycle, turn, before); // a counter of another block
            }
        }
    }

    void single_inhibits() {
        for (unsigned turn = 0; turn < rows_.size(); turn += 7) {
            for (const unsigned index : counters_) { // all count the same
                write(event_csr(index), row(turn).selector);
            }
            const EventBits events = pulses_of(row(turn));
            for (unsigned bit = 0; bit < kCounterLimit; ++bit) {
                const std::uint64_t one = std::uint64_t{1} << bit;
                for (const std::uint64_t inhibit : {one, 0xFFFF'FFFF & ~one}) {
                    write(csr::kMcountinhibit, inhibit, events);
                    cycle(events, 3);
                    cycle(0);
                    write(counter_csr(kFirstProgrammable), turn, events);
                    write(csr::kMcountinhibit, 0, events);
                    cycle(events, 2);
                }
            }
        }
    }

    void absent_registers() {
        select(1);
        const EventBits events = pulses_of(row(kFirstProgrammable + 1));
        for (unsigned index = kFirstProgrammable; index < kCounterLimit; ++index) {
            if (std::ranges::count(counters_, index) != 0) {
                continue;
            }
            write(counter_csr(index), ~std::uint64_t{0}, events);
            write(event_csr(index), row(0).selector, events);
            cycle(events | pulses_of(row(0)), 2);
            write(counter_csr(index), 0x5555'5555'5555'5555);
            write(event_csr(index), ~std::uint64_t{0});
            cycle(events);
        }
    }

    void bits() {
        for (const unsigned index : counters_) {
            for (unsigned bit = 0; bit < 64; ++bit) {
                write(counter_csr(index), std::uint64_t{1} << bit);
                write(event_csr(index), std::uint64_t{1} << bit);
            }
            write(counter_csr(index), ~std::uint64_t{0});
            write(event_csr(index), ~std::uint64_t{0});
        }
    }

    void debug_and_reset() {
        select(2);
        for (const unsigned index : counters_) {
            const EventBits events = pulses_of(row(index + 2));
            cycle(events, 2);
            stream_.push_back({.events = events, .retired = 2, .debug = true});
            stream_.push_back({.events = events,
                               .retired = 2,
                               .csr = counter_csr(index),
                               .value = 0x77,
                               .debug = true});
            cycle(events);
        }
        stream_.push_back({.reset = true});
        cycle(pulses_of(row(0)), 2);
        select(2);
        cycle(pulses_of(row(kFirstProgrammable + 2)), 2);
    }

    CounterConfig config_;
    std::vector<const EventRow*> rows_;
    std::vector<unsigned> counters_;
    Stream stream_;
    std::vector<NamedStream> streams_;
};

} // namespace

std::vector<NamedStream> directed_streams(const CounterConfig& config) {
    return Author(config).all();
}

} // namespace pes::test

// SPDX-License-Identifier: Apache-2.0
// The merging write buffer between the store buffer and memory, and the port to memory that it
// shares with the refills.
//
// Words of 64 bit, each sent as one transaction, a limited number in flight; if the bytes to be
// sent are not one aligned piece (write_pieces.h), as one after the other. A store to a word that
// still waits to be sent goes with it; one to a word whose transaction has been taken makes it
// dirty again: it is sent a second time when the first transaction returns.
//
// The port: a write asks, is taken into a queue of `port_queue` entries and sent in order, one at a
// time: the next one goes when this one has been answered, after `write_interval` cycles and what a
// device adds. [axi_demux.sv, with one transaction of an ID] Memory does one thing at a time; it is
// busy with a write for `write_interval` cycles, with a refill for `read_interval`. A refill of L1D
// goes through the same queue: it overtakes the writes that are not in it yet. A refill of L1I has
// a queue of its own: it goes behind the writes that wait between port and memory or have their
// turn at the port.
//
// The buffer is kept as its transactions in the order in which they are sent; an entry is the last
// transaction of its word. One that is to be sent again is not ready before the first transaction
// has returned: new words go before it.
#pragma once

#include "hw/core/timing/memory/atomic_request.h"
#include "hw/core/timing/tables/tables.h"
#include "hw/core/timing/timing_config.h"
#include "hw/interface/types.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace pes {

class WriteBuffer {
  public:
    WriteBuffer(const TimingConfig& config, Tables& tables);

    /// A store of `size` bytes asks for its place in cycle `from`; returns the cycle in which it
    /// gets it. `device_latency` is what a device adds to a transaction.
    Cycle accept(Address physical, std::uint64_t size, Cycle from, Cycle device_latency);

    /// The cycle in which a store that asked for its place in `from` would be sent, if none came
    /// behind it.
    Cycle would_send(Address physical, Cycle from);

    /// A read of this cache line from memory asks in `asked`: the cycle in which no write to the
    /// line is on its way there any more.
    Cycle line_written_by(Address physical, Cycle asked);

    /// This line has been asked for in `asked` and is read until `there`: writes to it wait, and
    /// those behind them. [wt_dcache_missunit.sv]
    void read_line(Address physical, Cycle asked, Cycle there);

    /// The first cycle without a write to this word under way, as far as that is known now; 0 if
    /// there is none in `cycle`.
    Cycle word_free_from(Address physical, Cycle cycle);

    /// The first cycle in which nothing is buffered any more.
    Cycle empty_from() const { return empty_from_; }

    /// The port takes no write in `cycle`.
    void take_none_in(Cycle cycle);

    /// A refill asks for the port in cycle `asked`; returns the cycle in which it goes out, which
    /// is `asked` if nothing is in its way. Writes behind it are sent later. One of data holds the
    /// others up while it waits to be `ready`.
    Cycle refill_data(Cycle asked, Cycle ready);
    Cycle refill_data(Cycle asked) { return refill_data(asked, asked); }
    Cycle refill_instructions(Cycle asked);

    /// A refill of L1I that asks by the returned cycle goes out before one of L1D that asks in
    /// `asked`.
    Cycle code_before_data(Cycle asked);

    /// The first cycle from `asked` on in which no refill that has asked before is on its way.
    Cycle port_free(Cycle asked) const {
        return asked >= refill_.asked ? std::max(asked, refill_.to) : asked;
    }
    /// With nothing buffered; unless it has been sent.
    void send(AtomicRequest& atomic) {
        if (!atomic.sent) {
            atomic.sent = true;
            const Cycle from = atomic.head + 1;
            refill_ = {.asked = from, .from = from, .to = from + atomic.interval, .next = count_};
        }
    }
    /// Whether a refill of L1I that asks in `asked` goes before it.
    bool code_before(const AtomicRequest& atomic, Cycle asked) {
        return !atomic.sent &&
               (asked <= atomic.head || (asked == atomic.head + 1 && prefers_code(count_)));
    }

    /// A read outside of memory asks in `asked`; returns the cycle in which it goes out: behind the
    /// writes that have asked before, and later if the last of them went to the same device.
    Cycle external_read(Address physical, Cycle asked);

    /// See timing_state.h; defined in write_buffer_state.h. Nothing asks before `next`. The words
    /// are in the tables.
    template <typename Archive>
    void relative_state(Archive& archive, Cycle next);
    void state(class Archive& archive); ///< of a checkpoint

  private:
    static constexpr std::size_t kTracked = 32; ///< two for each of at most 16 entries
    static constexpr std::uint64_t kRest = 0;   ///< size of what is left of a word
    static constexpr std::size_t kNone = 0;     ///< no transaction: their numbers begin later

    struct Transaction {
        Cycle ready = 0; ///< it could ask
        Cycle asked = 0;
        Cycle taken = 0; ///< by the port: a store to the word from then on is a new transaction
        Cycle sent = 0;
        Cycle next = 0;          ///< first cycle in which the one behind can be sent
        Cycle freed = 0;         ///< first cycle in which the entry can be taken again
        Cycle looked_up = 0;     ///< it is known whether L1D has its line
        std::size_t first = 0;   ///< it sends the word of this transaction again
        bool sent_again = false; ///< a later transaction has its word
    };
    struct Refill {
        Cycle asked = 0;
        Cycle from = 0, to = 0; ///< memory is busy with it in [from, to)
        std::size_t next = 0;   ///< the write behind it
        bool code = false;
    };

    Transaction& before(std::size_t number, std::size_t distance) {
        return transactions_[(number - distance) % kTracked];
    }
    /// Bit n: the transaction n before the next one holds an entry in `cycle`. Those before
    /// `oldest` are not looked at.
    std::uint64_t entries(Cycle cycle, std::size_t oldest);
    /// What accept() would do.
    struct Place {
        Cycle granted = 0;
        std::size_t merged = kNone; ///< the store goes with this transaction ...
        bool again = false;         ///< ... or, if it has been taken already, behind it
        std::uint64_t left = 0;     ///< pieces of the word behind the first that is not taken
    };
    /// With a size, the store joins a write that is not taken.
    Place place(Address physical, Cycle from, std::uint64_t size = 0);
    std::uint64_t join(Address physical, std::uint64_t held, Cycle from, std::uint64_t size);
    Cycle ready(const Place& place);
    /// A store, or one piece of a word.
    struct Piece {
        Address physical = 0;
        std::uint64_t size = kRest;
        Cycle device_latency = 0;
    };
    struct Sent {
        std::size_t number = kNone;
        std::uint64_t left = 0; ///< pieces of the word behind it
    };
    void merge(const Place& place, const Piece& store);
    Sent send_again(std::size_t first, const Piece& piece);
    void send_rest(Sent sent, Piece piece);
    std::size_t sent_before(std::size_t number);
    void drop(std::size_t number);
    void look_up_again(std::size_t number, Cycle granted);
    std::size_t turn_of(Cycle ready);
    Cycle asks_for_port(std::size_t number, Cycle from);
    Sent send(const Piece& piece, Cycle ready);
    void schedule_anew(std::size_t number);
    void schedule(std::size_t number);
    void schedule(std::size_t number, Transaction& write);
    std::size_t overtaken(Cycle asked);
    Cycle offered(std::size_t number);
    bool prefers_code(std::size_t next);
    template <typename Archive>
    void relative_state(Archive& archive, Transaction& transaction, Cycle last, Cycle last_sent);
    template <typename Archive>
    std::size_t skip_past(Archive& archive, Cycle last, Cycle last_sent);
    template <typename Archive>
    void relative_turn(Archive& archive, Cycle last);
    Cycle refill(Cycle asked, std::size_t first_behind, Cycle earliest);

    std::array<Transaction, kTracked> transactions_{}; ///< the latest, by number
    std::size_t count_ = kTracked;                     ///< number of the next one
    std::size_t oldest_ = kTracked; ///< what came before held no entry when a store asked last
    Refill refill_{};               ///< the latest
    std::size_t size_;
    std::size_t in_flight_;
    std::size_t queue_;
    Cycle interval_;
    Cycle read_interval_;
    Cycle return_cycles_;
    Cycle empty_from_ = 0;
    Cycle line_read_until_ = 0;
    Tables& tables_;
};

} // namespace pes

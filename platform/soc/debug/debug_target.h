// SPDX-License-Identifier: Apache-2.0
// The platform as gdb's target. Harts call it in their threads, between two instructions; it serves
// gdb there and returns when the run goes on. So no simulated time passes while the platform stands
// still, the turns of several harts do not change, and a run that is only looked at gives what it
// gives without a debugger.
#pragma once

#include "hw/core/halt/debugger.h"
#include "platform/gdb/server.h"
#include "platform/gdb/target.h"
#include "platform/soc/debug/monitor.h"
#include "platform/soc/debug/way_back.h"
#include "platform/soc/soc.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pes {

class DebugTarget final : public gdb::Target, private Debugger {
  public:
    /// What is referred to outlives it.
    DebugTarget(Soc& soc, gdb::Server& server, DebugHooks hooks);

    unsigned harts() const override { return soc_.hart_count(); }
    std::string describe(unsigned hart) override;
    const std::vector<gdb::RegisterDescription>& registers() const override { return csrs_; }
    std::optional<std::uint64_t> read_register(unsigned hart, unsigned number) override;
    bool write_register(unsigned hart, unsigned number, std::uint64_t value) override;
    std::size_t read_memory(unsigned hart, Address address, std::span<std::byte> bytes) override;
    bool write_memory(unsigned hart, Address address, std::span<const std::byte> bytes) override;
    bool insert(const gdb::Point& point) override;
    bool remove(const gdb::Point& point) override;
    std::string command(unsigned hart, std::string_view line) override;

    /// The run is over, wherever in its history it is: what it writes is for the user again.
    void run_is_over();

  private:
    /// What a place is waited for.
    enum class Await : std::uint8_t {
        Nothing,
        Landing, ///< to tell the client
        Bound,   ///< the end of a search
        Seen,    ///< output begins again
    };

    Cycle look(unsigned hart) override;
    void halted(unsigned hart, const Halt& halt) override;

    bool client_is_due(unsigned hart);
    void ask_client(unsigned hart);
    bool unasked(unsigned hart) const;
    void tell_unasked(const gdb::Stop& stop);
    gdb::Stop stop_of(unsigned hart, const Halt& halt) const;
    void stand_still(gdb::Stop stop);
    void go_on(const std::vector<gdb::Motion>& motions);
    void leave();

    // --- Going back (debug_reverse.cpp) -------------------------------------------------------
    gdb::Stop go_back(const gdb::Stop& present);
    std::string why_not_back() const;
    Errand new_errand() const;
    void begin_errand();
    void await(Await what, const history::Position& place);
    void await_what_is_seen();
    void await_nothing() { awaits_ = Await::Nothing; }
    bool arrived(unsigned hart) const;
    void arrive();
    std::uint64_t rest(unsigned hart) const;
    bool lands_soon(unsigned hart) const;
    Cycle approach(unsigned hart);
    void note_hit(unsigned hart, const Halt& halt);
    void end_search();
    void search_before(const history::Mark& mark, bool last_access);
    void return_to_the_start();

    bool write_csr(Hart& hart, std::uint16_t number, std::uint64_t value);
    /// Calls access(physical address, offset, size) for the pieces of a range that are one in
    /// physical memory, until one is not done whole. Returns how many bytes were.
    template <typename Function>
    std::size_t each_piece(unsigned hart, Address address, std::size_t size, Function access);

    Soc& soc_;
    gdb::Server& server_;
    const DebugHooks hooks_;
    const std::vector<gdb::RegisterDescription> csrs_;
    std::vector<gdb::Point> points_;
    Monitor monitor_;
    WayBack way_back_;
    Await awaits_ = Await::Nothing;
    history::Position awaited_{};
    bool near_ = false;         ///< to it: the hart steps
    gdb::Stop landing_{};       ///< what the client is told there
    history::Mark search_from_; ///< where a search has begun
    struct Hit {
        history::Position place;
        gdb::Stop stop;
    };
    std::optional<Hit> hit_;    ///< the last one of a search
    bool told_unasked_ = false; ///< that harts which gdb takes to stand still stop nowhere
    bool told_access_ = false;  ///< the way back has led to the access before the present place
    bool alone_ = false;        ///< the client is gone
    bool started_ = false;
    Cycle looked_at_ = 0;     ///< cycle in which the connection was looked at
    unsigned looks_left_ = 0; ///< until it is again, however little time passes
};

} // namespace pes

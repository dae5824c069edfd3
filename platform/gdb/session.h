// SPDX-License-Identifier: Apache-2.0
// What gdb asks, and the answers: the packets of gdb manual, appendix E.2 to E.4. A session knows
// no connection; it turns one packet into one answer.
#pragma once

#include "platform/gdb/target.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pes::gdb {

class Session {
  public:
    explicit Session(Target& target);

    /// What happens behind an answer.
    enum class Then : std::uint8_t {
        Stay,   ///< the machine stands still on
        GoOn,   ///< see motions(); the answer follows when it stands still again
        GoBack, ///< see way_back(); likewise
        Detach, ///< it goes on alone
        Kill,   ///< the run ends
    };
    struct Answer {
        std::vector<std::string> packets{}; ///< the data of each
        Then then = Then::Stay;
    };
    /// `packet`: its data, still escaped.
    Answer answer(std::string_view packet);

    /// By hart, how they go on.
    const std::vector<Motion>& motions() const { return motions_; }
    /// How it goes back, and the hart that steps.
    WayBack way_back() const { return way_back_; }
    unsigned moved_hart() const { return moves_all_ ? hart_ : moved_hart_; }
    /// The machine stands still: returns the packet that says so.
    std::string stopped(const Stop& stop);
    /// Behind that: text for the user, if harts that the client takes to have stood still have gone
    /// on; once a session. It does not ask for their registers again, and nothing makes it.
    std::string note();
    /// The run has ended: likewise.
    static std::string exited(int code);
    /// Acknowledgements are not sent any more, from the packet behind on.
    bool quiet() const { return quiet_; }

  private:
    std::optional<unsigned> hart_of(std::string_view thread) const;

    Answer query(std::string_view packet);
    Answer set(std::string_view packet);
    std::string supported(std::string_view features);
    std::string transfer(std::string_view what) const;
    std::string thread_list() const;
    std::string extra_info(std::string_view thread);
    Answer monitor(std::string_view digits);

    Answer select(std::string_view packet);
    std::string read_all();
    std::string write_all(std::string_view digits);
    std::string read_one(std::string_view digits);
    std::string write_one(std::string_view assignment);
    std::string read_memory(std::string_view place);
    std::string write_memory(std::string_view place_and_data, bool binary);
    std::string change_point(std::string_view packet);
    Answer go_on(std::string_view packet);
    Answer move(std::string_view packet);
    Answer go_back(std::string_view packet);
    bool add_motion(std::string_view action, std::vector<bool>& chosen);
    std::string stop_reply() const;
    std::string register_digits(unsigned hart, unsigned number) const;
    std::string general_registers(unsigned hart) const;
    void remember_others(const std::vector<bool>& chosen);

    Target& target_;
    const std::string description_; ///< target.xml
    unsigned hart_ = 0;             ///< of register and memory accesses
    unsigned moved_hart_ = 0;       ///< of the packets c and s
    bool moves_all_ = true;
    Stop stop_;
    std::vector<Motion> motions_;
    WayBack way_back_ = WayBack::Step;
    /// Harts that the last motion was not for, with the registers that the client may know of them.
    std::map<unsigned, std::string> others_;
    bool noted_ = false;
    bool quiet_ = false;
    bool tells_breakpoints_ = false; ///< the client understands swbreak and hwbreak
};

} // namespace pes::gdb

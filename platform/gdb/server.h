// SPDX-License-Identifier: Apache-2.0
// Serves one gdb: packets in, answers out, while the machine stands still; the user's interrupt
// while it runs.
#pragma once

#include "platform/gdb/packet.h"
#include "platform/gdb/session.h"
#include "platform/gdb/target.h"
#include "platform/host/server_socket.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace pes::gdb {

class Server {
  public:
    /// Listens. Throws UserError, whose sentence begins with `title`.
    Server(const std::string& title, const ServerAddress& address);

    const std::string& name() const { return socket_.name(); }
    /// Waits for the client. False if `give_up` became true before.
    bool await_client(const std::function<bool()>& give_up);

    /// What has become of a stop.
    enum class Outcome : std::uint8_t {
        GoOn,   ///< see motions()
        GoBack, ///< see way_back()
        Alone,  ///< the client has detached, or its connection is lost
        Kill,   ///< the client ends the run
        GaveUp, ///< `give_up` became true
    };
    /// The machine stands still: tells the client, and answers it until that lets it go on.
    Outcome serve(Target& target, const Stop& stop, const std::function<bool()>& give_up);
    const std::vector<Motion>& motions() const { return session_->motions(); }
    WayBack way_back() const { return session_->way_back(); }
    unsigned moved_hart() const { return session_->moved_hart(); }
    /// Of the connection.
    int descriptor() const { return socket_.descriptor(); }
    /// While the machine runs: whether the client wants it to stand still, or is lost.
    enum class Wish : std::uint8_t { None, Interrupt, Lost };
    Wish look();
    /// While the machine runs: text that the client prints.
    void tell(std::string_view text);
    /// The run has ended; nothing comes behind.
    void exited(int code);

  private:
    std::optional<Outcome> take(const PacketReader::Item& item);
    std::optional<Outcome> answer(std::string_view packet);
    bool send(std::string_view data);

    ServerSocket socket_;
    PacketReader reader_;
    std::optional<Session> session_; ///< from the first stop on
    std::string last_sent_;          ///< until it is acknowledged
    bool awaits_stop_ = false;       ///< the client has let the machine go on
    bool connected_ = false;
    bool acknowledges_ = true;
};

} // namespace pes::gdb

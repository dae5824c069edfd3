// SPDX-License-Identifier: Apache-2.0
// A console's line to a program on this machine, in both directions: a pseudo-terminal, which
// programs open and close as they like, or a socket, for whose client the run waits.
//
// Output waits here while nobody reads it. What is older than the last kMostWaiting bytes is lost
// then, and counted; somebody who is there and does not read makes the run wait instead, as the
// reader of a pipe does.
#pragma once

#include "platform/host/pseudo_terminal.h"
#include "platform/host/server_socket.h"
#include "platform/host/waiting_buffer.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace pes {

class ConsoleLine {
  public:
    static constexpr std::size_t kMostWaiting = std::size_t{1} << 20;

    /// Whether this names a line: "pty", "tcp:PORT" or "unix:PATH".
    static bool is_name(std::string_view text);

    /// Makes the terminal, or listens. `option` is what the user has named it with. Throws
    /// UserError.
    ConsoleLine(const std::string& option, const std::string& name);

    /// Says in one line on the error stream where it is. Returns once the client of a socket is
    /// there, or `give_up` is true.
    void await_client(const std::function<bool()>& give_up);

    void write(std::string_view bytes);
    void write(std::span<const std::byte> bytes) {
        write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    }
    /// Hands over what is taken without waiting.
    void flush();
    /// What has come; waits for something up to `patience`. No value: nothing comes any more.
    std::optional<std::string> receive(std::chrono::nanoseconds patience);

    /// Nothing is written any more: waits until the reader has all of it.
    void finish();
    /// Bytes of the output that nobody has got. Complete behind finish().
    std::uint64_t lost() const { return lost_; }
    const std::string& option() const { return option_; }

  private:
    bool somebody_is_there() const;
    int descriptor() const { return terminal_ ? terminal_->descriptor() : socket_->client(); }
    void send_all_but(std::size_t bytes);
    bool wait(std::chrono::nanoseconds patience, bool for_room);
    std::ptrdiff_t send();
    bool is_reset() const;
    void take_input();
    void drain_terminal();
    void lose(std::size_t bytes);

    const std::string option_;
    std::optional<PseudoTerminal> terminal_; ///< this or ...
    std::optional<ServerSocket> socket_;     ///< ... this
    bool connected_ = false;                 ///< the client of the socket takes output
    bool input_ended_ = false;               ///< it has said that it sends no more
    std::string output_;                     ///< that nobody has got yet
    std::string input_;                      ///< that the guest has not been given yet
    std::uint64_t lost_ = 0;
    std::chrono::milliseconds patience_left_ = kEndPatience; ///< once the end is asked for
};

} // namespace pes

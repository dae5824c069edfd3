// SPDX-License-Identifier: Apache-2.0
// The connection to one client on the same host: TCP on the loopback interface, or a Unix socket.
#pragma once

#include "platform/host/file_descriptor.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace pes {

/// Where the server listens.
struct ServerAddress {
    std::uint16_t port = 0; ///< 0: any that is free
    std::string path{};     ///< of a Unix socket; empty: TCP
};

/// "PORT", "localhost:PORT", "127.0.0.1:PORT" or "unix:PATH". Throws UserError, whose sentence
/// begins with `title`.
ServerAddress parse_server_address(const std::string& title, std::string_view text);

class ServerSocket {
  public:
    /// Listens. Throws UserError, whose sentence begins with `title`.
    ServerSocket(const std::string& title, const ServerAddress& address);
    ~ServerSocket();

    /// What a client has to be told: "127.0.0.1:PORT" or the path.
    const std::string& name() const { return name_; }
    /// Waits a fraction of a second for a client. With it, listening ends: there is one only.
    bool accept();
    /// Of the client, which is there.
    int client() const { return client_->get(); }

    /// Of the client; -1 without one.
    int descriptor() const { return client_ ? client_->get() : -1; }

    /// What has come; empty if nothing has. No value if the client has gone. `wait`: up to a
    /// fraction of a second.
    std::optional<std::string> receive(bool wait);
    /// False if the client has gone.
    bool send(std::string_view bytes);
    /// Returns once the client has closed its side, or does not for a second.
    void close();

  private:
    void listen_on_port(const std::string& title, std::uint16_t port);
    void remove_path();
    void listen_on_path(const std::string& title, const std::string& path);

    std::string name_;
    std::string path_; ///< to be removed; empty: none
    std::unique_ptr<FileDescriptor> listener_;
    std::unique_ptr<FileDescriptor> client_;
};

} // namespace pes

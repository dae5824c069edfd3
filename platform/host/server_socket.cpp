// SPDX-License-Identifier: Apache-2.0
#include "platform/host/server_socket.h"

#include "platform/host/numbers.h"
#include "platform/host/user_error.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace pes {
namespace {

constexpr int kWaitMilliseconds = 200; // so that a signal that comes just before is noticed

[[noreturn]] void fail(const std::string& title, const std::string& name) {
    throw UserError(title + ": cannot listen on " + name + ": " + std::strerror(errno));
}

bool has_input(int descriptor, int milliseconds) {
    pollfd ready{.fd = descriptor, .events = POLLIN, .revents = 0};
    return ::poll(&ready, 1, milliseconds) > 0;
}

} // namespace

ServerAddress parse_server_address(const std::string& title, std::string_view text) {
    constexpr std::string_view kUnix = "unix:";
    if (text.starts_with(kUnix)) {
        const std::string path(text.substr(kUnix.size()));
        if (path.empty() || path.size() >= sizeof(sockaddr_un::sun_path)) {
            throw UserError(title + " got '" + std::string(text) +
                            "', expected a path of 1 to 107 characters behind unix:");
        }
        return {.path = path};
    }
    const std::size_t colon = text.rfind(':');
    const std::string_view host =
        colon == std::string_view::npos ? "localhost" : text.substr(0, colon);
    if (host != "localhost" && host != "127.0.0.1" && !host.empty()) {
        throw UserError(title + " got '" + std::string(text) +
                        "', expected localhost: who connects has a right on the run, so it is "
                        "served on this machine only");
    }
    const auto port = parse_digits<std::uint16_t>(
        colon == std::string_view::npos ? text : text.substr(colon + 1));
    if (!port) {
        throw UserError(title + " got '" + std::string(text) +
                        "', expected a port from 0 to 65535, or unix:PATH");
    }
    return {.port = *port};
}

ServerSocket::ServerSocket(const std::string& title, const ServerAddress& address) {
    if (address.path.empty()) {
        listen_on_port(title, address.port);
    } else {
        listen_on_path(title, address.path);
    }
}

ServerSocket::~ServerSocket() {
    remove_path();
}

/// Nobody else can connect from then on.
void ServerSocket::remove_path() {
    if (!path_.empty()) {
        ::unlink(path_.c_str());
        path_.clear();
    }
}

void ServerSocket::listen_on_port(const std::string& title, std::uint16_t port) {
    listener_ = std::make_unique<FileDescriptor>(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(port);
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* const generic = reinterpret_cast<sockaddr*>(&place);
    socklen_t size = sizeof place;
    const int on = 1;
    const int descriptor = listener_->get();
    if (descriptor < 0 || ::setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        ::bind(descriptor, generic, size) != 0 || ::listen(descriptor, 1) != 0 ||
        ::getsockname(descriptor, generic, &size) != 0) {
        fail(title, "port " + std::to_string(port));
    }
    name_ = "127.0.0.1:" + std::to_string(ntohs(place.sin_port));
}

void ServerSocket::listen_on_path(const std::string& title, const std::string& path) {
    listener_ = std::make_unique<FileDescriptor>(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un place{};
    place.sun_family = AF_UNIX;
    path.copy(place.sun_path, sizeof place.sun_path - 1);
    const int descriptor = listener_->get();
    if (descriptor < 0 ||
        ::bind(descriptor, reinterpret_cast<sockaddr*>(&place), sizeof place) != 0) {
        fail(title, path);
    }
    path_ = path;
    name_ = path;
    if (::listen(descriptor, 1) != 0) {
        fail(title, path);
    }
}

bool ServerSocket::accept() {
    if (!has_input(listener_->get(), kWaitMilliseconds)) {
        return false;
    }
    const int descriptor = ::accept4(listener_->get(), nullptr, nullptr, SOCK_CLOEXEC);
    if (descriptor < 0) {
        return false;
    }
    client_ = std::make_unique<FileDescriptor>(descriptor);
    const int on = 1; // packets are small, and each is waited for
    ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    listener_.reset();
    remove_path();
    return true;
}

std::optional<std::string> ServerSocket::receive(bool wait) {
    if (!has_input(client_->get(), wait ? kWaitMilliseconds : 0)) {
        return "";
    }
    std::array<char, 4096> bytes;
    const ssize_t count = ::recv(client_->get(), bytes.data(), bytes.size(), 0);
    if (count < 0 && errno == EINTR) {
        return "";
    }
    return count > 0 ? std::optional(std::string(bytes.data(), static_cast<std::size_t>(count)))
                     : std::nullopt;
}

bool ServerSocket::send(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::send(client_->get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count < 0 && errno != EINTR) {
            return false;
        }
        bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    }
    return true;
}

/// What the client has sent meanwhile must be read, or the end of the connection would overtake the
/// last packet (RFC 1122, 4.2.2.13).
void ServerSocket::close() {
    constexpr int kPatience = 5;
    ::shutdown(client_->get(), SHUT_WR);
    for (int time = 0; time < kPatience && receive(true); ++time) {
    }
    client_.reset();
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// The other end of a console's line: a client of a socket, or a program that opens a terminal.
#pragma once

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace pes::test {

class LineClient {
  public:
    /// "127.0.0.1:PORT", or the path of a socket or a terminal.
    explicit LineClient(const std::string& place)
        : descriptor_(place.starts_with("/dev/") ? ::open(place.c_str(), O_RDWR | O_NOCTTY)
                      : place.starts_with("127") ? tcp(place.substr(place.find(':') + 1))
                                                 : local(place)) {
        EXPECT_GE(descriptor_, 0) << place << ": " << std::strerror(errno);
    }
    LineClient(const LineClient&) = delete;
    LineClient& operator=(const LineClient&) = delete;
    ~LineClient() { leave(); }

    void leave() {
        if (descriptor_ >= 0) {
            ::close(descriptor_);
        }
        descriptor_ = -1;
    }
    /// Of a socket: it has said all.
    void say_no_more() { ::shutdown(descriptor_, SHUT_WR); }

    void send(std::string_view bytes) {
        while (!bytes.empty()) {
            const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
            ASSERT_GT(count, 0) << std::strerror(errno);
            bytes.remove_prefix(static_cast<std::size_t>(count));
        }
    }
    /// Until there are so many, the line ends, or ten seconds have passed without one.
    std::string receive(std::size_t bytes) {
        std::string text;
        while (text.size() < bytes) {
            pollfd state{.fd = descriptor_, .events = POLLIN, .revents = 0};
            if (::poll(&state, 1, 10'000) <= 0) {
                break;
            }
            std::array<char, 4096> piece;
            const ssize_t count =
                ::read(descriptor_, piece.data(), std::min(piece.size(), bytes - text.size()));
            if (count <= 0) {
                break;
            }
            text.append(piece.data(), static_cast<std::size_t>(count));
        }
        return text;
    }

  private:
    static int connected(int descriptor, const void* place, std::size_t size) {
        return ::connect(descriptor, static_cast<const sockaddr*>(place),
                         static_cast<socklen_t>(size)) == 0
                   ? descriptor
                   : -1;
    }
    static int tcp(const std::string& port) {
        sockaddr_in place{};
        place.sin_family = AF_INET;
        place.sin_port = htons(static_cast<std::uint16_t>(std::stoi(port)));
        place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return connected(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), &place, sizeof place);
    }
    static int local(const std::string& path) {
        sockaddr_un place{};
        place.sun_family = AF_UNIX;
        path.copy(place.sun_path, sizeof place.sun_path - 1);
        return connected(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), &place, sizeof place);
    }

    int descriptor_;
};

} // namespace pes::test

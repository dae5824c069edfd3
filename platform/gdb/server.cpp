// SPDX-License-Identifier: Apache-2.0
#include "platform/gdb/server.h"

namespace pes::gdb {

Server::Server(const std::string& title, const ServerAddress& address) : socket_(title, address) {}

bool Server::await_client(const std::function<bool()>& give_up) {
    while (!connected_ && !give_up()) {
        connected_ = socket_.accept();
    }
    return connected_;
}

Server::Outcome Server::serve(Target& target, const Stop& stop,
                              const std::function<bool()>& give_up) {
    if (!connected_) {
        return Outcome::Alone;
    }
    if (!session_) {
        session_.emplace(target);
    }
    const std::string reply = session_->stopped(stop);
    if (const std::string note = session_->note(); !note.empty()) {
        tell(note);
    }
    if (awaits_stop_ && !send(reply)) {
        return Outcome::Alone;
    }
    awaits_stop_ = false;
    while (!give_up()) {
        while (const auto item = reader_.next()) {
            if (const std::optional<Outcome> outcome = take(*item)) {
                return *outcome;
            }
        }
        const std::optional<std::string> bytes = socket_.receive(true);
        if (!bytes) {
            connected_ = false;
            return Outcome::Alone;
        }
        reader_.take(*bytes);
    }
    return Outcome::GaveUp;
}

/// An interrupt of a machine that stands still means nothing.
std::optional<Server::Outcome> Server::take(const PacketReader::Item& item) {
    switch (item.kind) {
    case PacketReader::Kind::Packet:
        if (acknowledges_ && !socket_.send("+")) {
            connected_ = false;
            return Outcome::Alone;
        }
        return answer(item.data);
    case PacketReader::Kind::Damaged:
        socket_.send(acknowledges_ ? "-" : "");
        break;
    case PacketReader::Kind::Refused:
        socket_.send(last_sent_);
        break;
    case PacketReader::Kind::Accepted:
        last_sent_.clear();
        break;
    case PacketReader::Kind::Interrupt:
        break;
    }
    return std::nullopt;
}

std::optional<Server::Outcome> Server::answer(std::string_view packet) {
    const Session::Answer answer = session_->answer(packet);
    for (const std::string& data : answer.packets) {
        if (!send(data)) {
            return Outcome::Alone;
        }
    }
    acknowledges_ = !session_->quiet();
    switch (answer.then) {
    case Session::Then::Stay:
        return std::nullopt;
    case Session::Then::GoOn:
        awaits_stop_ = true;
        return Outcome::GoOn;
    case Session::Then::GoBack:
        awaits_stop_ = true;
        return Outcome::GoBack;
    case Session::Then::Detach:
        connected_ = false;
        socket_.close();
        return Outcome::Alone;
    case Session::Then::Kill:
        connected_ = false;
        socket_.close();
        return Outcome::Kill;
    }
    return std::nullopt;
}

bool Server::send(std::string_view data) {
    last_sent_ = framed(data);
    connected_ = socket_.send(last_sent_);
    return connected_;
}

Server::Wish Server::look() {
    if (!connected_) {
        return Wish::None;
    }
    const std::optional<std::string> bytes = socket_.receive(false);
    if (!bytes) {
        connected_ = false;
        return Wish::Lost;
    }
    reader_.take(*bytes);
    Wish wish = Wish::None;
    while (const auto item = reader_.next()) { // it sends no packet before the answer
        wish = item->kind == PacketReader::Kind::Interrupt ? Wish::Interrupt : wish;
    }
    return wish;
}

void Server::tell(std::string_view text) {
    if (connected_ && awaits_stop_) {
        send(std::string("O").append(hex_of(text)));
    }
}

void Server::exited(int code) {
    if (!connected_) {
        return;
    }
    if (awaits_stop_) {
        send(Session::exited(code));
    }
    connected_ = false;
    socket_.close();
}

} // namespace pes::gdb

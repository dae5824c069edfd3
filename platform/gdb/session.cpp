// SPDX-License-Identifier: Apache-2.0
// Packets that are questions about the session, and those that let the machine go on.
#include "platform/gdb/session.h"

#include "platform/gdb/packet.h"
#include "platform/gdb/session_text.h"
#include "platform/gdb/target_description.h"

#include <algorithm>
#include <cstddef>
#include <span>

namespace pes::gdb {
namespace {

constexpr unsigned kTrap = 5; // gdb's numbers of signals
constexpr unsigned kAbort = 6;
constexpr unsigned kInterrupted = 2;

std::string signal_digits(unsigned signal) {
    return {'0', static_cast<char>('0' + signal)};
}

Session::Answer only(std::string text) {
    return {.packets = {std::move(text)}};
}

std::string thread_of(unsigned hart) {
    return hex_number(hart + 1);
}

} // namespace

Session::Session(Target& target)
    : target_(target), description_(target_description(target.registers())),
      motions_(target.harts()) {}

/// An empty answer says that a packet is not known.
Session::Answer Session::answer(std::string_view packet) {
    const char kind = packet.empty() ? '\0' : packet.front();
    const std::string_view rest = packet.substr(packet.empty() ? 0 : 1);
    switch (kind) {
    case '?':
        return only(stop_reply());
    case 'g':
        return only(read_all());
    case 'G':
        return only(write_all(rest));
    case 'p':
        return only(read_one(rest));
    case 'P':
        return only(write_one(rest));
    case 'm':
        return only(read_memory(rest));
    case 'M':
        return only(write_memory(rest, false));
    case 'X':
        return only(write_memory(rest, true));
    case 'H':
        return select(rest);
    case 'T':
        return only(hart_of(rest) ? kOk : kMalformed);
    case 'Z':
    case 'z':
        return only(change_point(packet));
    case 'q':
        return query(packet);
    case 'Q':
        return set(packet);
    case 'v':
        return go_on(packet);
    case 'c':
    case 's':
    case 'C':
    case 'S':
        return move(packet);
    case 'b':
        return go_back(packet);
    case 'D':
        return {.packets = {kOk}, .then = Then::Detach};
    case 'k':
        return {.packets = {}, .then = Then::Kill};
    default:
        return only("");
    }
}

// --- Threads ------------------------------------------------------------------------------------

std::optional<unsigned> Session::hart_of(std::string_view thread) const {
    const auto number = number_of(thread);
    return number && *number >= 1 && *number <= target_.harts()
               ? std::optional(static_cast<unsigned>(*number - 1))
               : std::nullopt;
}

/// "g" or "c" with a thread; 0 is any, -1 all.
Session::Answer Session::select(std::string_view packet) {
    if (packet.size() < 2 || (packet.front() != 'g' && packet.front() != 'c')) {
        return only(kMalformed);
    }
    const bool moves = packet.front() == 'c';
    const std::string_view thread = packet.substr(1);
    if (thread == "0" || thread == "-1") {
        moves_all_ = moves ? true : moves_all_;
        return only(kOk);
    }
    const std::optional<unsigned> hart = hart_of(thread);
    if (!hart) {
        return only(kMalformed);
    }
    (moves ? moved_hart_ : hart_) = *hart;
    moves_all_ = moves ? false : moves_all_;
    return only(kOk);
}

std::string Session::thread_list() const {
    std::string list = "m";
    for (unsigned hart = 0; hart < target_.harts(); ++hart) {
        list.append(hart == 0 ? "" : ",").append(thread_of(hart));
    }
    return list;
}

std::string Session::extra_info(std::string_view thread) {
    const std::optional<unsigned> hart = hart_of(thread);
    return hart ? hex_of(target_.describe(*hart)) : kMalformed;
}

// --- Questions and settings ---------------------------------------------------------------------

Session::Answer Session::query(std::string_view packet) {
    const auto behind = [packet](std::string_view name) {
        return packet.starts_with(name) ? std::optional(packet.substr(name.size())) : std::nullopt;
    };
    if (const auto features = behind("qSupported")) {
        return only(supported(*features));
    }
    if (const auto what = behind("qXfer:features:read:")) {
        return only(transfer(*what));
    }
    if (const auto digits = behind("qRcmd,")) {
        return monitor(*digits);
    }
    if (const auto thread = behind("qThreadExtraInfo,")) {
        return only(extra_info(*thread));
    }
    if (packet == "qfThreadInfo") {
        return only(thread_list());
    }
    if (packet == "qsThreadInfo") {
        return only("l");
    }
    if (packet == "qC") {
        return only(std::string("QC").append(thread_of(stop_.hart)));
    }
    if (behind("qAttached")) { // the program was there before: a client that leaves detaches
        return only("1");
    }
    return only(behind("qSymbol:") ? kOk : "");
}

Session::Answer Session::set(std::string_view packet) {
    if (packet != "QStartNoAckMode") {
        return only("");
    }
    quiet_ = true;
    return only(kOk);
}

std::string Session::supported(std::string_view features) {
    tells_breakpoints_ = features.find("swbreak+") != std::string_view::npos;
    return std::string("PacketSize=")
        .append(hex_number(kPacketSize))
        .append(
            ";QStartNoAckMode+;qXfer:features:read+;swbreak+;hwbreak+;vContSupported+;ReverseStep+;"
            "ReverseContinue+");
}

/// "target.xml:OFFSET,LENGTH".
std::string Session::transfer(std::string_view what) const {
    const std::size_t colon = what.find(':');
    if (what.substr(0, colon) != "target.xml") {
        return "E00"; // no such annex
    }
    const auto place = numbers_of(what.substr(std::min(what.size(), what.find(':') + 1)));
    if (!place || place->first > description_.size()) {
        return kMalformed;
    }
    const std::size_t length = std::min<std::size_t>(place->second, kPacketSize - 1);
    const std::string part = description_.substr(place->first, length);
    const bool last = place->first + part.size() == description_.size();
    return std::string(last ? "l" : "m").append(escaped(part));
}

/// Text that is too long for one packet goes in several, which gdb prints as they come.
Session::Answer Session::monitor(std::string_view digits) {
    const auto bytes = bytes_of(digits);
    if (!bytes) {
        return only(kMalformed);
    }
    const std::string line(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    const std::string text = target_.command(hart_, line);
    constexpr std::size_t kPiece = kPacketSize / 2 - 8;
    Answer answer;
    for (std::size_t from = 0; from < text.size(); from += kPiece) {
        const std::string_view piece = std::string_view(text).substr(from, kPiece);
        answer.packets.push_back(std::string("O").append(hex_of(piece)));
    }
    answer.packets.emplace_back(kOk);
    return answer;
}

// --- Going on -----------------------------------------------------------------------------------

/// vCont, and what else begins with v.
Session::Answer Session::go_on(std::string_view packet) {
    constexpr std::string_view kActions = "vCont;";
    if (packet == "vCont?") {
        return only("vCont;c;C;s;S;r");
    }
    if (packet.starts_with("vKill;")) {
        return {.packets = {kOk}, .then = Then::Kill};
    }
    if (!packet.starts_with(kActions)) {
        return only("");
    }
    motions_.assign(target_.harts(), {});
    std::vector<bool> chosen(target_.harts());
    packet.remove_prefix(kActions.size());
    while (!packet.empty()) {
        const std::size_t end = std::min(packet.find(';'), packet.size());
        if (!add_motion(packet.substr(0, end), chosen)) {
            return only(kMalformed);
        }
        packet.remove_prefix(std::min(end + 1, packet.size()));
    }
    remember_others(chosen);
    return {.packets = {}, .then = Then::GoOn};
}

/// "s:THREAD", "c" and the like: for the harts that no action before was for.
bool Session::add_motion(std::string_view action, std::vector<bool>& chosen) {
    const std::size_t colon = action.find(':');
    const std::string_view thread =
        colon == std::string_view::npos ? "-1" : action.substr(colon + 1);
    const std::string_view verb = action.substr(0, colon);
    const char kind = verb.empty() ? '\0' : verb.front();
    const std::optional<unsigned> hart = hart_of(thread);
    Motion motion{.steps = kind == 's' || kind == 'S' || kind == 'r'};
    if (kind == 'r') {
        const auto range = numbers_of(verb.substr(1));
        if (!range) {
            return false;
        }
        motion.range = *range;
    }
    if ((!motion.steps && kind != 'c' && kind != 'C') ||
        (!hart && thread != "-1" && thread != "0")) {
        return false;
    }
    for (unsigned index = 0; index < chosen.size(); ++index) {
        if (!chosen[index] && (!hart || *hart == index)) {
            chosen[index] = true;
            motions_[index] = motion;
        }
    }
    return true;
}

void Session::remember_others(const std::vector<bool>& chosen) {
    others_.clear();
    for (unsigned hart = 0; hart < chosen.size(); ++hart) {
        if (!chosen[hart]) {
            motions_[hart].unasked = true;
            others_[hart] = general_registers(hart);
        }
    }
}

std::string Session::note() {
    const bool moved = std::ranges::any_of(others_, [this](const auto& other) {
        return general_registers(other.first) != other.second;
    });
    others_.clear();
    if (!moved || noted_) {
        return {};
    }
    noted_ = true;
    return "pes-vp: harts share time, so the others have gone on as well; gdb shows their "
           "registers of before until 'maintenance flush register-cache'\n";
}

/// c and s with an address, C and S with a signal, which a hart cannot get, and an address.
Session::Answer Session::move(std::string_view packet) {
    const bool steps = packet.front() == 's' || packet.front() == 'S';
    const bool has_signal = packet.front() == 'C' || packet.front() == 'S';
    std::string_view address = packet.substr(1);
    if (has_signal) {
        address.remove_prefix(std::min(address.find(';'), address.size() - 1) + 1);
    }
    const unsigned hart = moved_hart();
    if (!address.empty()) {
        const auto pc = number_of(address);
        if (!pc || !target_.write_register(hart, kPc, *pc)) {
            return only(kMalformed);
        }
    }
    motions_.assign(target_.harts(), {});
    motions_[hart].steps = steps;
    return {.packets = {}, .then = Then::GoOn};
}

/// bs and bc.
Session::Answer Session::go_back(std::string_view packet) {
    if (packet != "bs" && packet != "bc") {
        return only("");
    }
    motions_.assign(target_.harts(), {});
    way_back_ = packet == "bs" ? WayBack::Step : WayBack::Continue;
    return {.packets = {}, .then = Then::GoBack};
}

std::string Session::stopped(const Stop& stop) {
    stop_ = stop;
    hart_ = stop.hart;
    return stop_reply();
}

/// With the registers that gdb asks for first.
std::string Session::stop_reply() const {
    const unsigned signal = stop_.reason == StopReason::Interrupt    ? kInterrupted
                            : stop_.reason == StopReason::CannotGoOn ? kAbort
                                                                     : kTrap;
    std::string text = std::string("T").append(signal_digits(signal));
    const std::string address = std::string(":").append(hex_number(stop_.address)).append(";");
    switch (stop_.reason) {
    case StopReason::Breakpoint:
        text += tells_breakpoints_ ? "swbreak:;" : "";
        break;
    case StopReason::WriteWatch:
        text.append("watch").append(address);
        break;
    case StopReason::ReadWatch:
        text.append("rwatch").append(address);
        break;
    case StopReason::AccessWatch:
        text.append("awatch").append(address);
        break;
    case StopReason::NoHistory:
        text += "replaylog:begin;";
        break;
    default:
        break;
    }
    return text.append(hex_number(kPc))
        .append(":")
        .append(register_digits(stop_.hart, kPc))
        .append(";thread:")
        .append(thread_of(stop_.hart))
        .append(";");
}

std::string Session::exited(int code) {
    constexpr int kStatusBits = 0xFF;
    const std::byte status{static_cast<unsigned char>(code & kStatusBits)};
    return std::string("W").append(hex_of(std::span(&status, 1)));
}

} // namespace pes::gdb

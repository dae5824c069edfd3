// SPDX-License-Identifier: Apache-2.0
#include "platform/host/end_request.h"

#include <array>
#include <csignal>
#include <cstddef>
#include <new>
#include <system_error>
#include <utility>

namespace pes {
namespace {

/// For what a run still does at its end. Untouched, so it costs address space only.
constexpr std::size_t kReserveBytes = std::size_t{64} << 20;

volatile std::sig_atomic_t request = 0; // an EndRequest
void* reserve = nullptr;
std::function<void()> on_shortage;
std::array<struct sigaction, 32> effect_before{}; ///< by signal

void signal_came(int signal) {
    request_end(EndRequest::Signal);
    if (signal != SIGPIPE) {
        ::sigaction(signal, &effect_before[static_cast<std::size_t>(signal)], nullptr);
    }
}

void allocation_failed() {
    if (reserve == nullptr) {
        request_end(EndRequest::OutOfMemory);
        throw std::bad_alloc();
    }
    ::operator delete(reserve);
    reserve = nullptr;
    request_end(EndRequest::OutOfMemory);
    if (on_shortage) {
        on_shortage();
    }
}

} // namespace

void end_on_signals() {
    struct sigaction action {};
    action.sa_handler = signal_came;
    action.sa_flags = SA_RESTART;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
        struct sigaction& before = effect_before[static_cast<std::size_t>(signal)];
        ::sigaction(signal, nullptr, &before);
        if (signal != SIGHUP || before.sa_handler != SIG_IGN) {
            ::sigaction(signal, &action, nullptr);
        }
    }
}

void end_on_signal_only(int signal) {
    for (const int other : {SIGINT, SIGTERM, SIGHUP}) {
        std::signal(other, SIG_IGN);
    }
    struct sigaction action {};
    action.sa_handler = signal_came;
    action.sa_flags = SA_RESTART;
    ::sigaction(signal, &action, &effect_before[static_cast<std::size_t>(signal)]);
}

void end_when_out_of_memory() {
    reserve = ::operator new(kReserveBytes);
    std::set_new_handler(allocation_failed);
}

void when_memory_runs_out(std::function<void()> react) {
    on_shortage = std::move(react);
}

void request_end(EndRequest why) {
    if (request == 0) {
        request = static_cast<std::sig_atomic_t>(why);
    }
}

EndRequest end_requested() {
    return static_cast<EndRequest>(request);
}

bool is_out_of_memory(const std::exception& error) {
    const auto* const refused = dynamic_cast<const std::system_error*>(&error);
    return dynamic_cast<const std::bad_alloc*>(&error) != nullptr ||
           (refused != nullptr && refused->code() == std::errc::not_enough_memory) ||
           end_requested() == EndRequest::OutOfMemory;
}

} // namespace pes

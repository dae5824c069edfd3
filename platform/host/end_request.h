// SPDX-License-Identifier: Apache-2.0
// What asks a run to end before its time: a signal, a debugger, or a host whose memory is used up.
// The run ends in order then, with whole files.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>

namespace pes {

enum class EndRequest : std::uint8_t { None, Signal, OutOfMemory, Debugger };

/// From here on SIGINT, SIGTERM and SIGHUP ask for the end; the second one of a kind has the effect
/// that it had before. SIGPIPE, which says that nobody reads the output, always asks. A SIGHUP that
/// is ignored (nohup) stays so.
void end_on_signals();
/// For a process whose parent gets those signals and passes them on as this one: it alone asks for
/// the end, and the second one ends the process; SIGINT, SIGTERM and SIGHUP do nothing.
void end_on_signal_only(int signal);

/// Puts some memory aside. When the host refuses an allocation for the first time, this memory is
/// given back, and the end is asked for; the second time, std::bad_alloc is thrown.
void end_when_out_of_memory();

/// `react` is called when the end is asked for because of that, in the middle of the allocation, so
/// that the run ends before it needs more. Empty: nothing is.
void when_memory_runs_out(std::function<void()> react);

EndRequest end_requested();
/// The first request counts.
void request_end(EndRequest why);

/// Whether this is what a refused allocation has become on its way: SystemC, for one, makes an
/// error of its own of what its processes throw.
bool is_out_of_memory(const std::exception& error);

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// Interrupt wires: ports for sc_signal<bool>, or for sc_in<bool> and sc_out<bool> of a parent.
//
// A wire changes in the kernel time of its cycle. An input takes the value from the clock edge on
// that is at or after the change. See docs/systemc.md for the few cycles by which an output of
// counters may be late.
#pragma once

#include <systemc>

namespace pes::kit {

/// Modules check themselves which ports must be bound, and name them in one sentence.
using InterruptIn =
    sc_core::sc_port<sc_core::sc_signal_in_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;
/// May stay unbound: an interrupt that nobody receives.
using InterruptOut =
    sc_core::sc_port<sc_core::sc_signal_inout_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

} // namespace pes::kit

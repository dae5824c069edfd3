// SPDX-License-Identifier: Apache-2.0
// All counters left to the supervisor (Smcdeleg): then there is no PMU extension, so that no kernel
// configures through the firmware what a driver of its own configures directly.
#pragma once

namespace pes {

/// From now on; without effect on a hart that lacks Smcdeleg. Before the supervisor runs.
void delegate_counters();
bool counters_delegated();

/// Machine mode is not counted by the calling hart's counters: sireg2 does not change MINH
/// (Smcdeleg 1.0, 3), and the supervisor is not to see the firmware in its counts.
void exclude_machine_mode();

} // namespace pes

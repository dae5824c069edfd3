// SPDX-License-Identifier: Apache-2.0
// The functions of the PMU extension (SBI 3.0), one file a group: pmu.cpp has the questions about
// counters, pmu_config.cpp configuration, pmu_run.cpp start and stop, pmu_memory.cpp the two that
// go through supervisor memory. `argument` is a0..a5. Each acts on the calling hart's counters.
#pragma once

#include "firmware/sbi/sbi.h"

#include <stdint.h>

namespace pes {

sbi::Result pmu_config_matching(const uint64_t* argument);
sbi::Result pmu_start(const uint64_t* argument);
sbi::Result pmu_stop(const uint64_t* argument);
sbi::Result pmu_set_snapshot_memory(const uint64_t* argument);
sbi::Result pmu_event_info(const uint64_t* argument);

/// The calling hart's snapshot memory, or null.
volatile sbi::pmu::Snapshot* snapshot_memory();

/// Whether snapshot_set_shmem is there at all; it is not unless this is called. Linux up to 6.12 at
/// least restarts counters from other entries of the page than the text says, and so loses most
/// samples of `perf record` with it.
void offer_snapshots(bool offered);

/// All counters as after reset: nothing configured, no snapshot memory.
void reset_pmu();

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// The device tree that the loader leaves in the supervisor's memory: what the firmware takes from
// it and what it adds.
#pragma once

#include "firmware/lib/flat_tree.h"

#include <stdint.h>

namespace pes {

/// The tree at this address; empty: there is none.
FlatTree boot_tree(uint64_t address);

/// A switch of the firmware: a property, without a value, of the node of /chosen that is compatible
/// with "pes-vp,firmware". Without the node it is off.
bool firmware_switch(const FlatTree& tree, const char* name);

/// Tells the supervisor in /reserved-memory that the machine layer's region is closed to it. The
/// tree may grow past its end, as under OpenSBI: loaders leave memory free behind it.
void reserve_machine_layer(uint64_t tree_address);

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// Adds a region to a flattened device tree that the operating system must leave alone: a node of
// /reserved-memory with `no-map` (Devicetree Specification 0.4, 3.5). The tree is changed where it
// lies. Freestanding.
#pragma once

#include "firmware/lib/flat_tree.h"

namespace pes {

struct ReservedRegion {
    uint64_t base;
    uint64_t size;
};

/// Bytes by which `reserve_region` makes a tree larger, at most.
inline constexpr uint32_t kReservationRoom = 320;

/// `room`: bytes at `start` that the tree may take. False: it has no root, its blocks are not in
/// the order of the specification, the root counts addresses otherwise than in one or two cells, or
/// the room does not do; then it is as it was. A region that is reserved already stays.
bool reserve_region(uint8_t* start, uint32_t room, const ReservedRegion& region);

} // namespace pes

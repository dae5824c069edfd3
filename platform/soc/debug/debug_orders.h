// SPDX-License-Identifier: Apache-2.0
// gdb's breakpoints and watchpoints as orders to a hart.
#pragma once

#include "hw/core/halt/halts.h"
#include "platform/gdb/target.h"

#include <algorithm>
#include <vector>

namespace pes {

inline HaltOrders orders_of(const std::vector<gdb::Point>& points) {
    HaltOrders orders;
    for (const gdb::Point& point : points) {
        if (point.kind == gdb::PointKind::Breakpoint) {
            orders.breakpoints.push_back(point.address);
        } else {
            orders.watches.push_back({.first = point.address,
                                      .last = point.address + (point.size - 1),
                                      .loads = point.kind != gdb::PointKind::WriteWatch,
                                      .stores = point.kind != gdb::PointKind::ReadWatch});
        }
    }
    std::ranges::sort(orders.breakpoints);
    return orders;
}

} // namespace pes

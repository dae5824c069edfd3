// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/register_set.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace pes::trace {
namespace {

constexpr unsigned kWord = 4; // bytes of a register

void ignore(unsigned /*index*/, std::uint64_t /*value*/, Cycle /*at*/) {}

Register reserved(Address from, Address to) {
    return {.name = "reserved",
            .offset = from,
            .width = kWord,
            .count = static_cast<unsigned>((to - from) / kWord),
            .read = [](unsigned, Cycle) { return std::uint64_t{0}; },
            .write = ignore};
}

} // namespace

Register gated(Register definition, std::function<bool()> active, std::string bit, Logger log) {
    if (!definition.write) { // hardwired
        return definition;
    }
    definition.write = [active = std::move(active), bit = std::move(bit), log = std::move(log),
                        name = definition.name, write = std::move(definition.write)](
                           unsigned index, std::uint64_t value, Cycle at) {
        if (!active()) {
            log->warn("write of {:#x} to {} while {} is 0: ignored", value, name, bit);
            return;
        }
        write(index, value, at);
    };
    return definition;
}

void append(std::vector<Register>& list, std::vector<Register> more) {
    std::ranges::move(more, std::back_inserter(list));
}

std::vector<Register> complete_page(std::vector<Register> list, std::uint64_t bytes) {
    std::ranges::sort(list, {}, &Register::offset);
    std::vector<Register> holes;
    Address next = 0;
    for (Register& row : list) {
        if (row.rights == RegisterRights::ReadOnly) {
            row.rights = RegisterRights::ReadWrite;
            row.write = ignore;
        }
        if (row.offset > next) {
            holes.push_back(reserved(next, row.offset));
        }
        const Address stride = row.stride != 0 ? row.stride : row.width;
        next = row.offset + (row.count - 1) * stride + row.width;
    }
    if (next < bytes) {
        holes.push_back(reserved(next, bytes));
    }
    append(list, std::move(holes));
    return list;
}

} // namespace pes::trace

// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/trace/software_trace_system.h"

#include "hw/interface/maps/software_trace.h"
#include "platform/host/numbers.h"
#include "platform/host/user_error.h"

#include <cstdlib>

namespace pes {
namespace {

namespace map = software_trace_map;

/// The registers are the platform's own: a refused access would be its mistake.
void poke(RegisterBlock& block, Address offset, std::uint16_t value, Cycle at) {
    if (block.write(offset, sizeof value, value, at) != AccessStatus::Ok) {
        std::abort();
    }
}

trace::SoftwareTraceConfig unit_config(const std::string& name, const SoftwareTraceSettings& from,
                                       unsigned index) {
    constexpr unsigned kFirstSource = 1; // 0 is the host
    return {.name = name,
            .source = static_cast<std::uint16_t>(kFirstSource + index),
            .value_bits = from.value_bits,
            .word_cycles = from.word_cycles};
}

} // namespace

SoftwareTraceSystem::Unit::Unit(const std::string& name, const PlatformConfig& config,
                                const ClockDomain& clock, Hart& hart, unsigned index,
                                OutputFile* file)
    : channel(file), link(hart),
      module(name.c_str(), unit_config(name, config.software_trace, index), clock, link, channel,
             config.trace.latency) {}

SoftwareTraceSystem::SoftwareTraceSystem(const PlatformConfig& config, const ClockDomain& clock,
                                         Router& router, std::span<HartModule* const> harts,
                                         std::span<OutputFile* const> files) {
    for (unsigned index = 0; index < harts.size(); ++index) {
        const std::string name = "software_trace" + std::to_string(index);
        Hart& hart = harts[index]->hart();
        Unit& unit = units_.emplace_back(name, config, clock, hart, index,
                                         files.empty() ? nullptr : files[index]);
        router.map(name, config.software_trace.base + index * map::kBlockBytes, map::kBlockBytes,
                   unit.module.socket());
        if (!hart.add_csr(static_cast<std::uint16_t>(config.software_trace.csr),
                          unit.module.unit())) {
            throw UserError("trace.software.csr = " + hex(config.software_trace.csr) +
                            ": the hart has a CSR with this number, expected a free one");
        }
    }
}

void SoftwareTraceSystem::set_up(ThreadTracking tracking, Cycle at) {
    for (Unit& unit : units_) {
        RegisterBlock& block = unit.module.unit().registers();
        poke(block, map::kThreadTracking, tracking == ThreadTracking::On ? map::kTrackThreads : 0,
             at);
        poke(block, map::kControl, map::kActive, at);
    }
}

void SoftwareTraceSystem::finish() {
    for (Unit& unit : units_) {
        unit.module.unit().drain();
    }
}

void SoftwareTraceSystem::state(Archive& archive) {
    for (Unit& unit : units_) {
        archive(unit.channel, unit.module);
    }
}

std::vector<trace::SoftwareTraceCounts> SoftwareTraceSystem::counts() const {
    std::vector<trace::SoftwareTraceCounts> list;
    for (const Unit& unit : units_) {
        list.push_back(unit.module.unit().counts());
    }
    return list;
}

std::uint64_t SoftwareTraceSystem::unread_bytes() const {
    std::uint64_t sum = 0;
    for (const Unit& unit : units_) {
        sum += unit.channel.unread();
    }
    return sum;
}

} // namespace pes

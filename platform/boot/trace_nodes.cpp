// SPDX-License-Identifier: Apache-2.0
#include "platform/boot/trace_nodes.h"

#include "hw/interface/maps/trace.h"
#include "hw/interface/maps/trace_control.h"

#include <array>
#include <string>
#include <utility>

namespace pes {
namespace {

constexpr std::uint32_t kFirstEndpointPhandle = 128;

/// Both ends of a connection.
struct Link {
    std::uint32_t output;
    std::uint32_t input;
};

class Links {
  public:
    Link next() { return {.output = next_++, .input = next_++}; }

  private:
    std::uint32_t next_ = kFirstEndpointPhandle;
};

enum class Kind : std::uint8_t { Encoder, Funnel, RamSink };

TreeNode component(const TraceConfig& trace, Kind kind, Address base) {
    TreeNode node("trace", base);
    if (trace.registers == trace::RegisterSet::Standard) {
        node.texts("compatible", {"pes-vp,trace-component", "riscv,trace-component"});
    } else {
        node.text("compatible",
                  kind == Kind::Encoder ? "pes-vp,trace-encoder" : "pes-vp,trace-funnel");
    }
    node.range({base, trace_control::kComponentBytes});
    return node;
}

/// The page for user mode. Its clock is that of the time, before the prescaler.
TreeNode stimuli(const PlatformConfig& config, unsigned hart, Address base) {
    TreeNode node("stimuli", base);
    node.text("compatible", "pes-vp,trace-stimuli");
    node.range({base, trace_map::kBlockBytes});
    node.cells("cpus", {kFirstCpuPhandle + hart});
    node.cells("clock-frequency", {static_cast<std::uint32_t>(config.clock_hz)});
    return node;
}

TreeNode endpoint(std::uint32_t own, std::uint32_t remote) {
    return TreeNode("endpoint").cells("phandle", {own}).cells("remote-endpoint", {remote});
}

/// out-ports with one port.
TreeNode output(const Link& link) {
    return TreeNode("out-ports").add(TreeNode("port").add(endpoint(link.output, link.input)));
}

/// in-ports: a number behind the name where there are several.
TreeNode inputs(const std::vector<Link>& links) {
    TreeNode ports("in-ports");
    if (links.size() == 1) {
        return ports.add(TreeNode("port").add(endpoint(links[0].input, links[0].output)));
    }
    ports.cells("#address-cells", {1});
    ports.cells("#size-cells", {0});
    for (std::uint32_t number = 0; number < links.size(); ++number) {
        ports.add(TreeNode("port", number)
                      .cells("reg", {number})
                      .add(endpoint(links[number].input, links[number].output)));
    }
    return ports;
}

Address page(Address base, unsigned index) {
    return base + index * trace_control::kComponentBytes;
}

} // namespace

bool has_trace_nodes(const PlatformConfig& config) {
    return config.trace.enabled;
}

std::vector<TreeNode> trace_nodes(const PlatformConfig& config) {
    const TraceConfig& trace = config.trace;
    const unsigned funnels = funnel_count(trace, config.harts);
    Links links;
    std::vector<TreeNode> nodes;
    std::vector<std::vector<Link>> into_funnel(funnels);
    const bool ram_sinks = ram_sink_count(trace, config.harts) != 0; // else in the blocks
    const auto ram_sink = [&](unsigned index, const Link& link) {
        TreeNode node = component(trace, Kind::RamSink, page(trace.ram_base, index));
        if (funnels == 0) {
            node.cells("cpus", {kFirstCpuPhandle + index});
        }
        nodes.push_back(std::move(node.add(inputs({link}))));
    };
    // The inputs of funnel 0: first those of the other funnels, as they are built.
    std::vector<Link> out_of_funnel(funnels);
    for (unsigned index = 0; index < funnels; ++index) {
        out_of_funnel[index] = links.next();
        if (index != 0) {
            into_funnel[0].push_back(out_of_funnel[index]);
        }
    }
    for (unsigned hart = 0; hart < config.harts; ++hart) {
        TreeNode node = component(trace, Kind::Encoder, page(trace.base, hart));
        node.cells("cpus", {kFirstCpuPhandle + hart});
        const bool has_output = funnels != 0 || ram_sinks;
        const Link link = has_output ? links.next() : Link{};
        nodes.push_back(has_output ? std::move(node.add(output(link))) : std::move(node));
        nodes.push_back(stimuli(config, hart, page(trace.stimuli_base, hart)));
        if (funnels != 0) {
            into_funnel[hart * funnels / config.harts].push_back(link);
        } else if (ram_sinks) {
            ram_sink(hart, link);
        }
    }
    for (unsigned index = 0; index < funnels; ++index) {
        TreeNode node = component(trace, Kind::Funnel, page(trace.funnel_base, index));
        node.add(inputs(into_funnel[index]));
        if (index != 0 || ram_sinks) {
            node.add(output(out_of_funnel[index]));
        }
        nodes.push_back(std::move(node));
    }
    if (funnels != 0 && ram_sinks) {
        ram_sink(0, out_of_funnel[0]);
    }
    return nodes;
}

} // namespace pes

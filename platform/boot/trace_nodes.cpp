// SPDX-License-Identifier: Apache-2.0
#include "platform/boot/trace_nodes.h"

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

TreeNode component(Address base) {
    TreeNode node("trace", base);
    node.texts("compatible", {"pes-vp,trace-component", "riscv,trace-component"});
    node.range({base, trace_control::kComponentBytes});
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
    return config.trace.enabled && config.trace.registers == trace::RegisterSet::Standard;
}

std::vector<TreeNode> trace_nodes(const PlatformConfig& config) {
    const TraceConfig& trace = config.trace;
    const unsigned funnels = funnel_count(trace, config.harts);
    Links links;
    std::vector<TreeNode> nodes;
    std::vector<std::vector<Link>> into_funnel(funnels);
    const auto ram_sink = [&](unsigned index, const Link& link) {
        TreeNode node = component(page(trace.ram_base, index));
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
        const Link link = links.next();
        nodes.push_back(std::move(component(page(trace.base, hart))
                                      .cells("cpus", {kFirstCpuPhandle + hart})
                                      .add(output(link))));
        if (funnels == 0) {
            ram_sink(hart, link);
        } else {
            into_funnel[hart * funnels / config.harts].push_back(link);
        }
    }
    for (unsigned index = 0; index < funnels; ++index) {
        nodes.push_back(std::move(component(page(trace.funnel_base, index))
                                      .add(inputs(into_funnel[index]))
                                      .add(output(out_of_funnel[index]))));
    }
    if (funnels != 0) {
        ram_sink(0, out_of_funnel[0]);
    }
    return nodes;
}

} // namespace pes

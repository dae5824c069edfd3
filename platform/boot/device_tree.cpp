// SPDX-License-Identifier: Apache-2.0
#include "platform/boot/device_tree.h"

#include "hw/common/device/tree_node.h"
#include "hw/core/arch/core_ids.h"
#include "hw/interface/pmu/counter_csr.h"
#include "platform/boot/trace_nodes.h"
#include "platform/host/regular_file.h"
#include "platform/host/user_error.h"

#include <algorithm>
#include <cstring>
#include <libfdt.h>
#include <random>
#include <stdexcept>

namespace pes {
namespace {

constexpr std::size_t kRoom = std::size_t{64} * 1024; // far more than 8 harts and any profile need
constexpr std::uint32_t kFirstHartPhandle = 16;

/// Flattens a tree; libfdt keeps an error until the end.
class TreeWriter {
  public:
    TreeWriter() : blob_(kRoom) {
        check(fdt_create(blob_.data(), static_cast<int>(blob_.size())));
        check(fdt_finish_reservemap(blob_.data()));
    }

    void write(const TreeNode& node) {
        check(fdt_begin_node(blob_.data(), node.name.c_str()));
        for (const auto& [name, bytes] : node.properties) {
            check(fdt_property(blob_.data(), name.c_str(), bytes.data(),
                               static_cast<int>(bytes.size())));
        }
        for (const TreeNode& child : node.children) {
            write(child);
        }
        check(fdt_end_node(blob_.data()));
    }

    DeviceTree finish() {
        check(fdt_finish(blob_.data()));
        blob_.resize(fdt_totalsize(blob_.data()));
        return std::move(blob_);
    }

  private:
    static void check(int result) {
        if (result < 0) {
            throw std::logic_error(std::string("device tree: ") + fdt_strerror(result));
        }
    }

    DeviceTree blob_;
};

/// The most special first: software takes the core from it (Linux: the uarch line of cpuinfo).
std::vector<std::string_view> core_names(const PmuProfile& profile) {
    return {profile.cpu != nullptr ? profile.cpu : core_ids::kCompatible, "riscv"};
}

constexpr std::string_view kIsaBase = "rv64i";

/// What the hart's instruction set and its counters bring, in the canonical order of riscv,isa.
std::vector<std::string_view> unprivileged_extensions(const PlatformConfig& config) {
    const bool has_hpm = config.counters.profile->registers == RegisterSet::Hpm;
    std::vector<std::string_view> names = extension_names(config.hart.extensions.isa);
    names.insert(names.begin(), "i");
    const auto is_long = [](std::string_view name) { return name.size() > 1; };
    if (config.hart.time_csr && has_hpm) { // the CSRs time, cycle and instret
        names.insert(std::ranges::find_if(names, is_long), "zicntr");
    }
    if (has_hpm) {
        names.insert(std::ranges::find(names, "zifencei") + 1, "zihpm");
    }
    return names;
}

/// In the canonical order of riscv,isa.
std::vector<std::string_view> isa_extensions(const PlatformConfig& config) {
    std::vector<std::string_view> names = unprivileged_extensions(config);
    const auto add = [&names](bool present, std::string_view name) {
        if (present) {
            names.push_back(name);
        }
    };
    const Extensions& extensions = config.hart.extensions;
    add(extensions.smcdeleg, "smcdeleg");
    add(config.counters.smcntrpmf, "smcntrpmf");
    add(extensions.smcsrind, "smcsrind");
    add(extensions.smctr, "smctr");
    add(extensions.smpdis, "smpdis");
    add(extensions.smstateen, "smstateen");
    add(extensions.ssamb, "ssamb");
    add(extensions.smcdeleg, "ssccfg");
    add(config.counters.sscofpmf, "sscofpmf");
    add(extensions.smcsrind, "sscsrind");
    add(extensions.smctr, "ssctr");
    add(extensions.smpdis, "sspdis");
    add(extensions.sspesa, "sspesa");
    add(extensions.ssplcofi, "ssplcofi");
    add(extensions.smstateen, "ssstateen");
    add(extensions.sstc, "sstc");
    add(extensions.svadu, "svadu");
    return names;
}

TreeNode harts_node(const PlatformConfig& config) {
    TreeNode cpus("cpus");
    cpus.cells("#address-cells", {1});
    cpus.cells("#size-cells", {0});
    cpus.cells("timebase-frequency", {static_cast<std::uint32_t>(timebase_hz(config))});
    for (unsigned hart = 0; hart < config.harts; ++hart) {
        TreeNode cpu("cpu", hart);
        cpu.text("device_type", "cpu");
        cpu.cells("reg", {hart});
        cpu.text("status", "okay");
        cpu.texts("compatible", core_names(*config.counters.profile));
        cpu.text("riscv,isa", isa_string(config));
        cpu.text("riscv,isa-base", kIsaBase);
        cpu.texts("riscv,isa-extensions", isa_extensions(config));
        cpu.text("mmu-type", "riscv,sv39");
        cpu.cells("clock-frequency", {static_cast<std::uint32_t>(config.clock_hz)});
        if (has_trace_nodes(config)) {
            cpu.cells("phandle", {kFirstCpuPhandle + hart});
        }
        cpu.add(TreeNode("interrupt-controller")
                    .cells("#interrupt-cells", {1})
                    .cells("#address-cells", {0})
                    .flag("interrupt-controller")
                    .text("compatible", "riscv,cpu-intc")
                    .cells("phandle", {kFirstHartPhandle + hart}));
        cpus.add(std::move(cpu));
    }
    return cpus;
}

/// What the nodes of the devices refer to, by device.
std::vector<TreePlace> device_places(const PlatformConfig& config) {
    std::vector<TreePlace> places;
    std::uint32_t phandles = 0;
    std::uint32_t controller = 0;
    for (const auto& device : config.devices) {
        const std::uint32_t own = device->traits().has_phandle ? ++phandles : 0;
        controller = device->interrupt_sources() != 0 ? own : controller;
        places.push_back({.harts = config.harts, .phandle = own, .first_hart = kFirstHartPhandle});
    }
    for (TreePlace& place : places) {
        place.interrupt_controller = controller;
    }
    return places;
}

/// The rows of OpenSBI's binding (docs/pmu_support.md), for counters of one kind.
class PmuRows {
  public:
    explicit PmuRows(const CounterConfig& counters)
        : counters_(counters),
          bitmap_(static_cast<std::uint32_t>(((std::uint64_t{1} << counters.programmable) - 1)
                                             << kFirstProgrammable)) {
        const PmuProfile& profile = *counters.profile;
        for (const SbiEventRow& row : std::span(profile.sbi_events, profile.sbi_event_count)) {
            if (exists(row.selector)) {
                add_event(row);
            }
        }
        if (profile.raw_event_count != 0) {
            for (const RawEventRow& row : std::span(profile.raw_events, profile.raw_event_count)) {
                add_raw(row);
            }
            return;
        }
        for (const EventRow& row : profile) {
            if (row.kind() != EventClass::None && exists(row.selector)) {
                add_raw({row.selector, ~std::uint64_t{0}}); // a number: all bits count
            }
        }
    }

    void write(TreeNode& pmu) const {
        if (!selectors_.empty()) {
            pmu.cells("riscv,event-to-mhpmevent", selectors_);
            pmu.cells("riscv,event-to-mhpmcounters", ranges_);
        }
        if (!raw_.empty()) {
            pmu.cells("riscv,raw-event-to-mhpmcounters", raw_);
        }
    }

  private:
    /// False: an event that only Sscofpmf brings, on a core without it.
    bool exists(std::uint64_t selector) const {
        const EventRow* row = find_selector(*counters_.profile, selector);
        return row == nullptr || row->origin == EventOrigin::Core || counters_.sscofpmf;
    }

    void add_event(const SbiEventRow& row) {
        selectors_.insert(selectors_.end(),
                          {row.event, TreeNode::high(row.selector), TreeNode::low(row.selector)});
        ranges_.insert(ranges_.end(), {row.event, row.event, bitmap_});
    }

    void add_raw(const RawEventRow& row) {
        raw_.insert(raw_.end(), {TreeNode::high(row.select), TreeNode::low(row.select),
                                 TreeNode::high(row.mask), TreeNode::low(row.mask), bitmap_});
    }

    const CounterConfig& counters_;
    const std::uint32_t bitmap_; ///< bit n = counter n
    std::vector<std::uint32_t> selectors_, ranges_, raw_;
};

/// OpenSBI knows nothing of the hardware's events but what is said here. Without mhpmevent there
/// is nothing to say.
void add_pmu(TreeNode& root, const CounterConfig& counters) {
    if (counters.programmable == 0 || counters.profile->registers != RegisterSet::Hpm) {
        return;
    }
    TreeNode pmu("pmu");
    pmu.text("compatible", "riscv,pmu");
    PmuRows(counters).write(pmu);
    root.add(std::move(pmu));
}

/// In /chosen. Linux takes no random number before it has entropy, which a machine that does the
/// same in every run has nowhere to take from but here.
void add_boot_settings(TreeNode& chosen, const BootConfig& boot) {
    if (boot.rng_seed != 0) {
        constexpr std::size_t kSeedBytes = 64;
        std::mt19937_64 numbers(boot.rng_seed); // the standard fixes its sequence
        std::string seed;
        while (seed.size() < kSeedBytes) {
            const fdt64_t number = cpu_to_fdt64(numbers());
            seed.append(reinterpret_cast<const char*>(&number), sizeof number);
        }
        chosen.bytes("rng-seed", seed);
    }
    if (boot.pmu_snapshot || boot.pmu_delegated) {
        TreeNode firmware("firmware");
        firmware.text("compatible", "pes-vp,firmware");
        if (boot.pmu_snapshot) {
            firmware.flag("pmu-snapshot");
        }
        if (boot.pmu_delegated) {
            firmware.flag("pmu-delegated");
        }
        chosen.add(std::move(firmware));
    }
}

TreeNode platform_node(const PlatformConfig& config) {
    TreeNode chosen("chosen");
    TreeNode soc("soc");
    soc.cells("#address-cells", {2});
    soc.cells("#size-cells", {2});
    soc.text("compatible", "simple-bus");
    soc.flag("ranges");
    std::vector<TreeNode> beside_soc;
    const std::vector<TreePlace> places = device_places(config);
    for (std::size_t index = 0; const auto& device : config.devices) {
        const TreePlace& own = places[index++];
        if (!device->present()) {
            continue;
        }
        if (std::optional<TreeNode> node = device->node(own)) {
            if (device->traits().is_console) {
                chosen.text("stdout-path", "/soc/" + node->name);
            }
            soc.add(std::move(*node));
        }
        for (TreeNode& node : device->root_nodes(own)) {
            beside_soc.push_back(std::move(node));
        }
    }
    if (has_trace_nodes(config)) {
        for (TreeNode& node : trace_nodes(config)) {
            soc.add(std::move(node));
        }
    }
    add_boot_settings(chosen, config.boot);

    TreeNode root("");
    root.cells("#address-cells", {2});
    root.cells("#size-cells", {2});
    root.text("compatible", "pes-vp,soc");
    // OpenSBI 1.1 writes it over "generic" without an end: nothing shorter.
    root.text("model", "pes-vp,virtual-platform");
    root.add(std::move(chosen));
    root.add(TreeNode("memory", config.hart.memory.base)
                 .text("device_type", "memory")
                 .range(config.hart.memory));
    root.add(harts_node(config));
    root.add(std::move(soc));
    for (TreeNode& node : beside_soc) {
        root.add(std::move(node));
    }
    add_pmu(root, config.counters);
    return root;
}

} // namespace

std::string isa_string(const PlatformConfig& config) {
    std::string isa = "rv64";
    for (const std::string_view name : isa_extensions(config)) {
        isa += name.size() > 1 ? "_" : "";
        isa += name;
    }
    return isa;
}

DeviceTree make_device_tree(const PlatformConfig& config) {
    TreeWriter tree;
    tree.write(platform_node(config));
    return tree.finish();
}

DeviceTree read_device_tree(const std::filesystem::path& file) {
    DeviceTree tree = read_image(file, "device tree");
    if (fdt_check_full(tree.data(), tree.size()) != 0) {
        throw UserError("device tree '" + file.string() +
                        "' is not a valid flattened device tree, expected a file as dtc writes it");
    }
    return tree;
}

void set_boot_arguments(DeviceTree& tree, const BootArguments& arguments,
                        const std::string& origin) {
    const std::size_t room = 4096 + arguments.command_line.size();
    DeviceTree larger(tree.size() + room);
    const auto require = [&origin](int result) {
        if (result < 0) {
            throw UserError(origin +
                            " does not take boot arguments in /chosen: " + fdt_strerror(result));
        }
        return result;
    };
    require(fdt_open_into(tree.data(), larger.data(), static_cast<int>(larger.size())));
    int chosen = fdt_path_offset(larger.data(), "/chosen");
    if (chosen == -FDT_ERR_NOTFOUND) {
        chosen = fdt_add_subnode(larger.data(), 0, "chosen");
    }
    require(chosen);
    if (!arguments.command_line.empty()) {
        require(
            fdt_setprop_string(larger.data(), chosen, "bootargs", arguments.command_line.c_str()));
    }
    if (arguments.initrd) {
        const Address start = arguments.initrd->base;
        require(fdt_setprop_u64(larger.data(), chosen, "linux,initrd-start", start));
        require(fdt_setprop_u64(larger.data(), chosen, "linux,initrd-end",
                                start + arguments.initrd->size));
    }
    require(fdt_pack(larger.data()));
    larger.resize(fdt_totalsize(larger.data()));
    tree = std::move(larger);
}

} // namespace pes

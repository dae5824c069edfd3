// SPDX-License-Identifier: Apache-2.0
#include "platform/boot/device_tree.h"

#include "hw/interface/maps/finisher.h"
#include "hw/interface/maps/interrupts.h"
#include "hw/interface/pmu/counter_csr.h"
#include "platform/host/regular_file.h"
#include "platform/host/user_error.h"

#include <cstring>
#include <libfdt.h>
#include <random>
#include <stdexcept>

namespace pes {
namespace {

constexpr std::size_t kRoom = std::size_t{64} * 1024; // far more than 8 harts and any profile need
constexpr std::uint32_t kPlicPhandle = 1;
constexpr std::uint32_t kFinisherPhandle = 2;
constexpr std::uint32_t kFirstHartPhandle = 16;
constexpr std::uint32_t kUartHertz = 3'686'400; // the transmitter takes no time: any rate will do

/// Writes a tree from its root on; libfdt keeps an error until the end.
class TreeWriter {
  public:
    TreeWriter() : blob_(kRoom) {
        check(fdt_create(blob_.data(), static_cast<int>(blob_.size())));
        check(fdt_finish_reservemap(blob_.data()));
    }

    /// A node from here to the end of the object's life.
    class Node {
      public:
        Node(TreeWriter& writer, const std::string& name) : writer_(writer) {
            check(fdt_begin_node(writer_.blob_.data(), name.c_str()));
        }
        Node(const Node&) = delete;
        Node& operator=(const Node&) = delete;
        ~Node() { fdt_end_node(writer_.blob_.data()); }

      private:
        TreeWriter& writer_;
    };

    void flag(const char* name) { property(name, {}); }
    void bytes(const char* name, const std::string& value) { property(name, value); }
    void text(const char* name, std::string_view value) {
        property(name, std::string(value) + '\0');
    }
    /// Several strings: each followed by NUL.
    void texts(const char* name, const std::vector<std::string_view>& values) {
        std::string all;
        for (const std::string_view value : values) {
            all.append(value).push_back('\0');
        }
        property(name, all);
    }
    void cells(const char* name, const std::vector<std::uint32_t>& values) {
        std::string all;
        for (const std::uint32_t value : values) {
            const fdt32_t cell = cpu_to_fdt32(value);
            all.append(reinterpret_cast<const char*>(&cell), sizeof cell);
        }
        property(name, all);
    }
    /// `reg` under #address-cells = #size-cells = 2.
    void range(const MemoryRange& range) {
        cells("reg", {high(range.base), low(range.base), high(range.size), low(range.size)});
    }

    DeviceTree finish() {
        check(fdt_finish(blob_.data()));
        blob_.resize(fdt_totalsize(blob_.data()));
        return std::move(blob_);
    }

    static std::uint32_t high(std::uint64_t value) {
        return static_cast<std::uint32_t>(value >> 32);
    }
    static std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

  private:
    void property(const char* name, const std::string& bytes) {
        check(fdt_property(blob_.data(), name, bytes.data(), static_cast<int>(bytes.size())));
    }
    static void check(int result) {
        if (result < 0) {
            throw std::logic_error(std::string("device tree: ") + fdt_strerror(result));
        }
    }

    DeviceTree blob_;
};

using Node = TreeWriter::Node;

std::string at(const char* name, std::uint64_t address) {
    char text[64];
    std::snprintf(text, sizeof text, "%s@%llx", name, static_cast<unsigned long long>(address));
    return text;
}

std::uint32_t hart_phandle(unsigned hart) {
    return kFirstHartPhandle + hart;
}

/// interrupts-extended: for each hart these causes, in this order.
std::vector<std::uint32_t> hart_interrupts(unsigned harts,
                                           std::initializer_list<std::uint32_t> causes) {
    std::vector<std::uint32_t> cells;
    for (unsigned hart = 0; hart < harts; ++hart) {
        for (const std::uint32_t cause : causes) {
            cells.insert(cells.end(), {hart_phandle(hart), cause});
        }
    }
    return cells;
}

/// The most special first: software takes the core from it (Linux: the uarch line of cpuinfo).
std::vector<std::string_view> core_names(const PmuProfile& profile) {
    std::vector<std::string_view> names{"openhwgroup,cva6", "riscv"};
    if (profile.cpu != nullptr) {
        names.front() = profile.cpu;
    }
    return names;
}

constexpr std::string_view kIsaBase = "rv64i";

/// In the canonical order of riscv,isa.
std::vector<std::string_view> isa_extensions(const PlatformConfig& config) {
    const bool has_hpm = config.counters.profile->registers == RegisterSet::Hpm;
    std::vector<std::string_view> names{"i", "m", "a", "f", "d", "c"};
    const auto add = [&names](bool present, std::string_view name) {
        if (present) {
            names.push_back(name);
        }
    };
    add(config.hart.time_csr && has_hpm, "zicntr"); // the CSRs time, cycle and instret
    add(true, "zicsr");
    add(true, "zifencei");
    add(has_hpm, "zihpm");
    add(config.counters.smcntrpmf, "smcntrpmf");
    add(config.counters.sscofpmf, "sscofpmf");
    return names;
}

void add_harts(TreeWriter& tree, const PlatformConfig& config) {
    const Node cpus(tree, "cpus");
    tree.cells("#address-cells", {1});
    tree.cells("#size-cells", {0});
    tree.cells("timebase-frequency", {static_cast<std::uint32_t>(timebase_hz(config))});
    for (unsigned hart = 0; hart < config.harts; ++hart) {
        const Node cpu(tree, at("cpu", hart));
        tree.text("device_type", "cpu");
        tree.cells("reg", {hart});
        tree.text("status", "okay");
        tree.texts("compatible", core_names(*config.counters.profile));
        tree.text("riscv,isa", isa_string(config));
        tree.text("riscv,isa-base", kIsaBase);
        tree.texts("riscv,isa-extensions", isa_extensions(config));
        tree.text("mmu-type", "riscv,sv39");
        tree.cells("clock-frequency", {static_cast<std::uint32_t>(config.clock_hz)});
        const Node controller(tree, "interrupt-controller");
        tree.cells("#interrupt-cells", {1});
        tree.cells("#address-cells", {0});
        tree.flag("interrupt-controller");
        tree.text("compatible", "riscv,cpu-intc");
        tree.cells("phandle", {hart_phandle(hart)});
    }
}

void add_interrupt_controllers(TreeWriter& tree, const PlatformConfig& config) {
    constexpr std::uint32_t kMsi = 3, kMti = 7, kSei = 9, kMei = 11;
    {
        const Node clint(tree, at("clint", config.map.clint.base));
        tree.texts("compatible", {"sifive,clint0", "riscv,clint0"});
        tree.range(config.map.clint);
        tree.cells("interrupts-extended", hart_interrupts(config.harts, {kMsi, kMti}));
    }
    const Node plic(tree, at("interrupt-controller", config.map.plic.base));
    tree.texts("compatible", {"sifive,plic-1.0.0", "riscv,plic0"});
    tree.range(config.map.plic);
    tree.cells("#interrupt-cells", {1});
    tree.cells("#address-cells", {0});
    tree.flag("interrupt-controller");
    tree.cells("interrupts-extended", hart_interrupts(config.harts, {kMei, kSei}));
    tree.cells("riscv,ndev", {config.plic.sources});
    tree.cells("phandle", {kPlicPhandle});
}

void add_uart(TreeWriter& tree, const PlatformConfig& config) {
    unsigned shift = 0;
    while (1U << shift < config.uart.stride) {
        ++shift;
    }
    const Node uart(tree, at("serial", config.map.uart.base));
    tree.text("compatible", "ns16550a");
    tree.range(config.map.uart);
    tree.cells("interrupts", {irq::id_of(irq::kUartSource)});
    tree.cells("interrupt-parent", {kPlicPhandle});
    tree.cells("clock-frequency", {kUartHertz});
    tree.cells("reg-shift", {shift});
}

void add_finisher(TreeWriter& tree, const PlatformConfig& config) {
    const Node node(tree, at("test", config.map.finisher.base));
    tree.texts("compatible", {"sifive,test1", "sifive,test0", "syscon"});
    tree.range(config.map.finisher);
    tree.cells("phandle", {kFinisherPhandle});
}

/// What an operating system does with the finisher.
void add_power_actions(TreeWriter& tree) {
    const auto action = [&tree](const char* name, const char* compatible, std::uint32_t value) {
        const Node node(tree, name);
        tree.text("compatible", compatible);
        tree.cells("regmap", {kFinisherPhandle});
        tree.cells("offset", {0});
        tree.cells("value", {value});
    };
    action("poweroff", "syscon-poweroff", finisher::kPass);
    action("reboot", "syscon-reboot", finisher::kReset);
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

    void write(TreeWriter& tree) const {
        if (!selectors_.empty()) {
            tree.cells("riscv,event-to-mhpmevent", selectors_);
            tree.cells("riscv,event-to-mhpmcounters", ranges_);
        }
        if (!raw_.empty()) {
            tree.cells("riscv,raw-event-to-mhpmcounters", raw_);
        }
    }

  private:
    /// False: an event that only Sscofpmf brings, on a core without it.
    bool exists(std::uint64_t selector) const {
        const EventRow* row = find_selector(*counters_.profile, selector);
        return row == nullptr || row->origin == EventOrigin::Core || counters_.sscofpmf;
    }

    void add_event(const SbiEventRow& row) {
        selectors_.insert(selectors_.end(), {row.event, TreeWriter::high(row.selector),
                                             TreeWriter::low(row.selector)});
        ranges_.insert(ranges_.end(), {row.event, row.event, bitmap_});
    }

    void add_raw(const RawEventRow& row) {
        raw_.insert(raw_.end(), {TreeWriter::high(row.select), TreeWriter::low(row.select),
                                 TreeWriter::high(row.mask), TreeWriter::low(row.mask), bitmap_});
    }

    const CounterConfig& counters_;
    const std::uint32_t bitmap_; ///< bit n = counter n
    std::vector<std::uint32_t> selectors_, ranges_, raw_;
};

/// OpenSBI knows nothing of the hardware's events but what is said here. Without mhpmevent there
/// is nothing to say.
void add_pmu(TreeWriter& tree, const CounterConfig& counters) {
    if (counters.programmable == 0 || counters.profile->registers != RegisterSet::Hpm) {
        return;
    }
    const Node pmu(tree, "pmu");
    tree.text("compatible", "riscv,pmu");
    PmuRows(counters).write(tree);
}

/// In /chosen. Linux takes no random number before it has entropy, which a machine that does the
/// same in every run has nowhere to take from but here.
void add_boot_settings(TreeWriter& tree, const BootConfig& boot) {
    if (boot.rng_seed != 0) {
        constexpr std::size_t kSeedBytes = 64;
        std::mt19937_64 numbers(boot.rng_seed); // the standard fixes its sequence
        std::string seed;
        while (seed.size() < kSeedBytes) {
            const fdt64_t number = cpu_to_fdt64(numbers());
            seed.append(reinterpret_cast<const char*>(&number), sizeof number);
        }
        tree.bytes("rng-seed", seed);
    }
    if (boot.pmu_snapshot) {
        const Node firmware(tree, "firmware");
        tree.text("compatible", "pes-vp,firmware");
        tree.flag("pmu-snapshot");
    }
}

void write_platform(TreeWriter& tree, const PlatformConfig& config) {
    const Node root(tree, "");
    tree.cells("#address-cells", {2});
    tree.cells("#size-cells", {2});
    tree.text("compatible", "pes-vp,soc");
    // OpenSBI 1.1 writes it over "generic" without an end: nothing shorter.
    tree.text("model", "pes-vp,virtual-platform");
    {
        const Node chosen(tree, "chosen");
        tree.text("stdout-path", at("/soc/serial", config.map.uart.base));
        add_boot_settings(tree, config.boot);
    }
    {
        const Node memory(tree, at("memory", config.hart.memory.base));
        tree.text("device_type", "memory");
        tree.range(config.hart.memory);
    }
    add_harts(tree, config);
    {
        const Node soc(tree, "soc");
        tree.cells("#address-cells", {2});
        tree.cells("#size-cells", {2});
        tree.text("compatible", "simple-bus");
        tree.flag("ranges");
        add_interrupt_controllers(tree, config);
        add_uart(tree, config);
        add_finisher(tree, config);
    }
    add_power_actions(tree);
    add_pmu(tree, config.counters);
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
    write_platform(tree, config);
    return tree.finish();
}

DeviceTree read_device_tree(const std::filesystem::path& file) {
    DeviceTree tree = read_image(file, "device tree");
    if (fdt_check_full(tree.data(), tree.size()) != 0) {
        throw UserError("device tree '" + file.string() +
                        "' is not a sound flattened device tree, expected a file as dtc writes it");
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

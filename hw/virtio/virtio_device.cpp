// SPDX-License-Identifier: Apache-2.0
#include "hw/virtio/virtio_device.h"

#include "hw/interface/maps/interrupts.h"
#include "hw/virtio/disk.h"
#include "hw/virtio/entropy.h"
#include "hw/virtio/file_transport.h"
#include "hw/virtio/virtio_console.h"

#include <stdexcept>

namespace pes {
namespace {

constexpr std::uint64_t kPage = 0x1000;

std::unique_ptr<VirtioFunction> transport(const char* tag, MessageServer* server) {
    if (server == nullptr) {
        throw std::logic_error("a 9P device without a server");
    }
    return std::make_unique<FileTransport>(tag, *server);
}

} // namespace

/// Behind the same bridge as the UART.
VirtioDescription::VirtioDescription(Address base, unsigned source)
    : DeviceDescription({base, kPage}, 2), source_(source) {}

std::vector<DeviceSetting> VirtioDescription::settings() {
    return {{.key = "request_cycles",
             .slot = &config.request_cycles,
             .format = Format::Cycles,
             .description = "cycles until the device reads a request that it is told of",
             .minimum = 1,
             .maximum = 1'000'000'000},
            {.key = "bytes_per_cycle",
             .slot = &config.bytes_per_cycle,
             .format = Format::Count,
             .description = "bytes of requests and answers that pass in a cycle",
             .minimum = 1,
             .maximum = 1'000'000}};
}

std::vector<DeviceLine> VirtioDescription::lines(unsigned /*harts*/) const {
    return {{DeviceLine::To::Controller, source_}};
}

std::optional<TreeNode> VirtioDescription::node(const TreePlace& place) const {
    return TreeNode("virtio_mmio", range.base)
        .text("compatible", "virtio,mmio")
        .range(range)
        .cells("interrupts", {irq::id_of(source_)})
        .cells("interrupt-parent", {place.interrupt_controller})
        .flag("dma-coherent");
}

std::unique_ptr<Device> VirtioDescription::build(const DeviceHost& host) const {
    if (host.memory == nullptr) {
        throw std::logic_error("a virtio device without memory");
    }
    return std::make_unique<VirtioMmio>(std::string(traits().name), config, *host.memory,
                                        function(host));
}

// ------------------------------------------------------------------------------------------------

std::unique_ptr<DeviceDescription> describe_entropy() {
    return std::make_unique<EntropyDescription>();
}

EntropyDescription::EntropyDescription() : VirtioDescription(0x1000'1000, irq::kEntropySource) {}

std::unique_ptr<DeviceDescription> EntropyDescription::copy() const {
    return std::make_unique<EntropyDescription>(*this);
}

const DeviceTraits& EntropyDescription::traits() const {
    static constexpr DeviceTraits kTraits{
        .name = "entropy", .title = "entropy device", .narrow = true};
    return kTraits;
}

std::vector<DeviceSetting> EntropyDescription::settings() {
    std::vector<DeviceSetting> rows = VirtioDescription::settings();
    rows.insert(rows.begin(), {.key = "enabled",
                               .slot = &used,
                               .format = Format::Switch,
                               .description = "the platform has a virtio entropy device"});
    rows.push_back({.key = "seed",
                    .slot = &seed,
                    .format = Format::Count,
                    .description = "from which its numbers follow"});
    return rows;
}

std::unique_ptr<VirtioFunction> EntropyDescription::function(const DeviceHost& /*host*/) const {
    return std::make_unique<Entropy>(seed);
}

// ------------------------------------------------------------------------------------------------

std::unique_ptr<DeviceDescription> describe_share() {
    return std::make_unique<ShareDescription>();
}

ShareDescription::ShareDescription() : VirtioDescription(0x1000'2000, irq::kShareSource) {}

std::unique_ptr<DeviceDescription> ShareDescription::copy() const {
    return std::make_unique<ShareDescription>(*this);
}

const DeviceTraits& ShareDescription::traits() const {
    static constexpr DeviceTraits kTraits{
        .name = "share", .title = "device of the shared folder", .narrow = true};
    return kTraits;
}

std::unique_ptr<VirtioFunction> ShareDescription::function(const DeviceHost& host) const {
    return transport("host", host.share);
}

// ------------------------------------------------------------------------------------------------

std::unique_ptr<DeviceDescription> describe_root() {
    return std::make_unique<RootDescription>();
}

RootDescription::RootDescription() : VirtioDescription(0x1000'5000, irq::kRootSource) {}

std::unique_ptr<DeviceDescription> RootDescription::copy() const {
    return std::make_unique<RootDescription>(*this);
}

const DeviceTraits& RootDescription::traits() const {
    static constexpr DeviceTraits kTraits{
        .name = "root", .title = "device of the shared root", .narrow = true};
    return kTraits;
}

std::unique_ptr<VirtioFunction> RootDescription::function(const DeviceHost& host) const {
    return transport("root", host.root);
}

// ------------------------------------------------------------------------------------------------

std::unique_ptr<DeviceDescription> describe_control() {
    return std::make_unique<ControlDescription>();
}

ControlDescription::ControlDescription() : VirtioDescription(0x1000'3000, irq::kControlSource) {}

std::unique_ptr<DeviceDescription> ControlDescription::copy() const {
    return std::make_unique<ControlDescription>(*this);
}

const DeviceTraits& ControlDescription::traits() const {
    static constexpr DeviceTraits kTraits{
        .name = "control", .title = "device of the host program's files", .narrow = true};
    return kTraits;
}

std::unique_ptr<VirtioFunction> ControlDescription::function(const DeviceHost& host) const {
    return transport("pes", host.control);
}

// ------------------------------------------------------------------------------------------------

std::unique_ptr<DeviceDescription> describe_disk() {
    return std::make_unique<DiskDescription>();
}

DiskDescription::DiskDescription() : VirtioDescription(0x1000'4000, irq::kDiskSource) {}

std::unique_ptr<DeviceDescription> DiskDescription::copy() const {
    return std::make_unique<DiskDescription>(*this);
}

const DeviceTraits& DiskDescription::traits() const {
    static constexpr DeviceTraits kTraits{.name = "disk", .title = "disk", .narrow = true};
    return kTraits;
}

std::unique_ptr<VirtioFunction> DiskDescription::function(const DeviceHost& host) const {
    if (host.disk == nullptr) {
        throw std::logic_error("a disk without a store");
    }
    return std::make_unique<Disk>(*host.disk);
}

// ------------------------------------------------------------------------------------------------

std::unique_ptr<DeviceDescription> describe_virtio_console() {
    return std::make_unique<VirtioConsoleDescription>();
}

VirtioConsoleDescription::VirtioConsoleDescription()
    : VirtioDescription(0x1000'6000, irq::kVirtioConsoleSource) {}

std::unique_ptr<DeviceDescription> VirtioConsoleDescription::copy() const {
    return std::make_unique<VirtioConsoleDescription>(*this);
}

const DeviceTraits& VirtioConsoleDescription::traits() const {
    static constexpr DeviceTraits kTraits{
        .name = "virtio_console", .title = "virtio console", .narrow = true};
    return kTraits;
}

std::unique_ptr<VirtioFunction> VirtioConsoleDescription::function(const DeviceHost& host) const {
    if (!host.virtio_console) {
        throw std::logic_error("a virtio console whose output goes nowhere");
    }
    return std::make_unique<VirtioConsole>(host.virtio_console, host.virtio_console_input,
                                           ConsoleInput::character_cycles(host.clock_hz));
}

} // namespace pes

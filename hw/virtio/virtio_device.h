// SPDX-License-Identifier: Apache-2.0
// The virtio devices as parts of the platform. One that is not used is not there: nothing answers
// at its addresses, and the device tree does not show it.
#pragma once

#include "hw/common/device/description.h"
#include "hw/virtio/virtio_function.h"
#include "hw/virtio/virtio_mmio.h"

namespace pes {

class VirtioDescription : public DeviceDescription {
  public:
    std::vector<DeviceSetting> settings() override;
    std::vector<DeviceLine> lines(unsigned harts) const override;
    std::optional<TreeNode> node(const TreePlace& place) const override;
    bool present() const override { return used; }
    std::unique_ptr<Device> build(const DeviceHost& host) const override;

    VirtioConfig config;
    bool used = false;

  protected:
    VirtioDescription(Address base, unsigned source);
    virtual std::unique_ptr<VirtioFunction> function(const DeviceHost& host) const = 0;

  private:
    unsigned source_; ///< of the interrupt controller
};

/// Used if the setting entropy.enabled says so.
class EntropyDescription final : public VirtioDescription {
  public:
    EntropyDescription();
    std::unique_ptr<DeviceDescription> copy() const override;
    const DeviceTraits& traits() const override;
    std::vector<DeviceSetting> settings() override;

    std::uint64_t seed = 1;

  protected:
    std::unique_ptr<VirtioFunction> function(const DeviceHost& host) const override;
};

/// A folder of the host, with mount tag "host"; used if there is one (DeviceHost::share).
class ShareDescription final : public VirtioDescription {
  public:
    ShareDescription();
    std::unique_ptr<DeviceDescription> copy() const override;
    const DeviceTraits& traits() const override;

  protected:
    std::unique_ptr<VirtioFunction> function(const DeviceHost& host) const override;
};

/// A folder of the host that is a whole root, with mount tag "root"; likewise (DeviceHost::root).
class RootDescription final : public VirtioDescription {
  public:
    RootDescription();
    std::unique_ptr<DeviceDescription> copy() const override;
    const DeviceTraits& traits() const override;

  protected:
    std::unique_ptr<VirtioFunction> function(const DeviceHost& host) const override;
};

/// Files that the host program serves, with mount tag "pes"; used if it does
/// (DeviceHost::control).
class ControlDescription final : public VirtioDescription {
  public:
    ControlDescription();
    std::unique_ptr<DeviceDescription> copy() const override;
    const DeviceTraits& traits() const override;

  protected:
    std::unique_ptr<VirtioFunction> function(const DeviceHost& host) const override;
};

/// A second console; used if the host takes what it says (DeviceHost::virtio_console).
class VirtioConsoleDescription final : public VirtioDescription {
  public:
    VirtioConsoleDescription();
    std::unique_ptr<DeviceDescription> copy() const override;
    const DeviceTraits& traits() const override;

  protected:
    std::unique_ptr<VirtioFunction> function(const DeviceHost& host) const override;
};

/// Used if there is one (DeviceHost::disk).
class DiskDescription final : public VirtioDescription {
  public:
    DiskDescription();
    std::unique_ptr<DeviceDescription> copy() const override;
    const DeviceTraits& traits() const override;

  protected:
    std::unique_ptr<VirtioFunction> function(const DeviceHost& host) const override;
};

} // namespace pes

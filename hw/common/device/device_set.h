// SPDX-License-Identifier: Apache-2.0
// The devices of a configuration, as a value.
#pragma once

#include "hw/common/device/description.h"

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace pes {

class DeviceSet {
  public:
    explicit DeviceSet(std::vector<std::unique_ptr<DeviceDescription>> devices)
        : devices_(std::move(devices)) {}
    DeviceSet(const DeviceSet& other) {
        for (const auto& device : other.devices_) {
            devices_.push_back(device->copy());
        }
    }
    DeviceSet& operator=(const DeviceSet& other) {
        DeviceSet copy(other);
        devices_.swap(copy.devices_);
        return *this;
    }
    DeviceSet(DeviceSet&&) = default;
    DeviceSet& operator=(DeviceSet&&) = default;
    ~DeviceSet() = default;

    auto begin() const { return devices_.begin(); }
    auto end() const { return devices_.end(); }
    std::size_t size() const { return devices_.size(); }
    DeviceDescription& operator[](std::size_t index) { return *devices_[index]; }
    const DeviceDescription& operator[](std::size_t index) const { return *devices_[index]; }

    /// The device of this class; std::logic_error if the platform has none.
    template <typename Description>
    Description& get() {
        return const_cast<Description&>(std::as_const(*this).get<Description>());
    }
    template <typename Description>
    const Description& get() const {
        for (const auto& device : devices_) {
            if (const auto* found = dynamic_cast<const Description*>(device.get())) {
                return *found;
            }
        }
        throw std::logic_error("the platform has no device of this kind");
    }

  private:
    std::vector<std::unique_ptr<DeviceDescription>> devices_;
};

} // namespace pes

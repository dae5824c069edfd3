// SPDX-License-Identifier: Apache-2.0
// A virtio device behind the register page of VIRTIO 1.2, section 4.2 (version 2; the legacy
// interface is not there). VirtioFunction says what the device does.
//
// Timing. Each queue is served for itself, one request after the other. A notification in cycle t
// is seen from t + 1 on. The device reads a request `request_cycles` after it has been told of it,
// or after it has finished the one before, and does in this cycle what is asked. It writes the
// answer, the used ring and the interrupt status when all bytes of request and answer have passed
// at `bytes_per_cycle`. The interrupt line is registered: it changes in the cycle after its cause.
//
// Features: VIRTIO_F_VERSION_1, VIRTIO_F_INDIRECT_DESC and VIRTIO_F_EVENT_IDX, beside those of the
// function. A driver with the last need not notify a device that is at work, since the device looks
// for the next request itself.
#pragma once

#include "hw/common/device/device.h"
#include "hw/common/device/device_memory.h"
#include "hw/common/level.h"
#include "hw/common/register_block.h"
#include "hw/common/register_map.h"
#include "hw/interface/types.h"
#include "hw/virtio/virtio_function.h"
#include "hw/virtio/virtqueue.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pes {

struct VirtioConfig {
    Cycle request_cycles = 2000;       ///< at least 1
    std::uint64_t bytes_per_cycle = 8; ///< at least 1
};

class VirtioMmio final : public Device {
  public:
    /// `name` is that of the log. `memory` must outlive it.
    VirtioMmio(const std::string& name, const VirtioConfig& config, DeviceMemory& memory,
               std::unique_ptr<VirtioFunction> function);

    RegisterBlock& registers() override { return registers_; }
    /// Line 0 is the interrupt.
    void connect(LevelSink& lines) override { interrupt_ = &lines; }
    void advance(Cycle now) override;
    Cycle next_change() const override { return lanes_[next_lane()].next; }
    void state(Archive& archive) override;

  private:
    /// A request whose answer has not been written yet.
    struct Pending {
        Virtqueue::Chain chain;
        std::vector<std::uint8_t> reply;
        void state(Archive& archive) { archive(chain, reply); }
    };
    /// A queue, and what the device does for it.
    struct Lane {
        Virtqueue queue{};
        Cycle next = kNever; ///< of fetch() or, with a pending request, of finish()
        std::optional<Pending> pending{};

        void rest();
        void state(Archive& archive) { archive(queue, next, pending); }
    };

    std::vector<Register> describe();
    void describe_selections(RegisterMap<VirtioMmio>& map);
    void describe_queue(RegisterMap<VirtioMmio>& map);
    void describe_config(RegisterMap<VirtioMmio>& map);
    std::uint32_t device_id() const { return function_->device_id(); }
    std::uint32_t device_features() const;
    void write_driver_features(std::uint32_t value, Cycle at);
    std::uint32_t queue_size_max() const;
    void write_queue_size(std::uint32_t value, Cycle at);
    std::uint32_t queue_ready() const;
    void write_queue_ready(std::uint32_t value, Cycle at);
    void write_address(unsigned place, std::uint32_t value, Cycle at);
    void notified(std::uint32_t queue, Cycle at);
    std::uint32_t read_interrupt_status(Cycle at);
    std::uint32_t interrupt_status() const { return interrupt_status_; }
    void acknowledge(std::uint32_t causes, Cycle at);
    std::uint32_t read_status(Cycle at);
    std::uint32_t status() const { return status_; }
    void write_status(std::uint32_t value, Cycle at);
    void write_config(unsigned offset, std::uint64_t value, Cycle at);

    std::uint64_t offered() const;
    bool features_fit() const;
    bool queue_exists() const { return queue_select_ < lanes_.size(); }
    Lane* open_lane(std::string_view what);
    std::size_t next_lane() const;
    void reset(Cycle at);
    Virtqueue::Features agreed() const;
    void fetch(unsigned queue, Cycle at);
    void look_for_more(Lane& lane, Cycle at);
    void finish(Lane& lane, Cycle at);
    bool scatter(const Pending& done, Cycle at);
    void stop_for(std::string_view mistake, Cycle at);
    void interrupt(std::uint32_t cause, Cycle at);
    void update_line(Cycle at);
    void complain(std::string_view what) const;

    const std::string name_;
    const VirtioConfig config_;
    DeviceMemory& memory_;
    const std::unique_ptr<VirtioFunction> function_;
    LevelSink* interrupt_ = nullptr;

    std::uint32_t device_features_select_ = 0;
    std::uint32_t driver_features_select_ = 0;
    std::uint64_t driver_features_ = 0;
    std::uint32_t queue_select_ = 0;
    std::uint32_t interrupt_status_ = 0;
    std::uint32_t status_ = 0;
    bool level_ = false;
    std::vector<Lane> lanes_; ///< by queue
    RegisterBlock registers_;
};

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "hw/virtio/virtio_mmio.h"

#include "hw/common/module_logger.h"
#include "hw/interface/maps/virtio.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace pes {
namespace {

constexpr std::uint64_t kBytes = 0x1000;
constexpr std::uint32_t kVendor = 0x50455356; // "VSEP": no list of numbers has one for it
constexpr std::uint64_t kTransportFeatures = std::uint64_t{1} << virtio::kVersion1 |
                                             std::uint64_t{1} << virtio::kIndirectDescriptors |
                                             std::uint64_t{1} << virtio::kEventIndex;
constexpr std::uint32_t kDriverBits = virtio::kAcknowledge | virtio::kDriver | virtio::kDriverOk |
                                      virtio::kFeaturesOk | virtio::kFailed;
constexpr std::uint32_t kNoRegion = 0xFFFF'FFFF; // SHMLen of a region that is not there (4.2.2)

/// A register of 64 bits of which a half is written.
std::uint64_t with_half(std::uint64_t whole, bool high, std::uint32_t half) {
    return high ? (whole & 0xFFFF'FFFF) | std::uint64_t{half} << 32
                : (whole & ~std::uint64_t{0xFFFF'FFFF}) | half;
}

} // namespace

VirtioMmio::VirtioMmio(const std::string& name, const VirtioConfig& config, DeviceMemory& memory,
                       std::unique_ptr<VirtioFunction> function)
    : name_(name), config_(config), memory_(memory), function_(std::move(function)),
      lanes_(function_->queues()), registers_(name, kBytes, describe()) {}

std::vector<Register> VirtioMmio::describe() {
    using namespace virtio;
    RegisterMap<VirtioMmio> map(*this);
    map.reg("MagicValue", kMagicValue).read_only().reset(kMagic);
    map.reg("Version", kVersion).read_only().reset(kModern);
    map.reg("DeviceID", kDeviceId).read_only().read(&VirtioMmio::device_id);
    map.reg("VendorID", kVendorId).read_only().reset(kVendor);
    map.reg("DeviceFeatures", kDeviceFeatures).read_only().read(&VirtioMmio::device_features);
    map.reg("DriverFeatures", kDriverFeatures)
        .write(&VirtioMmio::write_driver_features)
        .write_only();
    map.reg("InterruptStatus", kInterruptStatus)
        .read_only()
        .read(&VirtioMmio::read_interrupt_status)
        .peek(&VirtioMmio::interrupt_status);
    map.reg("InterruptACK", kInterruptAck).write(&VirtioMmio::acknowledge).write_only();
    map.reg("Status", kStatus)
        .read(&VirtioMmio::read_status)
        .peek(&VirtioMmio::status)
        .write(&VirtioMmio::write_status);
    map.reg("SHMSel", kShmSel).write_only();
    map.reg("SHMLen, SHMBase", kShmLenLow).array(4).read_only().reset(kNoRegion);
    map.reg("ConfigGeneration", kConfigGeneration).read_only(); // the configuration never changes
    describe_selections(map);
    describe_queue(map);
    describe_config(map);
    return map.take();
}

void VirtioMmio::describe_selections(RegisterMap<VirtioMmio>& map) {
    const auto select = [&map](const char* name, unsigned offset,
                               std::uint32_t VirtioMmio::*selection) {
        map.reg(name, offset).read(selection).write(selection).write_only();
    };
    select("DeviceFeaturesSel", virtio::kDeviceFeaturesSel, &VirtioMmio::device_features_select_);
    select("DriverFeaturesSel", virtio::kDriverFeaturesSel, &VirtioMmio::driver_features_select_);
    select("QueueSel", virtio::kQueueSel, &VirtioMmio::queue_select_);
}

void VirtioMmio::describe_queue(RegisterMap<VirtioMmio>& map) {
    using namespace virtio;
    map.reg("QueueNumMax", kQueueNumMax).read_only().read(&VirtioMmio::queue_size_max);
    map.reg("QueueNum", kQueueNum).write(&VirtioMmio::write_queue_size).write_only();
    map.reg("QueueReady", kQueueReady)
        .read(&VirtioMmio::queue_ready)
        .write(&VirtioMmio::write_queue_ready);
    map.reg("QueueNotify", kQueueNotify).write(&VirtioMmio::notified).write_only();
    constexpr std::pair<const char*, unsigned> kAddresses[] = {
        {"QueueDescLow", kQueueDescLow},     {"QueueDescHigh", kQueueDescHigh},
        {"QueueDriverLow", kQueueDriverLow}, {"QueueDriverHigh", kQueueDriverHigh},
        {"QueueDeviceLow", kQueueDeviceLow}, {"QueueDeviceHigh", kQueueDeviceHigh}};
    for (unsigned place = 0; place < std::size(kAddresses); ++place) {
        map.reg(kAddresses[place].first, kAddresses[place].second)
            .write(&VirtioMmio::write_address, place)
            .write_only();
    }
}

void VirtioMmio::describe_config(RegisterMap<VirtioMmio>& map) {
    for (const VirtioFunction::ConfigField& field : function_->config()) {
        auto row = map.reg(field.name, virtio::kConfig + field.offset)
                       .width(field.bytes)
                       .reset(field.value);
        if (field.writable) {
            row.write(&VirtioMmio::write_config, field.offset);
        } else {
            row.read_only();
        }
        if (field.bytes == sizeof(std::uint64_t)) {
            row.words(); // a driver reads 64 bits as two words (4.2.2.2)
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Initialisation (section 3.1)

std::uint64_t VirtioMmio::offered() const {
    return function_->features() | kTransportFeatures;
}

std::uint32_t VirtioMmio::device_features() const {
    return device_features_select_ > 1
               ? 0
               : static_cast<std::uint32_t>(offered() >> 32 * device_features_select_);
}

void VirtioMmio::write_driver_features(std::uint32_t value, Cycle at) {
    advance(at);
    if ((status_ & virtio::kFeaturesOk) != 0) {
        complain("DriverFeatures is written after FEATURES_OK"); // 3.1.1
    } else if (driver_features_select_ <= 1) {
        driver_features_ = with_half(driver_features_, driver_features_select_ == 1, value);
    } else if (value != 0) {
        complain("the driver wants a feature beyond bit 63");
    }
}

/// 6.1: a driver accepts VIRTIO_F_VERSION_1, and nothing that is not offered.
bool VirtioMmio::features_fit() const {
    return (driver_features_ & ~offered()) == 0 && (driver_features_ >> virtio::kVersion1 & 1) != 0;
}

std::uint32_t VirtioMmio::read_status(Cycle at) {
    advance(at);
    return status_;
}

/// A driver never clears a bit except by a reset (2.1.1).
void VirtioMmio::write_status(std::uint32_t value, Cycle at) {
    advance(at);
    if (value == 0) {
        reset(at);
        return;
    }
    std::uint32_t fresh = value & kDriverBits & ~status_;
    if ((fresh & virtio::kFeaturesOk) != 0 && !features_fit()) {
        complain("FEATURES_OK with features that are not offered, or without VIRTIO_F_VERSION_1");
        fresh &= ~std::uint32_t{virtio::kFeaturesOk}; // the driver reads it back (3.1.1, step 6)
    }
    if ((fresh & virtio::kDriverOk) != 0 && ((status_ | fresh) & virtio::kFeaturesOk) == 0) {
        complain("DRIVER_OK without FEATURES_OK");
        fresh &= ~std::uint32_t{virtio::kDriverOk};
    }
    status_ |= fresh;
}

void VirtioMmio::reset(Cycle at) {
    device_features_select_ = driver_features_select_ = queue_select_ = 0;
    driver_features_ = 0;
    interrupt_status_ = status_ = 0;
    for (Lane& lane : lanes_) {
        lane.rest();
        lane.queue.stop();
        lane.queue.layout = {};
    }
    function_->reset();
    update_line(at);
}

// ------------------------------------------------------------------------------------------------
// The queues (4.2.3.2)

/// It does nothing until it is told to.
void VirtioMmio::Lane::rest() {
    pending.reset();
    next = kNever;
}

std::uint32_t VirtioMmio::queue_size_max() const {
    return queue_exists() ? function_->queue_size() : 0;
}

/// Of the queue that is selected, if its registers may be written: it is there and not in use.
VirtioMmio::Lane* VirtioMmio::open_lane(std::string_view what) {
    if (!queue_exists() || lanes_[queue_select_].queue.ready()) {
        complain(std::string(what) + " of a queue that is " +
                 (queue_exists() ? "in use" : "not there"));
        return nullptr;
    }
    return &lanes_[queue_select_];
}

void VirtioMmio::write_queue_size(std::uint32_t value, Cycle at) {
    advance(at);
    Lane* const lane = open_lane("QueueNum");
    if (lane == nullptr) {
        return;
    }
    if (!std::has_single_bit(value) || value > function_->queue_size()) {
        complain("QueueNum " + std::to_string(value) + ", expected a power of two up to " +
                 std::to_string(function_->queue_size()));
        return;
    }
    lane->queue.layout.size = value;
}

/// `place`: the three addresses, low word first.
void VirtioMmio::write_address(unsigned place, std::uint32_t value, Cycle at) {
    advance(at);
    Lane* const lane = open_lane("an address");
    if (lane == nullptr) {
        return;
    }
    Virtqueue::Layout& layout = lane->queue.layout;
    Address& address = place < 2 ? layout.descriptors : place < 4 ? layout.available : layout.used;
    address = with_half(address, place % 2 != 0, value);
}

std::uint32_t VirtioMmio::queue_ready() const {
    return queue_exists() && lanes_[queue_select_].queue.ready() ? 1 : 0;
}

void VirtioMmio::write_queue_ready(std::uint32_t value, Cycle at) {
    advance(at);
    if (value == 0 && queue_exists()) { // it stops, with what it has in hand
        lanes_[queue_select_].rest();
        lanes_[queue_select_].queue.stop();
        return;
    }
    Lane* const lane = open_lane("QueueReady");
    if (lane == nullptr) {
        return;
    }
    if (const std::string_view mistake = lane->queue.mistake(memory_); !mistake.empty()) {
        stop_for(mistake, at);
        return;
    }
    lane->queue.start();
}

void VirtioMmio::notified(std::uint32_t queue, Cycle at) {
    advance(at);
    const bool runs = (status_ & (virtio::kDriverOk | virtio::kNeedsReset)) == virtio::kDriverOk;
    if (queue >= lanes_.size() || !runs || !lanes_[queue].queue.ready()) {
        complain("a notification that no queue waits for"); // 2.1.2, 2.3
    } else if (lanes_[queue].next == kNever) {
        lanes_[queue].next = at + config_.request_cycles;
    }
}

/// Some fields may be written before the driver has done anything else (5.3.5.1).
void VirtioMmio::write_config(unsigned offset, std::uint64_t value, Cycle at) {
    advance(at);
    function_->write_config(offset, value);
}

// ------------------------------------------------------------------------------------------------
// Requests

/// The first of those that have something to do first.
std::size_t VirtioMmio::next_lane() const {
    std::size_t first = 0;
    for (std::size_t index = 1; index < lanes_.size(); ++index) {
        first = lanes_[index].next < lanes_[first].next ? index : first;
    }
    return first;
}

void VirtioMmio::advance(Cycle now) {
    while (next_change() <= now) {
        const std::size_t queue = next_lane();
        const Cycle at = std::exchange(lanes_[queue].next, kNever);
        if (lanes_[queue].pending) {
            finish(lanes_[queue], at);
        } else {
            fetch(static_cast<unsigned>(queue), at);
        }
    }
}

Virtqueue::Features VirtioMmio::agreed() const {
    return {.indirect = (driver_features_ >> virtio::kIndirectDescriptors & 1) != 0,
            .event_index = (driver_features_ >> virtio::kEventIndex & 1) != 0};
}

/// Reads the next request and serves it; its answer is pending.
void VirtioMmio::fetch(unsigned queue, Cycle at) {
    Lane& lane = lanes_[queue];
    const Cycle wait = lane.queue.has_work(memory_, at) ? function_->wait(queue) : 0;
    if (wait != 0) {
        lane.next = wait == kNever ? kNever : at + wait;
        return;
    }
    Virtqueue::Taken taken = lane.queue.take(memory_, agreed(), at);
    if (!taken.mistake.empty()) {
        stop_for(taken.mistake, at);
        return;
    }
    if (!taken.chain) {
        look_for_more(lane, at);
        return;
    }
    std::vector<std::byte> request(taken.chain->readable_bytes);
    std::span<std::byte> rest(request);
    for (const Virtqueue::Piece& piece : taken.chain->readable) {
        // The chain has been checked: all of it is in memory.
        memory_.read(piece.address, rest.first(piece.length), at);
        rest = rest.subspan(piece.length);
    }
    Pending& pending = lane.pending.emplace();
    pending.reply.resize(taken.chain->writable_bytes);
    pending.chain = std::move(*taken.chain);
    const std::size_t written =
        function_->serve(queue, request, std::as_writable_bytes(std::span(pending.reply)));
    pending.reply.resize(std::min(written, pending.reply.size()));
    const std::uint64_t bytes = request.size() + pending.reply.size();
    lane.next = at + std::max<Cycle>(1, bytes / config_.bytes_per_cycle +
                                            (bytes % config_.bytes_per_cycle != 0 ? 1 : 0));
}

void VirtioMmio::finish(Lane& lane, Cycle at) {
    const Pending done = std::move(*lane.pending);
    lane.pending.reset();
    const auto written = static_cast<std::uint32_t>(done.reply.size());
    if (!scatter(done, at) || !lane.queue.give_back(memory_, done.chain.head, written, at)) {
        stop_for("an answer has no place in main memory", at);
        return;
    }
    if (lane.queue.wants_interrupt(memory_, agreed(), at)) {
        interrupt(virtio::kUsedBuffer, at);
    }
    look_for_more(lane, at);
}

/// Reading and writing here are one cycle: what the driver makes available later is notified.
void VirtioMmio::look_for_more(Lane& lane, Cycle at) {
    if (lane.queue.has_work(memory_, at)) {
        lane.next = at + config_.request_cycles;
    } else if (!lane.queue.want_notification(memory_, agreed(), at)) {
        stop_for("a ring is not in main memory", at);
    }
}

bool VirtioMmio::scatter(const Pending& done, Cycle at) {
    std::span<const std::byte> rest = std::as_bytes(std::span(done.reply));
    for (const Virtqueue::Piece& piece : done.chain.writable) {
        const std::size_t part = std::min<std::size_t>(piece.length, rest.size());
        if (!memory_.write(piece.address, rest.first(part), at)) {
            return false;
        }
        rest = rest.subspan(part);
    }
    return rest.empty();
}

/// 2.1.2: the device can do nothing more until it is reset, and tells a driver that runs.
void VirtioMmio::stop_for(std::string_view mistake, Cycle at) {
    complain(mistake);
    status_ |= virtio::kNeedsReset;
    for (Lane& lane : lanes_) {
        lane.rest();
    }
    if ((status_ & virtio::kDriverOk) != 0) {
        interrupt(virtio::kConfigChange, at);
    }
}

void VirtioMmio::complain(std::string_view what) const {
    module_logger(name_)->warn("{}", what);
}

// ------------------------------------------------------------------------------------------------
// The interrupt

void VirtioMmio::interrupt(std::uint32_t cause, Cycle at) {
    interrupt_status_ |= cause;
    update_line(at);
}

std::uint32_t VirtioMmio::read_interrupt_status(Cycle at) {
    advance(at);
    return interrupt_status_;
}

void VirtioMmio::acknowledge(std::uint32_t causes, Cycle at) {
    advance(at);
    interrupt_status_ &= ~causes;
    update_line(at);
}

void VirtioMmio::update_line(Cycle at) {
    const bool level = interrupt_status_ != 0;
    if (level != level_) {
        level_ = level;
        if (interrupt_ != nullptr) {
            interrupt_->set_level(0, level, at + 1);
        }
    }
}

// ------------------------------------------------------------------------------------------------

void VirtioMmio::state(Archive& archive) {
    archive(registers_, *function_, device_features_select_, driver_features_select_,
            driver_features_, queue_select_, interrupt_status_, status_, level_);
    for (Lane& lane : lanes_) {
        archive(lane);
        if (lane.queue.layout.size > function_->queue_size() ||
            (lane.pending && !lane.queue.ready())) {
            archive.refuse("a request or a queue is not one of this device");
        }
    }
}

} // namespace pes

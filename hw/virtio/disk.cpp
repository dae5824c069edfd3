// SPDX-License-Identifier: Apache-2.0
#include "hw/virtio/disk.h"

#include "hw/common/module_logger.h"
#include "hw/interface/maps/virtio.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace pes {
namespace {

/// struct virtio_blk_req, without its data and its status.
struct Header {
    std::uint32_t type;
    std::uint32_t reserved;
    std::uint64_t sector;
};
static_assert(sizeof(Header) == virtio::kBlockHeaderBytes);

constexpr std::string_view kSerial = "pes-vp";

} // namespace

std::uint32_t Disk::device_id() const {
    return virtio::kBlockDevice;
}

std::uint64_t Disk::features() const {
    return std::uint64_t{1} << virtio::kBlockSegMax | std::uint64_t{1} << virtio::kBlockSize |
           std::uint64_t{1} << virtio::kBlockFlush;
}

/// struct virtio_blk_config: capacity, seg_max and blk_size. The fields of other features are not
/// there.
std::vector<VirtioFunction::ConfigField> Disk::config() const {
    constexpr std::uint32_t kHeaderAndStatus = 2; // descriptors of a request beside the data
    return {{"capacity", 0, 8, store_.bytes() / BlockStore::kSector},
            {"seg_max", 12, 4, queue_size() - kHeaderAndStatus},
            {"blk_size", 20, 4, BlockStore::kSector}};
}

/// The status is the last byte of the answer, behind the data of a read (5.2.6).
std::size_t Disk::serve(unsigned /*queue*/, std::span<const std::byte> request,
                        std::span<std::byte> reply) {
    if (reply.empty()) {
        module_logger("disk")->warn("a request without room for its status");
        return 0;
    }
    const std::span<std::byte> data = reply.first(reply.size() - 1);
    reply.back() = static_cast<std::byte>(do_request(request, data));
    return reply.size();
}

std::uint8_t Disk::do_request(std::span<const std::byte> request, std::span<std::byte> data) {
    Header header{};
    if (request.size() < sizeof header) {
        module_logger("disk")->warn("a request of {} bytes, expected at least {}", request.size(),
                                    sizeof header);
        return virtio::kBlockIoError;
    }
    std::memcpy(&header, request.data(), sizeof header);
    const std::span<const std::byte> payload = request.subspan(sizeof header);
    const auto status = [](bool done) {
        return static_cast<std::uint8_t>(done ? virtio::kBlockOk : virtio::kBlockIoError);
    };
    switch (header.type) {
    case virtio::kBlockIn:
        return status(inside(header.sector, data.size()) &&
                      store_.read(header.sector * BlockStore::kSector, data));
    case virtio::kBlockOut:
        return status(inside(header.sector, payload.size()) &&
                      store_.write(header.sector * BlockStore::kSector, payload));
    case virtio::kBlockFlushRequest:
        return status(store_.flush());
    case virtio::kBlockGetId: // 20 bytes, filled with zeros
        std::ranges::fill(data, std::byte{0});
        std::memcpy(data.data(), kSerial.data(), std::min(data.size(), kSerial.size()));
        return virtio::kBlockOk;
    default:
        return virtio::kBlockUnsupported;
    }
}

/// Whole sectors of the disk (5.2.6.1).
bool Disk::inside(std::uint64_t sector, std::uint64_t bytes) const {
    const std::uint64_t sectors = store_.bytes() / BlockStore::kSector;
    const std::uint64_t count = bytes / BlockStore::kSector;
    const bool fits =
        bytes % BlockStore::kSector == 0 && sector <= sectors && count <= sectors - sector;
    if (!fits) {
        module_logger("disk")->warn("{} bytes from sector {} on, expected sectors of {} in all",
                                    bytes, sector, sectors);
    }
    return fits;
}

} // namespace pes

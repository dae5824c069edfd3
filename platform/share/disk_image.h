// SPDX-License-Identifier: Apache-2.0
// A raw image of a disk. What the guest writes stays in memory, and the file as it is, unless it is
// to be kept.
#pragma once

#include "hw/common/device/block_store.h"
#include "platform/host/file_descriptor.h"

#include <array>
#include <filesystem>
#include <map>
#include <string_view>

namespace pes {

class DiskImage final : public BlockStore {
  public:
    enum class Writes : std::uint8_t { InMemory, ToFile };

    /// `option` names it in a UserError, if it is no such file, or another process that keeps its
    /// writes has it.
    DiskImage(const std::filesystem::path& file, Writes writes, std::string_view option);

    std::uint64_t bytes() const override { return bytes_; }
    bool read(std::uint64_t offset, std::span<std::byte> to) override;
    bool write(std::uint64_t offset, std::span<const std::byte> from) override;
    bool flush() override;
    /// With Writes::ToFile nothing: the file has it. One that has changed since cannot be that of a
    /// checkpoint.
    void state(Archive& archive) override;

  private:
    static constexpr std::uint64_t kBlock = 4096;
    using Block = std::array<std::byte, kBlock>;

    bool read_file(std::uint64_t offset, std::span<std::byte> to) const;
    bool write_file(std::uint64_t offset, std::span<const std::byte> from) const;
    Block* block_to_write(std::uint64_t number);

    const FileDescriptor descriptor_;
    const Writes writes_;
    std::uint64_t bytes_ = 0;
    std::map<std::uint64_t, Block> written_; ///< by number; with Writes::InMemory
};

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// The file of a checkpoint:
//
//   8 bytes   "PES-CKPT"
//   u32       version of what follows; other versions are refused
//   u32       CRC-32 of the rest of the file
//   rest      an archive (hw/common/archive.h), packed with zstd
//
// The archive begins with the settings, as text, so that a run with other ones can say which.
// Numbers are little-endian. docs/checkpoints.md describes the file for its users.
#pragma once

#include "hw/common/archive.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pes {

/// Changes with everything that a state(Archive&) lists.
inline constexpr std::uint32_t kCheckpointVersion = 19;

/// Key and value of each thing that must be the same where the checkpoint is restored.
using CheckpointSettings = std::vector<std::pair<std::string, std::string>>;

std::vector<std::byte> pack_checkpoint(std::span<const std::byte> archive);

/// The content of a file, unpacked as it is read: most of it is memory of the guest and goes there
/// at once.
class CheckpointSource final : public ByteSource {
  public:
    /// Checks the file as a whole; throws UserError, whose sentence begins with `title`.
    CheckpointSource(std::vector<std::byte> file, const std::string& title);
    ~CheckpointSource() override;

    std::uint64_t size() const override { return size_; }
    void read(std::span<std::byte> bytes) override;

  private:
    struct Stream;
    void unpack(std::span<std::byte> bytes);

    std::vector<std::byte> file_;
    std::unique_ptr<Stream> stream_;
    std::uint64_t size_ = 0;
    std::uint64_t unpacked_ = 0;
    std::vector<std::byte> ahead_; ///< for small reads ...
    std::size_t taken_ = 0;        ///< ... and what has been read of it
};

/// That of a file; none if it is no checkpoint.
std::optional<std::uint32_t> checkpoint_version(const std::string& path);

/// Reads the whole file. Throws UserError.
std::vector<std::byte> read_checkpoint(const std::string& path);

/// Throws UserError for the first key whose value differs.
void require_same_settings(const CheckpointSettings& saved, const CheckpointSettings& present,
                           const std::string& title);

/// "crc32 0x1234abcd of 5678 bytes": tells the contents of files apart. Throws UserError.
std::string fingerprint_of(const std::string& path);

} // namespace pes

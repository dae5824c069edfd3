// SPDX-License-Identifier: Apache-2.0
// Receives sample records from the guest, which writes them to file descriptor 3.
// Bytes go to a file, if there is one, and are counted as records on the way.
#pragma once

#include "hw/common/archive.h"
#include "hw/interface/maps/sample_record.h"
#include "platform/host/output_file.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace pes {

class SampleChannel {
  public:
    /// `file` may be null: samples are then counted and dropped.
    explicit SampleChannel(OutputFile* file = nullptr) : file_(file) {}

    void write(std::span<const std::byte> bytes);
    /// Of a checkpoint: the counts. A restored run writes what comes behind it.
    void state(Archive& archive);

    std::uint64_t records() const { return records_; }
    /// Records that the guest says it lost.
    std::uint64_t lost() const { return lost_; }
    /// 64-byte pieces that are not sample records; they are written nevertheless.
    std::uint64_t malformed() const { return malformed_; }
    /// Bytes of an incomplete record at the end.
    std::size_t partial() const { return filled_ + (details_left_ != 0 ? kSampleSize : 0); }

  private:
    void count();

    OutputFile* file_;
    std::array<std::byte, kSampleSize> record_{}; ///< a record may come in several writes
    std::size_t filled_ = 0;
    std::size_t details_left_ = 0; ///< of the last record, behind its first 64 bytes
    std::uint64_t records_ = 0;
    std::uint64_t lost_ = 0;
    std::uint64_t malformed_ = 0;
};

} // namespace pes

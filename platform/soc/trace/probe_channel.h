// SPDX-License-Identifier: Apache-2.0
// The receiver of the bytes that leave the chip: a file, or none.
#pragma once

#include "hw/common/archive.h"
#include "hw/interface/trace/crc32.h"
#include "hw/trace/sink_ports.h"

namespace pes {

class OutputFile;

class ProbeChannel : public trace::ProbeOutput {
  public:
    explicit ProbeChannel(OutputFile* file) : file_(file) {}
    void send(std::span<const std::uint8_t> bytes) override;
    std::uint64_t delivered() const { return delivered_; } ///< bytes into the file
    std::uint32_t crc32() const { return crc32_.value(); } ///< of these
    std::uint64_t unread() const { return unread_; }       ///< bytes without a file
    /// Bytes into the file of the run that wrote the checkpoint, and of those before it.
    std::uint64_t before() const { return before_; }
    /// Of a checkpoint: the file of a run that goes on has the bytes of its part.
    void state(Archive& archive);

  private:
    OutputFile* file_;
    std::uint64_t delivered_ = 0;
    std::uint64_t before_ = 0;
    trace::Crc32 crc32_;
    std::uint64_t unread_ = 0;
};

} // namespace pes

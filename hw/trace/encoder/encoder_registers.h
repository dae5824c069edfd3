// SPDX-License-Identifier: Apache-2.0
// How an encoder looks to software: a description for each of the two sets of registers. A
// description translates between bits and the encoder's fields and keeps what only its set can
// read back. Internal to hw/trace/encoder.
#pragma once

#include "hw/trace/encoder/encoder.h"

#include <memory>
#include <vector>

namespace pes::trace {

class EncoderRegisters {
  public:
    EncoderRegisters() = default;
    EncoderRegisters(const EncoderRegisters&) = delete;
    EncoderRegisters& operator=(const EncoderRegisters&) = delete;
    virtual ~EncoderRegisters() = default;

    /// Once; the registers refer to this object.
    virtual std::vector<Register> describe() = 0;
    virtual void state(class Archive& archive) = 0; ///< of a checkpoint
};

/// The encoder is under construction: only its address, configuration and timestamp unit are used.
std::unique_ptr<EncoderRegisters> sifive_registers(Encoder& encoder, SinkUnit& sink);
std::unique_ptr<EncoderRegisters> standard_registers(Encoder& encoder);

} // namespace pes::trace

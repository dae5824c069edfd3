// SPDX-License-Identifier: Apache-2.0
// Instruction words as text, in the manner of objdump: "addi a0,a0,1", "beq a0,a1,0x80000010". The
// work is done by LLVM's disassembler; what its text has otherwise than objdump's is changed here.
#pragma once

#include "hw/interface/riscv/instruction_class.h"
#include "hw/interface/types.h"

#include <cstdint>
#include <memory>
#include <string>

namespace pes::trace {

class Disassembler {
  public:
    explicit Disassembler(Xlen xlen);
    ~Disassembler();

    /// `raw`: the instruction word; of a compressed one the low 16 bits count. A direct target is
    /// an absolute address. A word that is no known instruction is ".2byte 0x..." or ".4byte ...".
    std::string text(Address pc, std::uint32_t raw);

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace pes::trace

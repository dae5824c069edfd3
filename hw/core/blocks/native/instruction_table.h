// SPDX-License-Identifier: Apache-2.0
// Which instructions have native code of their own.
#pragma once

#include "hw/core/blocks/native/instruction_code.h"

namespace pes::native {

/// Writes the code of an instruction.
using Write = void (*)(InstructionCode&, const Instruction&);

/// Null: the handler is called.
Write code_of(const Instruction& instruction);

} // namespace pes::native

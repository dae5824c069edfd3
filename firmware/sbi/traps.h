// SPDX-License-Identifier: Apache-2.0
// Instructions that machine mode performs in place of the hart.
#pragma once

#include "firmware/sbi/program_memory.h"

namespace pes {

/// Does the misaligned load or store at the frame's pc and steps over it, or says which exception
/// the program gets: that of the access, or `cause` itself if it is nothing to emulate.
ProgramFault emulate_misaligned(TrapFrame& frame, uint64_t cause, uint64_t address);

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// Connects the sampler of decoded instructions (Smpdis/Sspdis) to its hart.
#pragma once

#include "hw/core/hart.h"
#include "hw/pdis/sampler.h"

namespace pes {

/// Throws UserError if the hart has a CSR with one of the sampler's numbers.
void attach(pdis::Sampler& sampler, Hart& hart);

} // namespace pes

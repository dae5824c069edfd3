// SPDX-License-Identifier: Apache-2.0
// The CSRs of a hart by name, as gdb gets to know them.
#pragma once

#include "platform/gdb/target.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pes {

class Hart;

/// "mstatus" of a CSR number; "csr1984" for a number without a name, as gdb calls it.
std::string register_name(std::uint16_t number);

std::vector<gdb::RegisterDescription> describe_csrs(const Hart& hart);

} // namespace pes

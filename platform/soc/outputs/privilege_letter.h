// SPDX-License-Identifier: Apache-2.0
// A privilege mode as a letter, in files.
#pragma once

#include "hw/interface/types.h"

namespace pes {

constexpr char letter_of(Privilege privilege) {
    switch (privilege) {
    case Privilege::User:
        return 'U';
    case Privilege::Supervisor:
        return 'S';
    case Privilege::Machine:
        break;
    }
    return 'M';
}

} // namespace pes

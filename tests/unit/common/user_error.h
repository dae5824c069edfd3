// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/host/user_error.h"

#include <string>

namespace pes::test {

/// The sentence of the UserError that `action` throws; empty if it throws none.
template <typename Action>
std::string user_error(Action action) {
    try {
        action();
    } catch (const UserError& error) {
        return error.what();
    }
    return {};
}

} // namespace pes::test

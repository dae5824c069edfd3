// SPDX-License-Identifier: Apache-2.0
// How the modules say what is wrong: kit::Error, whatever the rooms below throw.
#pragma once

#include "platform/host/user_error.h"

#include <pes-vp/settings.h>

#include <utility>

namespace pes::kit {

/// Runs `work`; a user error becomes an Error that begins with `who`, if that is not empty.
template <typename Work>
auto in_words_of(const std::string& who, Work&& work) {
    try {
        return std::forward<Work>(work)();
    } catch (const UserError& error) {
        throw Error(who.empty() ? error.what() : who + ": " + error.what());
    }
}

/// A port or socket of `module` that must be bound. `what`: "an sc_signal<bool>".
template <typename Port>
void require_bound(const sc_core::sc_module& module, const Port& port, const char* what) {
    if (port.size() == 0) {
        throw Error(std::string(module.name()) + "." + port.basename() +
                    " is not bound, expected " + what);
    }
}

inline constexpr const char* kSignal = "an sc_signal<bool>";
inline constexpr const char* kTarget = "a TLM-2.0 target socket";
inline constexpr const char* kInitiator = "a TLM-2.0 initiator socket";

} // namespace pes::kit

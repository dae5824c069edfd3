// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/waves/lockstep_window.h"

#include "platform/host/output_file.h"
#include "platform/host/user_error.h"

namespace pes {

std::function<std::string(const LockstepBank::Dump&)> lockstep_window(std::string file) {
    if (file.empty()) {
        return {};
    }
    return [path = std::move(file)](const LockstepBank::Dump& dump) {
        try {
            OutputFile window(path);
            dump([&window](std::string_view text) { window.write(text); });
            window.commit();
        } catch (const UserError& error) {
            return "no waveform of the RTL before it: " + std::string(error.what()) + '\n';
        }
        return "the RTL before it: " + path + '\n';
    };
}

} // namespace pes

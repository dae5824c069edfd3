// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/waves/lockstep_window.h"

#include "platform/host/output_set.h"
#include "platform/host/user_error.h"
#include "platform/soc/waves/lockstep_wave.h"

#include <filesystem>

namespace pes {

std::string lockstep_save_file(const std::string& window) {
    constexpr std::string_view kWave = ".vcd";
    return window.substr(0, window.size() - (window.ends_with(kWave) ? kWave.size() : 0)) + ".gtkw";
}

std::function<std::string(const LockstepBank::Dump&, const CounterDifference&)>
lockstep_window(std::string file) {
    if (file.empty()) {
        return {};
    }
    return [path = std::move(file)](const LockstepBank::Dump& dump,
                                    const CounterDifference& difference) {
        const std::string save_path = lockstep_save_file(path);
        try {
            OutputSet files;
            OutputFile& window = *files.open(path);
            OutputFile& save = *files.open_companion(save_path);
            LockstepWave wave(window, difference);
            dump([&wave](std::string_view text) { wave.take(text); });
            wave.finish();
            save.write(wave.save_file(std::filesystem::path(path).filename()));
            files.commit();
        } catch (const UserError& error) {
            return "no waveform of the RTL before it: " + std::string(error.what()) + '\n';
        }
        return "the RTL before it: " + path + ", for GTKWave " + save_path + '\n';
    };
}

} // namespace pes

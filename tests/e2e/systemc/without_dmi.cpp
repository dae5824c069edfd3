// SPDX-License-Identifier: Apache-2.0
// The memory refuses direct access: always (0), or it grants it and withdraws it every so many
// cycles, and refuses every second time. Usage: without_dmi PROGRAM CYCLES [KEY=VALUE...]
#include "report.h"

#include <cstdlib>
#include <string>
#include <vector>

struct Withdrawal : sc_core::sc_module {
    Withdrawal(const sc_core::sc_module_name& name, Memory& memory, const sc_core::sc_time& every)
        : sc_module(name), memory_(memory), every_(every) {
        SC_HAS_PROCESS(Withdrawal);
        SC_METHOD(withdraw);
    }
    unsigned withdrawn = 0;
    bool over = false;

  private:
    void withdraw() {
        if (withdrawn++ != 0) {
            memory_.grants_dmi = !memory_.grants_dmi;
            memory_.socket->invalidate_direct_mem_ptr(0, ~sc_dt::uint64{0} >> 1);
        }
        if (!over) {
            next_trigger(every_);
        }
    }

    Memory& memory_;
    const sc_core::sc_time every_;
};

int sc_main(int count, char** arguments) {
    const std::vector<std::string> words(arguments + 1, arguments + count);
    const pes::kit::Settings settings(std::vector<std::string>(words.begin() + 2, words.end()));
    Platform platform("platform", settings);
    platform.hart.load(words[0]);
    const unsigned long every = std::strtoul(words[1].c_str(), nullptr, 10);
    Withdrawal withdrawal("withdrawal", platform.memory, settings.cycle() * every);
    withdrawal.over = every == 0;
    platform.memory.grants_dmi = every != 0;
    while (platform.hart.end() == pes::kit::Hart::End::Running) {
        sc_core::sc_start(settings.cycle() * 10'000);
    }
    report(platform, stderr);
    return every == 0 || withdrawal.withdrawn > 10 ? 0 : 1;
}

// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/emitter.h"

namespace pes::differential {

unsigned Emitter::work_register() {
    for (;;) {
        const auto reg = static_cast<unsigned>(random.between(1, 31));
        if (!is_locked(reg)) {
            return reg;
        }
    }
}

unsigned Emitter::destination() {
    return random.one_in(24) ? 0 : work_register();
}

std::pair<unsigned, unsigned> Emitter::two_work_registers() {
    const unsigned first = work_register();
    const Locked guard(*this, first);
    return {first, work_register()};
}

unsigned Emitter::compact_destination() {
    for (;;) {
        const unsigned reg = compact_source();
        if (!is_locked(reg)) {
            return reg;
        }
    }
}

void Emitter::select_encoding(bool compressed) {
    if (compressed != compressing_) {
        text_ += compressed ? "\t.option rvc\n" : "\t.option norvc\n";
        compressing_ = compressed;
    }
}

} // namespace pes::differential

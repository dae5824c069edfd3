// SPDX-License-Identifier: Apache-2.0
#include "hw/hpm/model_bank.h"

#include "hw/hpm/pcer_bank.h"
#include "hw/hpm/tlm_bank.h"

namespace pes {

std::unique_ptr<ModelBank> make_model_bank(const CounterConfig& config) {
    if (config.profile->registers == RegisterSet::Hpm) {
        return std::make_unique<TlmCounterBank>(config);
    }
    return std::make_unique<PcerBank>(config);
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/instruction_sampling.h"

#include "platform/host/numbers.h"
#include "platform/host/user_error.h"

namespace pes {
namespace {

void own(const char* key, std::uint32_t number, pdis::Sampler& sampler, Hart& hart) {
    const CsrTraits traits{.stateen_bit = sampler.config().stateen_bit, .in_turn = true};
    if (!hart.add_csr(static_cast<std::uint16_t>(number), sampler, traits)) {
        throw UserError(std::string(key) + ": the hart has a CSR " + hex(number) +
                        ", expected free numbers");
    }
}

} // namespace

void attach(pdis::Sampler& sampler, Hart& hart) {
    const pdis::SamplerConfig& config = sampler.config();
    if (hart.state().csr.extensions().ssamb) {
        sampler.use(hart.buffer_memory(config.lambi));
    }
    own("pdis.mpdisctl", config.mpdisctl, sampler, hart);
    for (unsigned index = 0; index < sampler.supervisor_csrs(); ++index) {
        own("pdis.spdisctl", config.spdisctl + index, sampler, hart);
    }
    const CsrTraits traits{.stateen_bit = config.stateen_bit};
    if (!hart.add_indirect_csrs(IndirectLevel::Supervisor, pdis::kSelect, pdis::kSelect + 1,
                                sampler, traits)) {
        throw UserError("extensions.smpdis = true: siselect " + hex(pdis::kSelect) +
                        " has registers of another block");
    }
    hart.add_counter_bit(pdis::kCounterBit, sampler, traits);
    hart.connect(sampler, config.stateen_bit);
}

} // namespace pes

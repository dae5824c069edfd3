// SPDX-License-Identifier: Apache-2.0
// CSR access of instructions: rights, the counters' user shadows, and which block owns a number.
#include "hw/common/maps/csr.h"
#include "hw/core/csr_numbers.h"
#include "hw/core/hart.h"

namespace pes {

namespace {

constexpr std::uint16_t kShadowToCounter = csr::kCycle - csr::kMcycle;

bool is_shadow(std::uint16_t number) {
    return number >= csr::kCycle && number <= csr::kHpmcounter31;
}

} // namespace

/// Privilege, mstatus and counter-enable checks (privileged specification 2.1, 3.1.6, 3.1.11).
bool Hart::csr_accessible(std::uint16_t number) const {
    const unsigned lowest = (number >> 8) & 3;
    if (lowest > static_cast<unsigned>(privilege_)) {
        return false;
    }
    if (number == csr::kFflags || number == csr::kFrm || number == csr::kFcsr) {
        return csr_.float_enabled();
    }
    if (number == csr::kSatp) {
        return privilege_ == Privilege::Machine || !csr_.status(mstatus::kTvm);
    }
    if (is_shadow(number)) {
        const std::uint32_t enable = std::uint32_t{1} << (number - csr::kCycle);
        const bool machine_allows = (csr_.mcounteren() & enable) != 0;
        const bool supervisor_allows = (csr_.scounteren() & enable) != 0;
        return privilege_ == Privilege::Machine ||
               (machine_allows && (privilege_ == Privilege::Supervisor || supervisor_allows));
    }
    return true;
}

std::optional<std::uint64_t> Hart::read_csr(std::uint16_t number, Cycle at) {
    if (number == csr::kTime) {
        return config_.time_csr ? std::optional(bus_.time(at)) : std::nullopt;
    }
    const std::uint16_t counter =
        is_shadow(number) ? static_cast<std::uint16_t>(number - kShadowToCounter) : number;
    if (bank_.owns(counter)) {
        bring_bank_to(at - 1);
        const std::uint64_t value = bank_.read(counter);
        // Sscofpmf: below M-mode only the overflow bits of counters that mcounteren opens are seen.
        const bool masked = number == csr::kScountovf && privilege_ != Privilege::Machine;
        return masked ? value & csr_.mcounteren() : value;
    }
    if (number == custom_csr_number_ && custom_csr_ != nullptr) {
        return 0;
    }
    if (number == csr::kMip || number == csr::kSip) {
        apply_interrupt_changes();
    }
    return csr_.read(number);
}

/// The value that csrrs and csrrc modify. mip.SEIP reads as the software bit or'ed with the line,
/// but only the software bit takes part in the update (privileged specification 3.1.9).
std::uint64_t Hart::csr_update_base(std::uint16_t number, std::uint64_t read) const {
    return number == csr::kMip ? csr_.mip_software() : read;
}

void Hart::write_csr(std::uint16_t number, std::uint64_t value, Cycle at) {
    if (bank_.owns(number)) {
        bank_.write(number, value);
        update_bank_deadline();
        return;
    }
    if (number == custom_csr_number_ && custom_csr_ != nullptr) {
        constexpr RegisterIndex kArgument = 10;
        custom_csr_->written(value, x_[kArgument], at);
        return;
    }
    if (csr_.write(number, value) == CsrEffect::Context) {
        if (number >= csr::kPmpcfg0 && number <= csr::kPmpaddr15) {
            for (HostPages& pages : host_pages_) {
                pages.fill({}); // an empty table on the stack would be larger than a thread's stack
            }
        }
        context_changed();
    }
    attention_ = 0; // mie, mip and the like may make an interrupt takeable
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// What a handler needs beyond registers and known pages of memory.
#pragma once

#include "hw/core/arch/causes.h"
#include "hw/core/arch/csr_access.h"
#include "hw/core/arch/csr_file.h"
#include "hw/core/arch/instruction.h"
#include "hw/core/memory/pmp.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace pes {

/// Two implementations. The Stepper acts in the cycle of the instruction. The BlockRunner runs
/// handlers ahead of time; what it cannot do it refuses, and the Stepper repeats the instruction.
/// After `false` or nothing the handler must return without further effects.
class ExecutionMode {
  public:
    ExecutionMode() = default;
    ExecutionMode(const ExecutionMode&) = delete;
    ExecutionMode& operator=(const ExecutionMode&) = delete;
    virtual ~ExecutionMode() = default;

    virtual void raise(Cause cause, std::uint64_t tval) = 0;
    /// Asked by what changes the mode, before it does.
    virtual bool may_change_mode() = 0;
    /// For a page that is not in the TLB, or an access that its entry does not permit.
    virtual bool translate(Address address, Access access, Address& physical) = 0;
    /// Aligned accesses of `instruction.memory_size` bytes to a page that is not known.
    virtual bool load(const Instruction& instruction, Address address, Address physical,
                      void* data) = 0;
    virtual bool store(const Instruction& instruction, Address address, Address physical,
                       const void* data) = 0;
    /// The word of an AMO, LR or SC; null if it cannot be accessed.
    virtual std::byte* atomic(Address physical, unsigned size, Access access) = 0;
    virtual bool load_misaligned(const Instruction& instruction, Address address, void* data) = 0;
    virtual bool store_misaligned(const Instruction& instruction, Address address,
                                  const void* data) = 0;
    /// Checks rights. Nothing if there is no such CSR.
    virtual std::optional<std::uint64_t> read_csr(std::uint16_t number, Cycle at) = 0;
};

/// Effects of system instructions on the whole hart, for both ways of execution. A block has those
/// without a cycle (BlockRole::LastSystem); the others are left to the Stepper, which implements
/// this.
class SystemEffects {
  public:
    SystemEffects() = default;
    SystemEffects(const SystemEffects&) = delete;
    SystemEffects& operator=(const SystemEffects&) = delete;
    virtual ~SystemEffects() = default;

    virtual void finish_return(const Instruction& instruction, const CsrFile::TrapReturn& back) = 0;
    virtual void wait_for_interrupt() = 0;
    virtual void fence_translations(std::optional<Address> address,
                                    std::optional<std::uint16_t> asid) = 0;
    virtual void fence_instructions(const Instruction& fence) = 0;
    virtual void clear_transfer_records(Cycle at) = 0;
    /// Called after a CSR write in cycle `at`.
    virtual void take_effect(CsrEffect effect, Cycle at) = 0;
};

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// Gives the timing model the instructions that are fetched but never executed: after a mispredicted
// branch, and after an instruction that flushes the pipeline.
#pragma once

#include "hw/core/arch/instruction.h"
#include "hw/core/timing/memory_access.h"
#include "hw/interface/types.h"

#include <cstdint>
#include <optional>

namespace pes {

/// A page of code. Pages with the same version have the same instructions; see DecodeCache.
struct CodePage {
    Address physical = 0;
    std::uint64_t version = 0;
};

class CodeReader {
  public:
    CodeReader() = default;
    CodeReader(const CodeReader&) = delete;
    CodeReader& operator=(const CodeReader&) = delete;
    virtual ~CodeReader() = default;

    /// Whether code lies at virtual addresses.
    virtual bool translates() const = 0;

    /// A virtual page of code, which the frontend asks for; none if its translation takes a walk.
    virtual std::optional<CodePage> code_page(Address page) = 0;

    /// The walk of a fetch from a page that is not in the TLB, valid until the next call; null if
    /// there is none. keep_walked() puts its result into the TLB.
    virtual const PageWalk* walk_code(Address page) = 0;
    virtual void keep_walked() = 0;

    /// Null if there is no memory or the instruction crosses into the next page.
    virtual const Instruction* instruction_at(Address physical) = 0;

    /// The value after the last executed instruction, 0 for kNoRegister; none if it is not known.
    /// Used after an AMO, CSR access, fence or trap; instructions after a mispredicted branch do
    /// not issue before the flush. What is made of the value is a question (register_values.h).
    virtual std::optional<std::uint64_t> integer_register(RegisterIndex index) const = 0;

    /// The physical address of a load; none if it is not in memory, or needs a walk.
    virtual std::optional<Address> data_at(Address address) const = 0;
};

} // namespace pes

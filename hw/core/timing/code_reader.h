// SPDX-License-Identifier: Apache-2.0
// Gives the timing model the instructions that are fetched and never executed: behind a
// mispredicted branch, and behind an instruction that makes the pipeline fetch again.
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

    /// A virtual page of code; none if its translation would take a walk.
    virtual std::optional<CodePage> code_page(Address page) = 0;

    /// The walk that a fetch from a page not known causes, valid until the next one; null if there
    /// is none. The TLB keeps what it finds when that is asked for.
    virtual const PageWalk* walk_code(Address page) = 0;
    virtual void keep_walked() = 0;

    /// Null if no memory is there or the instruction goes on in the next page.
    virtual const Instruction* instruction_at(Address physical) = 0;

    /// As the last instruction that was executed has left it; none if it is not known. Asked behind
    /// an AMO, CSR access, fence or trap; what a mispredicted branch discards does not issue before
    /// the flush. The value is no question of Tables: a block that asks for it is not remembered.
    virtual std::optional<std::uint64_t> integer_register(RegisterIndex index) const = 0;

    /// Where a load from here goes; none if it does not go to memory, or only after a walk.
    virtual std::optional<Address> data_at(Address address) const = 0;
};

} // namespace pes

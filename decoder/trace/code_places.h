// SPDX-License-Identifier: Apache-2.0
// Address -> function and source line of the traced program, remembered: the same few addresses
// come again and again.
#pragma once

#include "decoder/elf_program.h"

#include <string>
#include <unordered_map>

namespace pes::trace {

struct CodePlace {
    bool in_program = false;            ///< the address lies in a code section
    const Function* function = nullptr; ///< null outside of every symbol
    SourceLine source;                  ///< line 0 if unknown
    std::string published;              ///< " ffl:<file>:<function>:<line>"
};

class CodePlaces {
  public:
    explicit CodePlaces(const ElfProgram& program) : program_(program) {}

    const ElfProgram& program() const { return program_; }

    /// Holds until the next call.
    const CodePlace& find(Address address);

  private:
    static constexpr std::size_t kMostPlaces = std::size_t{1} << 16; ///< damage has any address

    const ElfProgram& program_;
    std::unordered_map<Address, CodePlace> places_;
};

} // namespace pes::trace

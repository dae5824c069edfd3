// SPDX-License-Identifier: Apache-2.0
// Address -> function and source line of the traced programs, remembered: the same few addresses
// come again and again. What a process has at an address is looked up for that process.
#pragma once

#include "decoder/trace/messages/trace_events.h"
#include "decoder/trace/program/address_spaces.h"
#include "platform/program/symbolizer.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace pes::trace {

struct CodePlace {
    bool in_program = false;            ///< the address lies in a code section
    const Function* function = nullptr; ///< null outside of every symbol
    SourceLine source;                  ///< line 0 if unknown
    std::string published;              ///< " ffl:<file>:<function>:<line>"
};

class CodePlaces {
  public:
    /// `symbols` outlives this and has at least one program.
    explicit CodePlaces(const Symbolizer& symbols)
        : symbols_(symbols), spaces_(symbols.programs()), places_(spaces_.count()) {}

    /// The one that files are named after.
    const ElfProgram& program() const { return symbols_.programs().front(); }
    const std::vector<ElfProgram>& programs() const { return symbols_.programs(); }

    /// To be told what process a source runs, in the order of the trace.
    void own(const Ownership& ownership);
    const AddressSpaces& spaces() const { return spaces_; }

    /// For the current process of the source. Holds until the next call.
    const CodePlace& find(std::uint16_t source, Address address);

  private:
    static constexpr std::size_t kMostPlaces = std::size_t{1} << 16; ///< damage has any address

    const Symbolizer& symbols_;
    AddressSpaces spaces_;
    std::vector<std::unordered_map<Address, CodePlace>> places_; ///< by space
};

} // namespace pes::trace

// SPDX-License-Identifier: Apache-2.0
// The functions that an instruction belongs to by the debug information: the one that it was
// inlined from, those that this one was inlined into, and last the one whose code it is.
#pragma once

#include "hw/interface/types.h"
#include "platform/program/program_file.h"

#include <memory>
#include <string>
#include <vector>

namespace pes {

struct InlineFrame {
    std::string name;     ///< mangled, as the compiler knows it
    bool mangled = false; ///< false: of C, or static; only its name in the source is known
    unsigned line = 0;    ///< of the instruction, or of the call that was inlined
    unsigned begin = 0;   ///< line that declares the function
    Address code = 0;     ///< first address of the function; 0 if it is inlined

    bool operator==(const InlineFrame&) const = default;
};

class InlineFrames {
  public:
    /// Throws UserError if the file is not a RISC-V ELF program.
    explicit InlineFrames(const ProgramFile& program);
    ~InlineFrames();
    InlineFrames(const InlineFrames&) = delete;
    InlineFrames& operator=(const InlineFrames&) = delete;

    /// Innermost first; empty without debug information for the address.
    std::vector<InlineFrame> at(Address pc) const;

  private:
    struct Debug;
    std::unique_ptr<Debug> debug_;
};

} // namespace pes

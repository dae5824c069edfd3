// SPDX-License-Identifier: Apache-2.0
// What the decoder wants to know of one RISC-V program: its functions, basic blocks and source
// lines.
//
// A sample's pc is looked up among link-time virtual addresses, moved by the base that the program
// was loaded at. Symbols with a size own exactly
// their bytes; a code symbol without one (a label in assembly) owns everything up to the next
// symbol or the end of its section.
#pragma once

#include "hw/interface/riscv/instruction_class.h"
#include "hw/interface/types.h"
#include "platform/program/basic_blocks.h"
#include "platform/program/line_table.h"
#include "platform/program/program_file.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pes {

struct Function {
    std::string name;   ///< demangled
    std::string symbol; ///< as in the symbol table
    Address begin = 0;
    Address end = 0; ///< one past the last byte
};

class ElfProgram {
  public:
    /// Throws UserError if the file is missing or is not a linked RISC-V ELF program.
    explicit ElfProgram(const ProgramFile& file);

    /// The innermost function around the address, or null.
    const Function* find_function(Address pc) const;
    SourceLine find_line(Address pc) const { return lines_->find(pc - file_.base); }

    bool is_code(Address address) const; ///< lies in an executable section
    /// From the first to one past the last byte of code.
    std::pair<Address, Address> code_range() const;

    /// Found in the code when they are asked for first. Throws UserError if there is no code.
    const BasicBlocks& blocks() const;

    const std::vector<Function>& functions() const { return functions_; }

    const ProgramFile& file() const { return file_; }
    const std::string& path() const { return file_.path; }
    Xlen xlen() const { return xlen_; }
    bool has_functions() const { return !functions_.empty(); }
    bool has_lines() const { return !lines_->empty(); }

  private:
    struct Section {
        Address begin, end;
    };

    ProgramFile file_;
    Xlen xlen_ = Xlen::Rv64;
    std::vector<Section> code_;       ///< executable sections
    std::vector<Function> functions_; ///< by begin, then by descending end
    std::vector<Function> rest_;      ///< sections as functions, if the file names the rest
    std::vector<Address> reach_;      ///< reach_[i] = highest end among functions_[0..i]
    std::optional<LineTable> lines_;
    mutable std::unique_ptr<const BasicBlocks> blocks_;
};

} // namespace pes

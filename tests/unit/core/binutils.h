// SPDX-License-Identifier: Apache-2.0
// GNU objdump and gas for RV64IMAFDC_Zicsr_Zifencei, as independent judges of encodings.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace pes::test {

struct Disassembly {
    std::uint64_t address = 0;
    std::uint32_t word = 0;
    std::string mnemonic; ///< ".4byte" or ".2byte" if it is no instruction
    std::vector<std::string> operands;
};

class Binutils {
  public:
    Binutils();
    Binutils(const Binutils&) = delete;
    Binutils& operator=(const Binutils&) = delete;
    ~Binutils();

    /// Without aliases; the code is thought to lie at address 0.
    std::vector<Disassembly> disassemble(const std::vector<std::uint32_t>& words);
    std::vector<Disassembly> disassemble(const std::vector<std::uint16_t>& half_words);

    /// One 32-bit instruction a line, none compressed. Empty if gas refuses a line: then messages()
    /// has its words.
    std::vector<std::uint32_t> assemble(const std::vector<std::string>& lines);
    const std::string& messages() const { return messages_; }

  private:
    std::vector<Disassembly> disassemble_file();
    bool make_object(const std::vector<std::string>& lines);
    bool run(const std::string& command);

    std::filesystem::path directory_;
    std::string messages_;
};

} // namespace pes::test

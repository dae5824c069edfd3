// SPDX-License-Identifier: Apache-2.0
#include "platform/program/elf_code.h"

#include "platform/host/elf_file.h"

#include <algorithm>
#include <optional>
#include <span>

namespace pes::trace {
namespace {

constexpr const char* kWhat = "program"; // in messages

/// Puts pieces of one file into an image.
class CodeAdder {
  public:
    CodeAdder(ProgramImage& image, const ProgramFile& program, const ElfFile& elf)
        : image_(image),
          base_(program.base), traits_{elf.is_64_bit() ? Xlen::Rv64 : Xlen::Rv32, program.context} {
    }

    void add(Address begin, std::span<const std::byte> bytes) {
        if (bytes.size() >= 2) {
            image_.add(base_ + begin,
                       {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()},
                       traits_);
        }
    }

  private:
    ProgramImage& image_;
    Address base_;
    CodeTraits traits_;
};

bool is_code(const GElf_Phdr& segment) {
    return segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0;
}

void add_sections(CodeAdder& code, const ElfFile& elf) {
    for (const ElfSection& section : elf.sections()) {
        if (section.is_code() && section.header.sh_type == SHT_PROGBITS) {
            code.add(section.header.sh_addr, elf.bytes(section));
        }
    }
}

void add_segments(CodeAdder& code, const ElfFile& elf) {
    for (const GElf_Phdr& segment : elf.segments()) {
        if (is_code(segment)) {
            code.add(segment.p_vaddr, elf.bytes(segment));
        }
    }
}

} // namespace

void add_program_code(ProgramImage& image, const ProgramFile& program) {
    const ElfFile elf(program.path, kWhat);
    ProgramImage code;
    CodeAdder adder(code, program, elf);
    add_sections(adder, elf);
    if (code.empty()) {
        add_segments(adder, elf);
    }
    if (code.empty()) {
        elf.refuse("holds no code, expected a program");
    }
    image.add(std::move(code));
}

std::vector<CodeMapping> code_mappings(const ProgramFile& program) {
    const ElfFile elf(program.path, kWhat);
    std::vector<CodeMapping> mappings;
    for (const GElf_Phdr& segment : elf.segments()) {
        if (is_code(segment)) {
            mappings.push_back(
                {program.base + segment.p_vaddr, segment.p_filesz, segment.p_offset});
        }
    }
    return mappings;
}

Address load_base(const std::string& path, Address begin, std::uint64_t offset) {
    constexpr std::uint64_t kPage = 0xFFF;
    const ElfFile elf(path, kWhat);
    const auto holds_offset = [offset](const GElf_Phdr& segment) {
        return is_code(segment) && (segment.p_offset & ~kPage) <= offset &&
               offset < segment.p_offset + segment.p_filesz;
    };
    // The last one, as the kernel maps later segments over earlier ones.
    const auto found =
        std::ranges::find_if(elf.segments().rbegin(), elf.segments().rend(), holds_offset);
    if (found == elf.segments().rend()) {
        elf.refuse("has no code at offset " + std::to_string(offset) +
                   ", expected the file that the process mapped");
    }
    return begin - offset - (found->p_vaddr - found->p_offset);
}

std::vector<std::string> read_comment_strings(const std::string& path) {
    const ElfFile elf(path, kWhat);
    std::vector<std::string> strings;
    for (const ElfSection& section : elf.sections()) {
        if (section.name != ".comment") {
            continue;
        }
        const std::span<const std::byte> data = elf.bytes(section);
        const std::string bytes(reinterpret_cast<const char*>(data.data()), data.size());
        for (std::size_t begin = 0; begin < bytes.size();) {
            strings.emplace_back(bytes.c_str() + begin);
            begin += strings.back().size() + 1;
        }
    }
    return strings;
}

} // namespace pes::trace

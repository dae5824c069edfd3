// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/elf_code.h"

#include "hw/common/host/file_descriptor.h"
#include "hw/common/host/special_file.h"
#include "hw/common/host/user_error.h"

#include <cerrno>
#include <cstring>
#include <functional>
#include <gelf.h>
#include <memory>

namespace pes::trace {
namespace {

void with_elf(const std::string& path, const std::function<void(Elf*)>& action) {
    require_no_special("cannot open program", path);
    const FileDescriptor file(path);
    if (file.get() < 0) {
        throw UserError("cannot open program '" + path + "': " + std::strerror(errno));
    }
    elf_version(EV_CURRENT);
    const std::unique_ptr<Elf, decltype(&elf_end)> elf(elf_begin(file.get(), ELF_C_READ, nullptr),
                                                       &elf_end);
    if (elf == nullptr || elf_kind(elf.get()) != ELF_K_ELF) {
        throw UserError("'" + path + "' is not an ELF file, expected a RISC-V program");
    }
    action(elf.get());
}

void for_each_section(Elf* elf, const std::function<void(Elf_Scn*, const GElf_Shdr&)>& action) {
    Elf_Scn* section = nullptr;
    while ((section = elf_nextscn(elf, section)) != nullptr) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) != nullptr) {
            action(section, header);
        }
    }
}

/// Puts pieces of one file into an image.
class CodeAdder {
  public:
    CodeAdder(ProgramImage& image, const ProgramFile& program, Elf* elf)
        : image_(image),
          base_(program.base), traits_{gelf_getclass(elf) == ELFCLASS32 ? Xlen::Rv32 : Xlen::Rv64,
                                       program.context} {}

    void add(Address begin, const Elf_Data* data) {
        if (data != nullptr && data->d_buf != nullptr && data->d_size >= 2) {
            image_.add(base_ + begin, {static_cast<const std::uint8_t*>(data->d_buf), data->d_size},
                       traits_);
        }
    }

  private:
    ProgramImage& image_;
    Address base_;
    CodeTraits traits_;
};

void add_sections(CodeAdder& code, Elf* elf) {
    for_each_section(elf, [&](Elf_Scn* section, const GElf_Shdr& header) {
        if ((header.sh_flags & SHF_EXECINSTR) != 0 && header.sh_type == SHT_PROGBITS) {
            code.add(header.sh_addr, elf_getdata(section, nullptr));
        }
    });
}

template <typename Visit>
void for_each_code_segment(Elf* elf, Visit&& visit) {
    std::size_t count = 0;
    elf_getphdrnum(elf, &count);
    for (std::size_t i = 0; i < count; ++i) {
        GElf_Phdr header;
        if (gelf_getphdr(elf, static_cast<int>(i), &header) != nullptr &&
            header.p_type == PT_LOAD && (header.p_flags & PF_X) != 0) {
            visit(header);
        }
    }
}

void add_segments(CodeAdder& code, Elf* elf) {
    for_each_code_segment(elf, [&](const GElf_Phdr& header) {
        code.add(header.p_vaddr,
                 elf_getdata_rawchunk(elf, static_cast<std::int64_t>(header.p_offset),
                                      header.p_filesz, ELF_T_BYTE));
    });
}

} // namespace

void add_program_code(ProgramImage& image, const ProgramFile& program) {
    ProgramImage code;
    with_elf(program.path, [&](Elf* elf) {
        CodeAdder adder(code, program, elf);
        add_sections(adder, elf);
        if (code.empty()) {
            add_segments(adder, elf);
        }
    });
    if (code.empty()) {
        throw UserError("'" + program.path + "' holds no code, expected a program");
    }
    image.add(std::move(code));
}

Address load_base(const std::string& path, Address begin, std::uint64_t offset) {
    constexpr std::uint64_t kPage = 0xFFF;
    std::optional<Address> base;
    with_elf(path, [&](Elf* elf) {
        for_each_code_segment(elf, [&](const GElf_Phdr& header) {
            if ((header.p_offset & ~kPage) <= offset &&
                offset < header.p_offset + header.p_filesz) {
                base = begin - offset - (header.p_vaddr - header.p_offset);
            }
        });
    });
    if (!base) {
        throw UserError("'" + path + "' has no code at offset " + std::to_string(offset) +
                        ", expected the file that the process mapped");
    }
    return *base;
}

std::vector<std::string> read_comment_strings(const std::string& path) {
    std::vector<std::string> strings;
    with_elf(path, [&](Elf* elf) {
        std::size_t names = 0;
        elf_getshdrstrndx(elf, &names);
        for_each_section(elf, [&](Elf_Scn* section, const GElf_Shdr& header) {
            const char* name = elf_strptr(elf, names, header.sh_name);
            const Elf_Data* data = elf_getdata(section, nullptr);
            if (name == nullptr || std::strcmp(name, ".comment") != 0 || data == nullptr ||
                data->d_buf == nullptr) {
                return;
            }
            const std::string bytes(static_cast<const char*>(data->d_buf), data->d_size);
            for (std::size_t begin = 0; begin < bytes.size();) {
                strings.emplace_back(bytes.c_str() + begin);
                begin += strings.back().size() + 1;
            }
        });
    });
    return strings;
}

} // namespace pes::trace

// SPDX-License-Identifier: Apache-2.0
// Whether an ELF file is whole. libelf reads what is left of a truncated one as if it had been
// linked without the rest, so a lost symbol table would look like a stripped program.
#pragma once

#include <cstdint>
#include <gelf.h>

namespace pes {

constexpr bool lies_within(std::uint64_t offset, std::uint64_t size, std::uint64_t file_size) {
    return offset <= file_size && size <= file_size - offset;
}

/// The table that the file of `file_size` bytes does not hold, or null.
inline const char* missing_table(const GElf_Ehdr& header, std::uint64_t file_size) {
    if (!lies_within(header.e_phoff, std::uint64_t{header.e_phnum} * header.e_phentsize,
                     file_size)) {
        return "program headers";
    }
    if (!lies_within(header.e_shoff, std::uint64_t{header.e_shnum} * header.e_shentsize,
                     file_size)) {
        return "section headers";
    }
    return nullptr;
}

} // namespace pes

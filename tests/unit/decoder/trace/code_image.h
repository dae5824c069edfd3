// SPDX-License-Identifier: Apache-2.0
// A program for the decoder, from its instruction words.
#pragma once

#include "hw/interface/riscv/instruction_class.h"
#include "platform/program/program_image.h"

#include <cstdint>
#include <map>
#include <vector>

namespace pes::trace::test {

/// Instruction words without gaps between them.
inline ProgramImage image_of(const std::map<Address, std::uint32_t>& code) {
    std::vector<std::uint8_t> bytes;
    const Address begin = code.begin()->first;
    for (const auto& [address, raw] : code) {
        bytes.resize(address - begin);
        for (unsigned byte = 0; byte < instruction_length(raw); ++byte) {
            bytes.push_back(static_cast<std::uint8_t>(raw >> (8 * byte)));
        }
    }
    ProgramImage image;
    image.add(begin, bytes);
    return image;
}

} // namespace pes::trace::test

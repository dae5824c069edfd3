// SPDX-License-Identifier: Apache-2.0
// Kernels as distributions pack them: gzip, zstd, or an EFI program that carries one of these
// ("zboot": Linux, drivers/firmware/efi/libstub/zboot-header.S). U-Boot and EFI unpack them; here
// the loader does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace pes {

/// What `file` packs, or `file` itself if it packs nothing. Throws UserError, which names `title`,
/// if it is damaged or becomes larger than `most` bytes.
std::vector<std::byte> unpack(std::vector<std::byte> file, const std::string& title,
                              std::uint64_t most);

} // namespace pes

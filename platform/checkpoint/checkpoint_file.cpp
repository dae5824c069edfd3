// SPDX-License-Identifier: Apache-2.0
#include "platform/checkpoint/checkpoint_file.h"

#include "platform/host/input_file.h"
#include "platform/host/user_error.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <new>

namespace pes {
namespace {

constexpr std::array<char, 8> kMagic{'P', 'E', 'S', '-', 'C', 'K', 'P', 'T'};
constexpr int kLevel = 3; // of zstd: as fast as the disk

struct Header {
    std::array<char, 8> magic = kMagic;
    std::uint32_t version = kCheckpointVersion;
    std::uint32_t crc = 0;
};
static_assert(sizeof(Header) == 16);

std::uint32_t crc_of(std::span<const std::byte> bytes) {
    return static_cast<std::uint32_t>(
        crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::vector<std::byte> content_of(const std::string& path) {
    InputFile file(path);
    std::vector<std::byte> bytes;
    constexpr std::size_t kChunk = std::size_t{1} << 20;
    do {
        const std::size_t before = bytes.size();
        bytes.resize(before + std::max(kChunk, before));
        file.stream().read(reinterpret_cast<char*>(bytes.data() + before),
                           static_cast<std::streamsize>(bytes.size() - before));
        bytes.resize(before + static_cast<std::size_t>(file.stream().gcount()));
    } while (file.stream());
    file.require_read();
    return bytes;
}

} // namespace

std::vector<std::byte> pack_checkpoint(std::span<const std::byte> archive) {
    std::vector<std::byte> file(sizeof(Header) + ZSTD_compressBound(archive.size()));
    const std::size_t packed =
        ZSTD_compress(file.data() + sizeof(Header), file.size() - sizeof(Header), archive.data(),
                      archive.size(), kLevel);
    if (ZSTD_isError(packed) != 0) {
        throw std::bad_alloc(); // the only error that is left
    }
    file.resize(sizeof(Header) + packed);
    Header header;
    header.crc = crc_of(std::span(file).subspan(sizeof header));
    std::memcpy(file.data(), &header, sizeof header);
    return file;
}

std::vector<std::byte> unpack_checkpoint(std::span<const std::byte> file,
                                         const std::string& title) {
    Header header;
    if (file.size() < sizeof header ||
        std::memcmp(file.data(), kMagic.data(), kMagic.size()) != 0) {
        throw UserError(title + " is no checkpoint of pes-vp");
    }
    std::memcpy(&header, file.data(), sizeof header);
    if (header.version != kCheckpointVersion) {
        throw UserError(title + " has version " + std::to_string(header.version) + ", expected " +
                        std::to_string(kCheckpointVersion) +
                        ": another version of pes-vp has written it");
    }
    const std::span<const std::byte> packed = file.subspan(sizeof header);
    if (crc_of(packed) != header.crc) {
        throw UserError(title + " is damaged: its checksum is wrong");
    }
    const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
    constexpr unsigned long long kMostRatio = 1U << 17; // of zstd's blocks
    if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR ||
        size / kMostRatio > packed.size()) {
        throw UserError(title + " is damaged: its content is not packed by zstd");
    }
    std::vector<std::byte> archive(size);
    const std::size_t unpacked =
        ZSTD_decompress(archive.data(), archive.size(), packed.data(), packed.size());
    if (ZSTD_isError(unpacked) != 0 || unpacked != size) {
        throw UserError(title + " is damaged: its content cannot be unpacked");
    }
    return archive;
}

std::vector<std::byte> read_checkpoint(const std::string& path) {
    return content_of(path);
}

void require_same_settings(const CheckpointSettings& saved, const CheckpointSettings& present,
                           const std::string& title) {
    const auto differ = [&title](const std::string& key, const std::string& there,
                                 const std::string& here) {
        throw UserError(title + ": " + key + " is " + there + " in the checkpoint and " + here +
                        " here, expected the same");
    };
    const auto value_in = [](const CheckpointSettings& settings, const std::string& key) {
        const auto found = std::ranges::find(settings, key, &CheckpointSettings::value_type::first);
        return found == settings.end() ? std::string("nothing") : found->second;
    };
    for (const auto& [key, value] : saved) {
        if (const std::string here = value_in(present, key); here != value) {
            differ(key, value, here);
        }
    }
    for (const auto& [key, value] : present) {
        if (const std::string there = value_in(saved, key); there != value) {
            differ(key, there, value);
        }
    }
}

std::string fingerprint(std::span<const std::byte> bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    const std::uint32_t crc = crc_of(bytes);
    std::string text = "crc32 0x";
    for (int shift = 28; shift >= 0; shift -= 4) {
        text += kDigits[crc >> shift & 15];
    }
    return text + " of " + std::to_string(bytes.size()) + " bytes";
}

std::string fingerprint_of(const std::string& path) {
    return fingerprint(content_of(path));
}

} // namespace pes

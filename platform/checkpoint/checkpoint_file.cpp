// SPDX-License-Identifier: Apache-2.0
#include "platform/checkpoint/checkpoint_file.h"

#include "platform/host/input_file.h"
#include "platform/host/user_error.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <functional>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>

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

std::uint32_t crc_of(std::span<const std::byte> bytes, std::uint32_t before = 0) {
    return static_cast<std::uint32_t>(
        crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

/// Calls `take` for one piece after the other.
void read_file(const std::string& path,
               const std::function<void(std::span<const std::byte>)>& take) {
    InputFile file(path);
    std::vector<std::byte> piece(std::size_t{1} << 20);
    do {
        file.stream().read(reinterpret_cast<char*>(piece.data()),
                           static_cast<std::streamsize>(piece.size()));
        take(std::span(piece).first(static_cast<std::size_t>(file.stream().gcount())));
    } while (file.stream());
    file.require_read();
}

} // namespace

std::optional<std::uint32_t> checkpoint_version(const std::string& path) {
    InputFile file(path);
    Header header{.magic = {}};
    file.stream().read(reinterpret_cast<char*>(&header), sizeof header);
    const bool is_one = file.stream() && header.magic == kMagic;
    return is_one ? std::optional(header.version) : std::nullopt;
}

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

struct CheckpointSource::Stream {
    std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> state{ZSTD_createDStream(),
                                                                     ZSTD_freeDStream};
    ZSTD_inBuffer in{};
};

CheckpointSource::CheckpointSource(std::vector<std::byte> file, const std::string& title)
    : file_(std::move(file)), stream_(std::make_unique<Stream>()) {
    Header header;
    if (file_.size() < sizeof header ||
        std::memcmp(file_.data(), kMagic.data(), kMagic.size()) != 0) {
        throw UserError(title + " is no checkpoint of pes-vp");
    }
    std::memcpy(&header, file_.data(), sizeof header);
    if (header.version != kCheckpointVersion) {
        throw UserError(title + " has version " + std::to_string(header.version) + ", expected " +
                        std::to_string(kCheckpointVersion) +
                        ": another version of pes-vp has written it");
    }
    const std::span<const std::byte> packed = std::span(file_).subspan(sizeof header);
    if (crc_of(packed) != header.crc) {
        throw UserError(title + " is damaged: its checksum is wrong");
    }
    const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
    if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR) {
        throw UserError(title + " is damaged: its content is not packed by zstd");
    }
    size_ = size;
    stream_->in = {packed.data(), packed.size(), 0};
}

CheckpointSource::~CheckpointSource() = default;

void CheckpointSource::unpack(std::span<std::byte> bytes) {
    ZSTD_outBuffer out{bytes.data(), bytes.size(), 0};
    while (out.pos != out.size) {
        const std::size_t before = out.pos;
        const std::size_t result = ZSTD_decompressStream(stream_->state.get(), &out, &stream_->in);
        const bool stuck = out.pos == before && stream_->in.pos == stream_->in.size;
        if (ZSTD_isError(result) != 0 || stuck) {
            throw ArchiveError("its content cannot be unpacked");
        }
    }
    unpacked_ += bytes.size();
}

void CheckpointSource::read(std::span<std::byte> bytes) {
    constexpr std::uint64_t kAhead = std::uint64_t{1} << 16;
    while (!bytes.empty()) {
        if (taken_ == ahead_.size() && bytes.size() >= kAhead) {
            unpack(bytes);
            return;
        }
        if (taken_ == ahead_.size()) {
            ahead_.resize(std::max<std::uint64_t>(std::min(kAhead, size_ - unpacked_), 1));
            unpack(ahead_);
            taken_ = 0;
        }
        const std::size_t some = std::min(bytes.size(), ahead_.size() - taken_);
        std::memcpy(bytes.data(), ahead_.data() + taken_, some);
        taken_ += some;
        bytes = bytes.subspan(some);
    }
}

std::vector<std::byte> read_checkpoint(const std::string& path) {
    std::vector<std::byte> bytes;
    std::error_code unknown;
    const std::uintmax_t size = std::filesystem::file_size(path, unknown);
    bytes.reserve(unknown ? 0 : static_cast<std::size_t>(size));
    read_file(path, [&bytes](std::span<const std::byte> piece) {
        bytes.insert(bytes.end(), piece.begin(), piece.end());
    });
    return bytes;
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

std::string fingerprint_of(const std::string& path) {
    std::uint32_t crc = 0;
    std::uint64_t size = 0;
    read_file(path, [&](std::span<const std::byte> piece) {
        crc = crc_of(piece, crc);
        size += piece.size();
    });
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text = "crc32 0x";
    for (int shift = 28; shift >= 0; shift -= 4) {
        text += kDigits[crc >> shift & 15];
    }
    return text + " of " + std::to_string(size) + " bytes";
}

} // namespace pes

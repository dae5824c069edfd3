// SPDX-License-Identifier: Apache-2.0
#include "platform/boot/unpack.h"

#include "platform/host/user_error.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

namespace pes {

namespace {

using Bytes = std::span<const std::byte>;

bool starts_with(Bytes bytes, std::string_view magic) {
    return bytes.size() >= magic.size() &&
           std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}
bool is_gzip(Bytes bytes) {
    return starts_with(bytes, "\x1F\x8B");
}
bool is_zstd(Bytes bytes) {
    return starts_with(bytes, "\x28\xB5\x2F\xFD");
}

/// One file on its way into memory; every mistake names it.
class Unpacker {
  public:
    Unpacker(const std::string& title, std::uint64_t most) : title_(title), most_(most) {}

    std::vector<std::byte> gzip(Bytes packed) {
        constexpr int kGzipOnly = 16 + MAX_WBITS;
        z_stream stream{};
        if (inflateInit2(&stream, kGzipOnly) != Z_OK) {
            refuse("cannot be unpacked: no memory for zlib");
        }
        const std::unique_ptr<z_stream, decltype(&inflateEnd)> end(&stream, inflateEnd);
        // zlib does not write to its input, but takes no pointer to const.
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data()));
        std::size_t left = packed.size();
        int result = Z_OK;
        while (result != Z_STREAM_END) {
            const std::span<std::byte> room = more_room();
            const auto given = static_cast<uInt>(std::min<std::size_t>(left, kChunk));
            stream.avail_in = given;
            stream.next_out = reinterpret_cast<Bytef*>(room.data());
            stream.avail_out = static_cast<uInt>(room.size());
            result = inflate(&stream, Z_NO_FLUSH);
            left -= given - stream.avail_in;
            filled_ += room.size() - stream.avail_out;
            if (result == Z_BUF_ERROR || (result == Z_OK && left == 0 && stream.avail_out != 0)) {
                refuse("ends within its gzip data");
            }
            if (result != Z_OK && result != Z_STREAM_END) {
                refuse("has damaged gzip data");
            }
        }
        return finish();
    }

    std::vector<std::byte> zstd(Bytes packed) {
        const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(
            ZSTD_createDStream(), ZSTD_freeDStream);
        if (!stream) {
            refuse("cannot be unpacked: no memory for zstd");
        }
        ZSTD_inBuffer in{packed.data(), packed.size(), 0};
        std::size_t hint = 1; // 0: the frame is complete
        while (hint != 0) {
            const std::span<std::byte> room = more_room();
            ZSTD_outBuffer out{room.data(), room.size(), 0};
            hint = ZSTD_decompressStream(stream.get(), &out, &in);
            filled_ += out.pos;
            if (ZSTD_isError(hint) != 0) {
                refuse("has damaged zstd data");
            }
            if (hint != 0 && in.pos == in.size && out.pos < out.size) {
                refuse("ends within its zstd data");
            }
        }
        return finish();
    }

    /// An EFI program around packed data. The build appends the unpacked size to the data of some
    /// formats, which both unpackers leave alone.
    std::vector<std::byte> zboot(Bytes file) {
        struct Header {
            char dos[4];
            char type[4];
            std::uint32_t offset; ///< of the packed data
            std::uint32_t size;
            std::uint32_t reserved[2];
            char method[32];
        } header{};
        if (file.size() < sizeof header) {
            refuse("ends within its EFI header");
        }
        std::memcpy(&header, file.data(), sizeof header);
        if (header.offset > file.size() || header.size > file.size() - header.offset) {
            refuse("ends within its packed image");
        }
        const Bytes packed = file.subspan(header.offset, header.size);
        if (is_gzip(packed)) {
            return gzip(packed);
        }
        if (is_zstd(packed)) {
            return zstd(packed);
        }
        const std::string method(header.method, strnlen(header.method, sizeof header.method));
        refuse("packs its image with '" + method + "', expected gzip or zstd");
    }

  private:
    static constexpr std::size_t kChunk = std::size_t{1} << 20;

    [[noreturn]] void refuse(const std::string& problem) const {
        throw UserError(title_ + " " + problem);
    }

    void check_size() const {
        if (filled_ > most_) {
            refuse("unpacks to more than the " + std::to_string(most_) +
                   " bytes of main memory, expected a larger dram.size");
        }
    }

    std::span<std::byte> more_room() {
        check_size();
        if (unpacked_.size() - filled_ < kChunk) {
            unpacked_.resize(std::max(unpacked_.size() * 2, filled_ + kChunk));
        }
        return std::span(unpacked_).subspan(filled_, kChunk);
    }

    std::vector<std::byte> finish() {
        check_size();
        unpacked_.resize(filled_);
        if (starts_with(unpacked_, "\x7F"
                                   "ELF")) {
            refuse("packs an ELF file, expected an image: unpack it first");
        }
        if (unpacked_.empty()) {
            refuse("packs nothing");
        }
        return std::move(unpacked_);
    }

    const std::string& title_;
    const std::uint64_t most_;
    std::vector<std::byte> unpacked_;
    std::size_t filled_ = 0;
};

} // namespace

std::vector<std::byte> unpack(std::vector<std::byte> file, const std::string& title,
                              std::uint64_t most) {
    constexpr std::string_view kZboot("MZ\0\0zimg", 8);
    Unpacker unpacker(title, most);
    if (is_gzip(file)) {
        return unpacker.gzip(file);
    }
    if (is_zstd(file)) {
        return unpacker.zstd(file);
    }
    return starts_with(file, kZboot) ? unpacker.zboot(file) : std::move(file);
}

} // namespace pes

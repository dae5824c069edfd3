// SPDX-License-Identifier: Apache-2.0
#include "platform/boot/unpack.h"

#include "tests/unit/common/user_error.h"

#include <gmock/gmock.h>

#include <zlib.h>
#include <zstd.h>

#include <cstring>

namespace pes {
namespace {

using test::user_error;
using ::testing::HasSubstr;
using Bytes = std::vector<std::byte>;

constexpr std::uint64_t kMost = 64 << 20;
const std::string kTitle = "kernel 'Image'";

/// Not all of it repeats, and it is longer than one step of the unpacker.
Bytes image() {
    Bytes bytes(3'000'000);
    std::uint32_t state = 1;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        state = state * 1664525 + 1013904223;
        bytes[i] = static_cast<std::byte>(i % 7 == 0 ? state >> 24 : i >> 12);
    }
    return bytes;
}

Bytes gzip(const Bytes& plain) {
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    Bytes packed(deflateBound(&stream, plain.size()));
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(plain.data()));
    stream.avail_in = static_cast<uInt>(plain.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

Bytes zstd(const Bytes& plain) {
    Bytes packed(ZSTD_compressBound(plain.size()));
    ZSTD_CCtx* const context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1); // as the zstd command does
    packed.resize(
        ZSTD_compress2(context, packed.data(), packed.size(), plain.data(), plain.size()));
    ZSTD_freeCCtx(context);
    return packed;
}

/// An EFI program: header, some code, the packed data.
Bytes zboot(const Bytes& packed, const char* method) {
    constexpr std::uint32_t kOffset = 0x1000;
    Bytes file(kOffset + packed.size() + 16);
    const auto size = static_cast<std::uint32_t>(packed.size());
    std::memcpy(file.data(), "MZ\0\0zimg", 8);
    std::memcpy(file.data() + 8, &kOffset, 4);
    std::memcpy(file.data() + 12, &size, 4);
    std::memcpy(file.data() + 24, method, std::strlen(method));
    std::memcpy(file.data() + kOffset, packed.data(), packed.size());
    return file;
}

std::string refusal(const Bytes& file, std::uint64_t most = kMost) {
    return user_error([&] { unpack(file, kTitle, most); });
}

TEST(Unpack, LeavesOtherFilesAlone) {
    const Bytes plain = image();
    EXPECT_EQ(unpack(plain, kTitle, 1), plain); // its size is somebody else's question
    EXPECT_TRUE(unpack({}, kTitle, kMost).empty());
    const Bytes efi_image{std::byte{'M'}, std::byte{'Z'}, std::byte{0x6F}, std::byte{0x10}};
    EXPECT_EQ(unpack(efi_image, kTitle, kMost), efi_image); // an Image with an EFI stub
}

TEST(Unpack, GivesWhatWasPacked) {
    const Bytes plain = image();
    EXPECT_EQ(unpack(gzip(plain), kTitle, kMost), plain);
    EXPECT_EQ(unpack(zstd(plain), kTitle, kMost), plain);
    EXPECT_EQ(unpack(zboot(gzip(plain), "gzip"), kTitle, kMost), plain);
    EXPECT_EQ(unpack(zboot(zstd(plain), "zstd22"), kTitle, kMost), plain);
}

TEST(Unpack, RefusesFilesThatEndEarly) {
    for (const Bytes& whole : {gzip(image()), zstd(image())}) {
        for (const std::size_t size :
             {std::size_t{4}, std::size_t{5}, std::size_t{18}, std::size_t{1000}, whole.size() / 2,
              whole.size() - 4, whole.size() - 1}) {
            const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
            EXPECT_THAT(refusal(cut), HasSubstr(kTitle + " ends within its ")) << size;
        }
    }
    Bytes efi = zboot(gzip(image()), "gzip");
    for (const std::size_t size : {std::size_t{8}, std::size_t{55}}) {
        EXPECT_EQ(refusal({efi.begin(), efi.begin() + static_cast<std::ptrdiff_t>(size)}),
                  kTitle + " ends within its EFI header");
    }
    efi.resize(efi.size() / 2);
    EXPECT_EQ(refusal(efi), kTitle + " ends within its packed image");
}

TEST(Unpack, RefusesDamagedFiles) {
    for (Bytes whole : {gzip(image()), zstd(image())}) {
        for (std::size_t at = 64; at < whole.size(); at += whole.size() / 50) {
            Bytes damaged = whole;
            damaged[at] ^= std::byte{0x10};
            EXPECT_THAT(refusal(damaged), HasSubstr(kTitle)) << at;
        }
        whole[whole.size() - 5] ^= std::byte{1}; // of the data or of the checksum
        EXPECT_THAT(refusal(whole), HasSubstr("has damaged"));
    }
}

TEST(Unpack, RefusesWhatDoesNotFit) {
    for (const Bytes& packed : {gzip(image()), zstd(image())}) {
        EXPECT_THAT(refusal(packed, 1'500'000),
                    HasSubstr("unpacks to more than the 1500000 bytes of main memory"));
        EXPECT_THAT(refusal(packed, 2'999'999), HasSubstr("unpacks to more than"));
        EXPECT_EQ(refusal(packed, 3'000'000), "");
    }
}

TEST(Unpack, RefusesWhatIsNoImage) {
    const Bytes elf{std::byte{0x7F}, std::byte{'E'}, std::byte{'L'}, std::byte{'F'}};
    EXPECT_EQ(refusal(gzip(elf)),
              kTitle + " packs an ELF file, expected an image: unpack it first");
    EXPECT_EQ(refusal(gzip({})), kTitle + " packs nothing");
    EXPECT_EQ(refusal(zboot(image(), "lzma")),
              kTitle + " packs its image with 'lzma', expected gzip or zstd");
}

} // namespace
} // namespace pes

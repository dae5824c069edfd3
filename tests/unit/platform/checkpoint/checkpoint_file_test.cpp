// SPDX-License-Identifier: Apache-2.0
// The file of a checkpoint: what is packed comes back, and everything else is one sentence.
#include "platform/checkpoint/checkpoint_file.h"

#include "hw/hpm/tlm_bank.h"
#include "hw/irq/clint.h"
#include "hw/irq/plic.h"
#include "hw/uart/uart.h"
#include "tests/unit/common/user_error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace pes {
namespace {

using Bytes = std::vector<std::byte>;

const ClintConfig kTimer{.harts = 2};
const PlicConfig kController{.sources = 40, .contexts = 4};
const UartConfig kConsole{};
const CounterConfig kCounters{};

/// Some devices and counters in a state that is not that of reset.
struct SmallPlatform {
    Clint clint{kTimer};
    Plic plic{kController};
    Uart uart{kConsole};
    TlmCounterBank bank{kCounters};

    void use() {
        clint.set_stimecmp(1, 777, 12);
        plic.set_source(3, true, 20);
        plic.set_source(33, true, 24);
        uart.receive('x', 30);
        bank.set_privilege(Privilege::User, 5);
        bank.advance({}, 9);
    }
    void state(Archive& archive) {
        CheckpointSettings settings{{"key", "value"}, {"other", "1"}};
        archive.section("settings", [&](Archive& part) { part(settings); });
        archive.section("clint", [this](Archive& part) { part(clint); });
        archive.section("plic", [this](Archive& part) { part(plic); });
        archive.section("uart", [this](Archive& part) { part(uart); });
        archive.section("bank", [this](Archive& part) { part(bank); });
    }
    Bytes saved() {
        Archive archive;
        archive(*this);
        return archive.bytes();
    }
};

/// All that a file holds. Throws what its reader throws.
Bytes unpacked(const Bytes& file, const std::string& title = "F") {
    CheckpointSource source(file, title);
    Bytes content(source.size());
    for (std::size_t at = 0, piece = 1; at < content.size(); piece = 1 + piece * 7 % 100'000) {
        const std::size_t some = std::min(piece, content.size() - at);
        source.read(std::span(content).subspan(at, some));
        at += some;
    }
    return content;
}

/// One bit, some bytes fewer, or some more.
Bytes mutated(Bytes bytes, std::mt19937_64& random) {
    const std::size_t at = random() % bytes.size();
    const auto place = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    switch (random() % 5) {
    case 0:
        bytes.resize(at);
        break;
    case 1:
        bytes.insert(place, 1 + random() % 9, static_cast<std::byte>(random()));
        break;
    case 2:
        bytes.erase(place, place + static_cast<std::ptrdiff_t>(
                                       1 + random() % std::min<std::size_t>(9, bytes.size() - at)));
        break;
    default:
        *place ^= std::byte{1} << random() % 8;
    }
    return bytes;
}

TEST(CheckpointFile, WhatIsPackedComesBack) {
    SmallPlatform platform;
    platform.use();
    const Bytes archive = platform.saved();
    EXPECT_EQ(unpacked(pack_checkpoint(archive)), archive);
    EXPECT_EQ(unpacked(pack_checkpoint({})), Bytes());
    Bytes large(1'000'000);
    std::mt19937 random(7);
    std::ranges::generate(large, [&random] { return static_cast<std::byte>(random() % 3); });
    EXPECT_EQ(unpacked(pack_checkpoint(large)), large);
}

TEST(CheckpointFile, ARestoredPlatformSavesTheSame) {
    SmallPlatform before;
    before.use();
    const Bytes bytes = before.saved();
    SmallPlatform after;
    Archive archive{std::span(bytes)};
    archive(after);
    EXPECT_TRUE(archive.at_end());
    EXPECT_EQ(after.saved(), bytes);
}

TEST(CheckpointFile, SentencesNameTheFile) {
    const Bytes file = pack_checkpoint(SmallPlatform().saved());
    const auto sentence = [](const Bytes& bytes) {
        return test::user_error([&] { unpacked(bytes, "--restore F"); });
    };
    EXPECT_EQ(sentence({}), "--restore F is no checkpoint of pes-vp");
    EXPECT_EQ(sentence(Bytes(100)), "--restore F is no checkpoint of pes-vp");
    Bytes other = file;
    other[8] = std::byte{200};
    EXPECT_EQ(sentence(other), "--restore F has version 200, expected " +
                                   std::to_string(kCheckpointVersion) +
                                   ": another version of pes-vp has written it");
    other = file;
    other.back() ^= std::byte{1};
    EXPECT_EQ(sentence(other), "--restore F is damaged: its checksum is wrong");
}

TEST(CheckpointFile, DamagedFilesAreRefused) {
    SmallPlatform platform;
    platform.use();
    const Bytes file = pack_checkpoint(platform.saved());
    std::mt19937_64 random(1);
    for (unsigned count = 0; count < 10'000; ++count) {
        const Bytes other = mutated(file, random);
        if (other != file) {
            EXPECT_NE(test::user_error([&] { unpacked(other); }), "");
        }
    }
}

/// As if somebody had made the checksum fit.
TEST(CheckpointFile, DamagedContentIsRefusedOrAStateOfItsOwn) {
    SmallPlatform platform;
    platform.use();
    const Bytes content = platform.saved();
    std::mt19937_64 random(2);
    unsigned refused = 0;
    for (unsigned count = 0; count < 10'000; ++count) {
        const Bytes other = mutated(content, random);
        SmallPlatform loaded;
        try {
            Archive archive{std::span(other)};
            archive(loaded);
        } catch (const ArchiveError& error) {
            ++refused;
            EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos);
        }
    }
    EXPECT_GT(refused, 4000U);
}

TEST(CheckpointFile, TheFirstSettingThatDiffersIsNamed) {
    const CheckpointSettings saved{{"harts", "1"}, {"dram.size", "5"}};
    const auto sentence = [&](const CheckpointSettings& present) {
        return test::user_error([&] { require_same_settings(saved, present, "F"); });
    };
    EXPECT_EQ(sentence(saved), "");
    EXPECT_EQ(sentence({{"harts", "2"}, {"dram.size", "6"}}),
              "F: harts is 1 in the checkpoint and 2 here, expected the same");
    EXPECT_EQ(sentence({{"harts", "1"}}),
              "F: dram.size is 5 in the checkpoint and nothing here, expected the same");
    EXPECT_EQ(sentence({{"harts", "1"}, {"dram.size", "5"}, {"new", "3"}}),
              "F: new is nothing in the checkpoint and 3 here, expected the same");
}

} // namespace
} // namespace pes

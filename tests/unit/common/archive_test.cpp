// SPDX-License-Identifier: Apache-2.0
// One list of members saves and restores; what does not fit is refused with the section's name.
#include "hw/common/archive.h"

#include "hw/common/event.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace pes {
namespace {

enum class Colour : std::uint8_t { Red, Green, Blue };

struct Part {
    std::uint16_t number = 0;
    std::optional<std::uint64_t> maybe;

    void state(Archive& archive) { archive(number, maybe); }
    bool operator==(const Part&) const = default;
};

struct Everything {
    bool flag = false;
    std::int32_t negative = 0;
    Colour colour = Colour::Red;
    std::array<std::uint8_t, 3> bytes{};
    std::vector<Part> parts;
    std::deque<std::uint32_t> queue;
    std::vector<bool> bits;
    std::string text;
    EventMask events{};
    std::vector<std::uint64_t> table = std::vector<std::uint64_t>(4);

    void state(Archive& archive) {
        archive(flag, negative);
        archive.one_of(colour, Colour::Blue);
        archive(bytes, parts, queue, bits, text, events);
        archive.fixed(table);
    }
    bool operator==(const Everything&) const = default;
};

Everything example() {
    return {.flag = true,
            .negative = -5,
            .colour = Colour::Green,
            .bytes = {1, 2, 3},
            .parts = {{.number = 7, .maybe = 8}, {.number = 9, .maybe = {}}},
            .queue = {10, 11},
            .bits = {true, false, true},
            .text = "text",
            .events = event_bit(Event::Load) | event_bit(Event::Cycles),
            .table = {1, 2, 3, 4}};
}

std::vector<std::byte> saved(auto list) {
    Archive archive;
    list(archive);
    return archive.bytes();
}

/// The sentence of the refusal; empty if there is none.
std::string refusal(std::span<const std::byte> bytes, auto list) {
    try {
        Archive archive(bytes);
        list(archive);
    } catch (const ArchiveError& error) {
        return error.what();
    }
    return {};
}

TEST(ArchiveOfState, RestoresWhatWasSaved) {
    Everything before = example();
    const auto bytes = saved([&](Archive& archive) { archive(before); });
    Everything after;
    after.parts.resize(5); // what was there goes
    Archive archive{std::span(bytes)};
    archive(after);
    EXPECT_EQ(after, before);
    EXPECT_TRUE(archive.at_end());
}

TEST(ArchiveOfState, NumbersAreLittleEndianInTheirOwnSize) {
    std::uint32_t number = 0x04030201;
    const auto bytes = saved([&](Archive& archive) { archive(number); });
    EXPECT_EQ(bytes,
              (std::vector<std::byte>{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}}));
}

TEST(ArchiveOfState, EveryShorterOneIsRefused) {
    Everything before = example();
    const auto bytes = saved(
        [&](Archive& archive) { archive.section("all", [&](Archive& part) { part(before); }); });
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const std::string sentence = refusal(std::span(bytes).first(size), [](Archive& archive) {
            Everything after;
            archive.section("all", [&](Archive& part) { part(after); });
        });
        EXPECT_FALSE(sentence.empty()) << size << " bytes";
    }
}

TEST(ArchiveOfState, OtherSectionsAreRefused) {
    std::uint64_t number = 1;
    const auto bytes = saved(
        [&](Archive& archive) { archive.section("one", [&](Archive& part) { part(number); }); });
    EXPECT_EQ(refusal(bytes,
                      [&](Archive& archive) {
                          archive.section("other", [&](Archive& part) { part(number); });
                      }),
              "it has no section 'other' where it is expected");
    EXPECT_EQ(refusal(bytes, [](Archive& archive) { archive.section("one", [](Archive&) {}); }),
              "section 'one': it is longer than expected");
    EXPECT_EQ(refusal(bytes,
                      [&](Archive& archive) {
                          archive.section("one", [&](Archive& part) { part(number, number); });
                      }),
              "section 'one': it ends too early");
}

TEST(ArchiveOfState, NestedSectionsAreNamedInFull) {
    std::uint8_t number = 9;
    const auto list = [&number](Archive& archive) {
        archive.section("outer", [&](Archive& outer) {
            outer.section("inner", [&](Archive& inner) {
                inner.saves() ? inner(number) : inner.below(number, 9);
            });
        });
    };
    EXPECT_EQ(refusal(saved(list), list), "section 'outer.inner': a value is out of its range");
}

TEST(ArchiveOfState, ValuesThatATypeDoesNotHaveAreRefused) {
    std::uint8_t two = 2;
    const auto bytes = saved([&](Archive& archive) { archive(two); });
    EXPECT_FALSE(refusal(bytes, [](Archive& archive) {
                     bool flag = false;
                     archive(flag);
                 }).empty());
    EXPECT_FALSE(refusal(bytes, [](Archive& archive) {
                     Colour colour{};
                     archive.one_of(colour, Colour::Green);
                 }).empty());
}

TEST(ArchiveOfState, TablesKeepTheirSize) {
    std::vector<std::uint8_t> table(4);
    const auto bytes = saved([&](Archive& archive) { archive.fixed(table); });
    table.resize(5);
    EXPECT_EQ(refusal(bytes, [&](Archive& archive) { archive.fixed(table); }),
              "a table has another size");
}

TEST(ArchiveOfState, ALengthCannotAskForMoreThanThereIs) {
    std::uint64_t length = ~std::uint64_t{0};
    const auto bytes = saved([&](Archive& archive) { archive(length); });
    EXPECT_EQ(refusal(bytes,
                      [](Archive& archive) {
                          std::vector<std::uint64_t> values;
                          archive(values);
                      }),
              "it is longer than its section");
}

} // namespace
} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// The state of a model as bytes. Every object with state lists it once, in a member
// state(Archive&), which serves both directions: an archive that saves appends what is listed, one
// that loads puts back what was saved.
//
// Format: integers in their own size, little-endian; a bool and an enum are one byte; containers
// are their length in 64 bits and then their elements; a section is its name, its length and its
// content. So a state that does not fit is noticed: the reader never goes past the end of a
// section, and refuses other names, lengths, and values that a type does not have. What it refuses
// is an ArchiveError, whose text names the section.
//
// What follows from the rest (memos, native code, tables of the host) is not part of a state.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace pes {

/// What is loaded is not what this model has saved.
class ArchiveError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Where an archive loads from.
class ByteSource {
  public:
    ByteSource() = default;
    ByteSource(const ByteSource&) = delete;
    ByteSource& operator=(const ByteSource&) = delete;
    virtual ~ByteSource() = default;

    virtual std::uint64_t size() const = 0; ///< bytes in all
    /// The next ones. Throws ArchiveError if they cannot be had.
    virtual void read(std::span<std::byte> bytes) = 0;
};

class Archive {
  public:
    /// Saves.
    Archive() = default;
    /// Loads what another one has saved; the bytes must outlive it.
    explicit Archive(std::span<const std::byte> bytes)
        : saves_(false), from_(bytes), size_(bytes.size()) {}
    explicit Archive(ByteSource& source) : saves_(false), source_(&source), size_(source.size()) {}
    Archive(const Archive&) = delete;
    Archive& operator=(const Archive&) = delete;

    bool saves() const { return saves_; }
    /// What has been saved.
    const std::vector<std::byte>& bytes() const { return to_; }
    /// Everything has been loaded.
    bool at_end() const { return size_ == position_; }

    template <typename... Values>
    void operator()(Values&... values) {
        (value(values), ...);
    }

    /// An enum, or a container of them, whose values are 0 to `last`.
    template <typename Enum>
    requires std::is_enum_v<Enum>
    void one_of(Enum& value, Enum last) { below(value, static_cast<std::uint64_t>(last) + 1); }
    template <typename Container, typename Enum>
    requires std::is_enum_v<Enum>
    void each_of(Container& values, Enum last) {
        for (auto& value : values) {
            one_of(value, last);
        }
    }
    /// A number, such as an index, that must be below `limit`.
    template <typename Number>
    void below(Number& value, std::uint64_t limit) {
        const auto as_saved = [&] {
            if constexpr (std::is_enum_v<Number>) {
                return static_cast<std::underlying_type_t<Number>>(value);
            } else {
                return value;
            }
        };
        auto number = as_saved();
        integer(number);
        if (static_cast<std::uint64_t>(number) >= limit) {
            refuse("a value is out of its range");
        }
        value = static_cast<Number>(number);
    }
    /// A container that has the same length in every state.
    template <typename Container>
    void fixed(Container& values) {
        std::uint64_t size = values.size();
        integer(size);
        if (size != values.size()) {
            refuse("a table has another size");
        }
        elements(values);
    }
    /// Bytes as they are, of a length that both sides know.
    void raw(std::span<std::byte> bytes);

    /// What `list` lists, under a name. `list` is called with this archive.
    template <typename List>
    void section(std::string_view name, List list) {
        const Section outer = begin(name);
        list(*this);
        end(outer);
    }

    [[noreturn]] void refuse(std::string_view why) const;

  private:
    struct Section {
        std::string name;
        std::size_t end = 0; ///< of the content; of one that is saved: the place of its length
    };

    Section begin(std::string_view name);
    void end(const Section& outer);
    std::size_t left() const { return section_.end - position_; }

    template <std::integral Number>
    void integer(Number& number) {
        static_assert(std::endian::native == std::endian::little, "numbers are copied as they are");
        raw(std::as_writable_bytes(std::span(&number, 1)));
    }

    void value(bool& flag) {
        std::uint8_t byte = flag ? 1 : 0;
        below(byte, 2);
        flag = byte != 0;
    }
    template <std::integral Number>
    void value(Number& number) {
        integer(number);
    }
    template <typename Object>
    requires requires(Object& object, Archive& archive) { object.state(archive); }
    void value(Object& object) { object.state(*this); }
    /// A set of bits, such as EventMask.
    template <typename Set>
    requires requires(Set& set) { set.word(Set::kWords - 1) = std::uint64_t{}; }
    void value(Set& set) {
        for (std::size_t index = 0; index < Set::kWords; ++index) {
            integer(set.word(index));
        }
    }
    template <typename Element, std::size_t Size>
    void value(std::array<Element, Size>& values) {
        elements(values);
    }
    template <typename Element>
    void value(std::vector<Element>& values) {
        resize(values);
        elements(values);
    }
    template <typename Element>
    void value(std::deque<Element>& values) {
        resize(values);
        elements(values);
    }
    void value(std::string& text) {
        resize(text);
        raw(std::as_writable_bytes(std::span(text)));
    }
    template <typename Element>
    void value(std::optional<Element>& element) {
        bool present = element.has_value();
        value(present);
        if (!present) {
            element.reset();
            return;
        }
        if (!element) {
            element.emplace();
        }
        value(*element);
    }
    template <typename First, typename Second>
    void value(std::pair<First, Second>& pair) {
        value(pair.first);
        value(pair.second);
    }

    /// Each element takes at least a byte, so a wrong length cannot ask for more memory than the
    /// file has.
    template <typename Container>
    void resize(Container& values) {
        std::uint64_t size = values.size();
        integer(size);
        if (!saves_) {
            if (size > left()) {
                refuse("it is longer than its section");
            }
            values.resize(size);
        }
    }
    template <typename Container>
    void elements(Container& values) {
        using Element = typename Container::value_type;
        if constexpr (std::is_same_v<Container, std::vector<bool>>) {
            for (std::size_t index = 0; index < values.size(); ++index) {
                bool flag = values[index];
                value(flag);
                values[index] = flag;
            }
        } else if constexpr (std::integral<Element> && !std::is_same_v<Element, bool> &&
                             requires { values.data(); }) {
            raw(std::as_writable_bytes(std::span(values)));
        } else {
            for (Element& element : values) {
                value(element);
            }
        }
    }

    bool saves_ = true;
    std::vector<std::byte> to_;
    std::span<const std::byte> from_; ///< or
    ByteSource* source_ = nullptr;
    std::size_t size_ = 0; ///< of what is loaded
    std::size_t position_ = 0;
    Section section_{.name = {}, .end = size_};
};

} // namespace pes

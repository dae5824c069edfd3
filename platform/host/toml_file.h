// SPDX-License-Identifier: Apache-2.0
// TOML files: configurations, PMU profiles, pin maps, what is written beside a trace. A mistake in
// one is a UserError of one shape:
//
//   FILE:LINE: KEY = VALUE is not valid, expected EXPECTED
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pes {

/// A value of a TOML document together with its key and its place in the file. It may be missing:
/// then every function that needs it throws UserError.
class TomlValue {
  public:
    /// The largest integer of TOML. A larger number must be a quoted string.
    static constexpr std::uint64_t kMostInteger = std::numeric_limits<std::int64_t>::max();

    /// The table of the whole document. `what` names the file in a UserError ("profile file").
    static TomlValue read_file(const std::filesystem::path& file, std::string_view what);

    explicit operator bool() const { return kind_ != Kind::Missing; }
    bool is_table() const { return kind_ == Kind::Table; }
    bool is_text() const { return kind_ == Kind::Text; }
    bool is_list_of_tables() const;

    const std::string& key() const { return key_; }
    std::string place() const { return *file_ + ":" + std::to_string(line_); }
    /// As TOML writes it; lists and tables without what is in them.
    const std::string& printed() const { return printed_; }

    /// Of a table: the value of a key.
    TomlValue operator[](std::string_view key) const;
    /// Of a table: all values, by key.
    std::vector<TomlValue> members() const;
    /// Throws UserError if the table has a key that is not one of these.
    void allow(std::span<const std::string_view> keys) const;

    // Each throws UserError unless there is such a value.
    bool flag() const;
    std::uint64_t number(std::uint64_t least, std::uint64_t most) const;
    /// Of any size.
    std::uint64_t number() const;
    // `expected` says what it stands for ("a frequency in Hz").
    std::int64_t integer(std::string_view expected) const;
    /// Greater than 0.
    double positive(std::string_view expected) const;
    std::string text() const;
    std::vector<std::string> texts() const; ///< a list of quoted strings
    std::vector<std::uint64_t> numbers(std::uint64_t least, std::uint64_t most) const; ///< a list
    /// The index of one of these words.
    std::size_t choice(std::span<const std::string_view> words) const;
    /// The tables of [[key]]; none if it is missing.
    std::vector<TomlValue> rows() const;

    /// Throws UserError "FILE:LINE: SENTENCE".
    [[noreturn]] void fail(const std::string& sentence) const;
    /// Throws the UserError of the shape above.
    [[noreturn]] void refuse(std::string_view expected) const;

  private:
    enum class Kind : std::uint8_t { Missing, Flag, Integer, Real, Text, List, Table, Other };
    using FileName = std::shared_ptr<const std::string>;
    using Items = std::shared_ptr<const std::vector<TomlValue>>;

    TomlValue(FileName file, std::uint32_t line, std::string key)
        : file_(std::move(file)), line_(line), key_(std::move(key)) {}
    const std::vector<TomlValue>& items_of_table() const;

    FileName file_;
    std::uint32_t line_; ///< of the table if it is missing
    std::string key_;
    Kind kind_ = Kind::Missing;
    bool flag_ = false;
    std::int64_t integer_ = 0;
    double real_ = 0; ///< of an integer too
    std::string text_;
    std::string printed_;
    Items items_ = std::make_shared<const std::vector<TomlValue>>(); ///< of a list or a table

    friend class TomlConverter;
};

} // namespace pes

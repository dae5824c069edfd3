// SPDX-License-Identifier: Apache-2.0
// What the options of a program say about themselves.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pes {

/// What completes a value.
enum class ValueKind : std::uint8_t { None, Word, File, Directory };

struct OptionFacts {
    std::vector<std::string> names{}; ///< with their dashes, short ones first; empty: positional
    std::string value{};              ///< name of the value, or values; empty: takes none
    ValueKind kind = ValueKind::None;
    std::vector<std::string> choices{}; ///< words that the value may be; with File: or a file
    bool list = false;                  ///< several of them, with commas
    /// Of a value KEY=VALUE, whose keys are the choices: the words of those that have any.
    std::map<std::string, std::vector<std::string>> key_words{};
    bool repeats = false;
    bool required = false;
    std::string meaning{};
    std::string group{}; ///< heading of --help
};

struct CommandFacts {
    std::string name{};
    std::string meaning{};
    std::string footer{};
    std::vector<OptionFacts> options{}; ///< in the order of --help
};

struct ProgramFacts {
    CommandFacts program{};
    std::string version{};
    std::vector<CommandFacts> commands{}; ///< subcommands
};

ProgramFacts facts_of(const CLI::App& app, const std::string& version);

/// Words of an option that its --help does not list.
struct OptionWords {
    std::string option; ///< "--set"
    std::string value;  ///< its name in --help: other commands may have other options of that name
    std::vector<std::string> words;
    bool or_file = false;
    std::map<std::string, std::vector<std::string>> key_words{}; ///< as in OptionFacts
};

/// The options KEY=VALUE of all commands, each name once.
std::map<std::string, const OptionFacts*> key_options(const ProgramFacts& program);

/// key_words, with those keys together whose words are the same.
std::map<std::vector<std::string>, std::vector<std::string>>
keys_by_words(const OptionFacts& option);

/// In every command that has such an option.
void add_words(ProgramFacts& program, const std::vector<OptionWords>& options);

} // namespace pes

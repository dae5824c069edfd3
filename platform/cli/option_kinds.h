// SPDX-License-Identifier: Apache-2.0
// Kinds of options that several commands have.
#pragma once

#include "hw/interface/types.h"
#include "platform/host/numbers.h"
#include "platform/host/user_error.h"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace pes {

/// The heading of --help under which the options from here on are.
inline void begin_group(CLI::App& command, const char* heading) {
    command.option_defaults()->group(heading);
}

/// An empty word would read as "not given".
CLI::Option* add_word(CLI::App& command, const char* option, std::string& value, const char* type,
                      const char* meaning);

void add_core_package(CLI::App& command, std::string& value);

/// Strict, unlike the parser's own conversion, which takes -1 for the largest number.
Cycle cycles_of(const std::string& option, const std::string& text);
void add_cycles(CLI::App& command, const std::string& option, Cycle& value, const char* meaning);

/// Stores the value that belongs to a word.
template <typename Value>
void add_choice(CLI::App& run, const char* option, Value& value,
                const std::map<std::string, Value>& words, const char* type, const char* meaning) {
    run.add_option_function<std::string>(
           option, [&value, words](const std::string& word) { value = words.at(word); }, meaning)
        ->type_name(type)
        ->check(CLI::IsMember(words));
}

/// Strict, as cycles_of() is.
template <typename Number>
void add_number(CLI::App& command, const std::string& option, Number& value, std::uint64_t least,
                std::uint64_t most, const char* meaning) {
    const auto set = [&value, option, least, most](const std::string& text) {
        const std::optional<std::uint64_t> number = parse_digits(text);
        if (!number || *number < least || *number > most) {
            throw UserError(option + " got '" + text + "', expected a number from " +
                            std::to_string(least) +
                            (most == kNever ? " on" : " to " + std::to_string(most)));
        }
        value = *number;
    };
    command.add_option_function<std::string>(option, set, meaning)->type_name("N");
}

} // namespace pes

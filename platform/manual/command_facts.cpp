// SPDX-License-Identifier: Apache-2.0
#include "platform/manual/command_facts.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace pes {
namespace {

std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, at);) {
        parts.push_back(part);
    }
    return parts;
}

/// A name of a value is in capitals; what is not is the value itself.
bool is_literal(const std::string& word) {
    return !word.empty() && std::ranges::all_of(word, [](unsigned char letter) {
        return std::islower(letter) != 0 || std::isdigit(letter) != 0 || letter == '-' ||
               letter == '_';
    });
}

ValueKind kind_of(const std::string& value) {
    for (const char* const file : {"FILE", "PROGRAM", "IMAGE", "SAMPLES", "CROSSINGS", "PATH"}) {
        if (value.find(file) != std::string::npos) {
            return ValueKind::File;
        }
    }
    return value.find("DIR") == std::string::npos ? ValueKind::Word : ValueKind::Directory;
}

/// "LEVEL:{trace,debug}" of the parser, or "cycles|all" of this project.
void take_value(OptionFacts& facts, const std::string& type) {
    const std::size_t brace = type.find(":{");
    facts.value = type.substr(0, brace);
    facts.kind = kind_of(facts.value);
    facts.list = facts.value.ends_with(",...");
    if (brace != std::string::npos) {
        facts.choices = split(type.substr(brace + 2, type.size() - brace - 3), ',');
        return;
    }
    for (const std::string& word : split(facts.value, '|')) {
        if (is_literal(word)) {
            facts.choices.push_back(word);
        }
    }
}

OptionFacts option_facts(const CLI::Option& option) {
    OptionFacts facts;
    for (const std::string& name : option.get_snames()) {
        facts.names.push_back("-" + name);
    }
    for (const std::string& name : option.get_lnames()) {
        facts.names.push_back("--" + name);
    }
    if (option.get_items_expected_max() != 0) {
        take_value(facts, option.get_type_name());
        if (facts.names.empty()) {
            facts.kind = ValueKind::File;
            facts.value = option.get_name(true);
        }
    }
    facts.repeats = option.get_items_expected_max() > 1;
    facts.required = option.get_required();
    facts.meaning = option.get_description();
    facts.group = option.get_group();
    return facts;
}

CommandFacts command_facts(const CLI::App& app) {
    CommandFacts facts{
        .name = app.get_name(), .meaning = app.get_description(), .footer = app.get_footer()};
    for (const std::string& group : app.get_groups()) {
        for (const CLI::Option* const option : app.get_options(
                 [&](const CLI::Option* candidate) { return candidate->get_group() == group; })) {
            facts.options.push_back(option_facts(*option));
        }
    }
    return facts;
}

void add_words(CommandFacts& command, const OptionWords& words) {
    for (OptionFacts& option : command.options) {
        if (std::ranges::find(option.names, words.option) == option.names.end() ||
            option.value != words.value) {
            continue;
        }
        option.kind = words.or_file ? ValueKind::File : ValueKind::Word;
        option.choices = words.words;
        option.key_words = words.key_words;
    }
}

} // namespace

ProgramFacts facts_of(const CLI::App& app, const std::string& version) {
    ProgramFacts facts{.program = command_facts(app), .version = version};
    for (const CLI::App* const command : app.get_subcommands({})) {
        facts.commands.push_back(command_facts(*command));
    }
    return facts;
}

std::map<std::string, const OptionFacts*> key_options(const ProgramFacts& program) {
    std::map<std::string, const OptionFacts*> found;
    for (const CommandFacts& command : program.commands) {
        for (const OptionFacts& option : command.options) {
            if (!option.key_words.empty()) {
                found.emplace(option.names.back(), &option);
            }
        }
    }
    return found;
}

std::map<std::vector<std::string>, std::vector<std::string>>
keys_by_words(const OptionFacts& option) {
    std::map<std::vector<std::string>, std::vector<std::string>> keys;
    for (const auto& [key, words] : option.key_words) {
        keys[words].push_back(key);
    }
    return keys;
}

void add_words(ProgramFacts& program, const std::vector<OptionWords>& options) {
    for (const OptionWords& words : options) {
        add_words(program.program, words);
        for (CommandFacts& command : program.commands) {
            add_words(command, words);
        }
    }
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "platform/manual/pages.h"

#include <sstream>

namespace pes {
namespace {

/// In single quotes, and with what _arguments takes for its own marked.
std::string text_of(const std::string& text) {
    std::string escaped;
    for (const char letter : text) {
        switch (letter) {
        case '\'':
            escaped += "'\\''";
            break;
        case '[':
        case ']':
        case ':':
        case '\\':
            escaped += '\\';
            [[fallthrough]];
        default:
            escaped += letter;
        }
    }
    return escaped;
}

std::string all_of(const std::vector<std::string>& words, const char* between = " ") {
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : between) + word;
    }
    return text;
}

/// "_pes-vp_set" of --set.
std::string key_action(const std::string& program, const OptionFacts& option) {
    return "_" + program + "_" + option.names.back().substr(2);
}

/// Keys and values of options KEY=VALUE, each of which several commands have.
void write_key_actions(std::ostream& out, const ProgramFacts& program) {
    for (const auto& [name, option] : key_options(program)) {
        out << key_action(program.program.name, *option) << "() {\n"
            << "  if ! compset -P '*='; then\n"
            << "    compadd \"$@\" -S = -- " << all_of(option->choices) << "\n    return\n  fi\n"
            << "  case ${${IPREFIX%=}##*=} in\n";
        for (const auto& [words, keys] : keys_by_words(*option)) {
            out << "  " << all_of(keys, "|") << ") compadd \"$@\" -- " << all_of(words) << " ;;\n";
        }
        out << "  *) _message value ;;\n  esac\n}\n";
    }
}

/// ":message:action" for a value.
std::string value_of(const std::string& program, const OptionFacts& option) {
    const std::string text = ":" + text_of(option.value) + ":";
    if (!option.key_words.empty()) {
        return text + key_action(program, option);
    }
    if (!option.choices.empty()) {
        const std::string words = all_of(option.choices);
        return text + (option.list                      ? "_values -s , words " + words
                       : option.kind == ValueKind::File ? "{compadd -- " + words + "; _files}"
                                                        : "(" + words + ")");
    }
    return text + (option.kind == ValueKind::File        ? "_files"
                   : option.kind == ValueKind::Directory ? "_files -/"
                                                         : " ");
}

void write_options(std::ostream& out, const std::string& program, const CommandFacts& command,
                   const char* indent) {
    for (const OptionFacts& option : command.options) {
        for (const std::string& name : option.names) {
            out << indent << "'" << (option.repeats ? "*" : "") << name << '['
                << text_of(option.meaning) << ']'
                << (option.value.empty() ? "" : value_of(program, option)) << "' \\\n";
        }
    }
}

} // namespace

std::string zsh_completion(const ProgramFacts& program) {
    const std::string& name = program.program.name;
    std::ostringstream out;
    out << "#compdef " << name << '\n';
    write_key_actions(out, program);
    if (program.commands.empty()) {
        out << "_arguments \\\n";
        write_options(out, name, program.program, "  ");
        out << "  '*:file:_files'\n";
        return out.str();
    }
    out << "local context state state_descr line\ntypeset -A opt_args\n_arguments -C \\\n";
    write_options(out, name, program.program, "  ");
    out << "  '1:command:->command' '*::argument:->argument'\ncase $state in\ncommand)\n"
        << "  local -a commands=(\n";
    for (const CommandFacts& command : program.commands) {
        out << "    '" << command.name << ':' << text_of(command.meaning) << "'\n";
    }
    out << "  )\n  _describe command commands\n  ;;\nargument)\n  case $line[1] in\n";
    for (const CommandFacts& command : program.commands) {
        out << "  " << command.name << ")\n    _arguments \\\n";
        write_options(out, name, command, "      ");
        out << "      '*:file:_files'\n    ;;\n";
    }
    out << "  esac\n  ;;\nesac\n";
    return out.str();
}

} // namespace pes

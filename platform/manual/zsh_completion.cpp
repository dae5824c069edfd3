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

/// ":message:action" for a value.
std::string value_of(const OptionFacts& option) {
    std::string text = ":" + text_of(option.value) + ":";
    if (!option.choices.empty()) {
        text += "(";
        for (const std::string& word : option.choices) {
            text += (text.back() == '(' ? "" : " ") + word;
        }
        return text + ")";
    }
    return text + (option.kind == ValueKind::File        ? "_files"
                   : option.kind == ValueKind::Directory ? "_files -/"
                                                         : " ");
}

void write_options(std::ostream& out, const CommandFacts& command, const char* indent) {
    for (const OptionFacts& option : command.options) {
        for (const std::string& name : option.names) {
            out << indent << "'" << (option.repeats ? "*" : "") << name << '['
                << text_of(option.meaning) << ']' << (option.value.empty() ? "" : value_of(option))
                << "' \\\n";
        }
    }
}

} // namespace

std::string zsh_completion(const ProgramFacts& program) {
    const std::string& name = program.program.name;
    std::ostringstream out;
    out << "#compdef " << name << '\n';
    if (program.commands.empty()) {
        out << "_arguments \\\n";
        write_options(out, program.program, "  ");
        out << "  '*:file:_files'\n";
        return out.str();
    }
    out << "local context state state_descr line\ntypeset -A opt_args\n_arguments -C \\\n";
    write_options(out, program.program, "  ");
    out << "  '1:command:->command' '*::argument:->argument'\ncase $state in\ncommand)\n"
        << "  local -a commands=(\n";
    for (const CommandFacts& command : program.commands) {
        out << "    '" << command.name << ':' << text_of(command.meaning) << "'\n";
    }
    out << "  )\n  _describe command commands\n  ;;\nargument)\n  case $line[1] in\n";
    for (const CommandFacts& command : program.commands) {
        out << "  " << command.name << ")\n    _arguments \\\n";
        write_options(out, command, "      ");
        out << "      '*:file:_files'\n    ;;\n";
    }
    out << "  esac\n  ;;\nesac\n";
    return out.str();
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "platform/manual/pages.h"

#include <algorithm>
#include <sstream>

namespace pes {
namespace {

std::string joined(const std::vector<std::string>& words, const char* between) {
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : between) + word;
    }
    return text;
}

std::string function_of(const std::string& program) {
    std::string name = "_" + program;
    std::ranges::replace(name, '-', '_');
    return name;
}

std::vector<std::string> option_names(const CommandFacts& command) {
    std::vector<std::string> names;
    for (const OptionFacts& option : command.options) {
        names.insert(names.end(), option.names.begin(), option.names.end());
    }
    return names;
}

/// What may come behind an option; nothing if it takes no value.
std::string values(const OptionFacts& option) {
    if (!option.choices.empty()) {
        return "compgen -W '" + joined(option.choices, " ") + "' -- \"$cur\"";
    }
    switch (option.kind) {
    case ValueKind::File:
        return "compgen -f -- \"$cur\"";
    case ValueKind::Directory:
        return "compgen -d -- \"$cur\"";
    case ValueKind::Word:
        return "true";
    case ValueKind::None:
        break;
    }
    return "";
}

/// `prefix` is the subcommand and a slash.
void write_values(std::ostream& out, const CommandFacts& command, const std::string& prefix) {
    for (const OptionFacts& option : command.options) {
        const std::string generator = values(option);
        if (option.names.empty() || generator.empty()) {
            continue;
        }
        std::vector<std::string> patterns;
        for (const std::string& name : option.names) {
            patterns.push_back(prefix + name);
        }
        out << "    " << joined(patterns, " | ") << ") mapfile -t COMPREPLY < <(" << generator
            << "); return ;;\n";
    }
}

} // namespace

std::string bash_completion(const ProgramFacts& program) {
    const std::string& name = program.program.name;
    std::vector<std::string> first = option_names(program.program);
    for (const CommandFacts& command : program.commands) {
        first.push_back(command.name);
    }
    std::ostringstream out;
    out << "# Completion of " << name << " for bash\n"
        << function_of(name) << "() {\n"
        << "    local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
        << "    local command=" << (program.commands.empty() ? "" : "${COMP_WORDS[1]}") << "\n"
        << "    compopt -o filenames 2>/dev/null\n"
        << "    COMPREPLY=()\n"
        << "    ((COMP_CWORD > 1)) || command=\n"
        << "    case $command/$before in\n";
    write_values(out, program.program, "*/");
    for (const CommandFacts& command : program.commands) {
        write_values(out, command, command.name + "/");
    }
    out << "    esac\n    local words='" << joined(first, " ") << "'\n    case $command in\n";
    for (const CommandFacts& command : program.commands) {
        out << "    " << command.name << ") words='" << joined(option_names(command), " ")
            << "' ;;\n";
    }
    out << "    esac\n"
        << "    if [[ $cur == -* || -z $command ]]; then\n"
        << "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
        << "    else\n"
        << "        mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
        << "    fi\n"
        << "}\n"
        << "complete -F " << function_of(name) << ' ' << name << '\n';
    return out.str();
}

} // namespace pes

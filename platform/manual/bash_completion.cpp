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

/// "_pes_vp_set" of --set.
std::string key_function(const std::string& program, const OptionFacts& option) {
    return function_of(program) + "_" + option.names.back().substr(2);
}

/// What may come behind an option; nothing if it takes no value.
std::string values(const OptionFacts& option) {
    if (!option.choices.empty()) {
        const std::string words = " -W '" + joined(option.choices, " ") + "' -- ";
        if (option.list) {
            return "compgen -P \"${cur%\"${cur##*,}\"}\"" + words + "\"${cur##*,}\"";
        }
        return "compgen" + words + "\"$cur\"" +
               (option.kind == ValueKind::File ? "; compgen -f -- \"$cur\"" : "");
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

/// Keys and values of options KEY=VALUE, each of which several commands have.
void write_key_functions(std::ostream& out, const ProgramFacts& program) {
    for (const auto& [name, option] : key_options(program)) {
        out << key_function(program.program.name, *option) << "() {\n"
            << "    local lead= words=\n"
            << "    compopt +o filenames 2>/dev/null\n"
            << "    [[ -n $key || $cur != *=* ]] || { key=${cur%%=*} cur=${cur#*=} lead=$key=; }\n"
            << "    case $key in\n"
            << "    '') compopt -o nospace 2>/dev/null\n"
            << "        mapfile -t COMPREPLY < <(compgen -S = -W '" << joined(option->choices, " ")
            << "' -- \"$cur\"); return ;;\n";
        for (const auto& [words, keys] : keys_by_words(*option)) {
            out << "    " << joined(keys, " | ") << ") words='" << joined(words, " ") << "' ;;\n";
        }
        out << "    esac\n"
            << "    mapfile -t COMPREPLY < <(compgen -P \"$lead\" -W \"$words\" -- \"$cur\")\n"
            << "}\n";
    }
}

/// `prefix` is the subcommand and a slash.
void write_values(std::ostream& out, const std::string& program, const CommandFacts& command,
                  const std::string& prefix) {
    for (const OptionFacts& option : command.options) {
        const std::string generator = values(option);
        if (option.names.empty() || generator.empty()) {
            continue;
        }
        std::vector<std::string> patterns;
        for (const std::string& name : option.names) {
            patterns.push_back(prefix + name);
        }
        out << "    " << joined(patterns, " | ") << ") ";
        if (option.key_words.empty()) {
            out << "mapfile -t COMPREPLY < <(" << generator << ")";
        } else {
            out << key_function(program, option);
        }
        out << "; return ;;\n";
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
    out << "# Completion of " << name << " for bash\n";
    write_key_functions(out, program);
    out << function_of(name) << "() {\n"
        << "    local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} key=\n"
        << "    # KEY=VALUE is three words, unless COMP_WORDBREAKS has no =.\n"
        << "    if [[ $cur == = ]]; then\n"
        << "        cur= key=$before before=${COMP_WORDS[COMP_CWORD - 2]}\n"
        << "    elif [[ $before == = ]]; then\n"
        << "        key=${COMP_WORDS[COMP_CWORD - 2]} before=${COMP_WORDS[COMP_CWORD - 3]}\n"
        << "    fi\n"
        << "    [[ $key != -* ]] || { before=$key key=; }\n"
        << "    local command=" << (program.commands.empty() ? "" : "${COMP_WORDS[1]}") << "\n"
        << "    compopt -o filenames 2>/dev/null\n"
        << "    COMPREPLY=()\n"
        << "    ((COMP_CWORD > 1)) || command=\n"
        << "    case $command/$before in\n";
    write_values(out, name, program.program, "*/");
    for (const CommandFacts& command : program.commands) {
        write_values(out, name, command, command.name + "/");
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

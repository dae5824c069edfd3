// SPDX-License-Identifier: Apache-2.0
#include "platform/manual/pages.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace pes {
namespace {

/// As groff_man(7) wants text: no hyphens that break, no lines that begin with a request.
std::string plain(const std::string& text) {
    std::string escaped;
    bool line_begins = true;
    for (const char letter : text) {
        if (line_begins && (letter == '.' || letter == '\'')) {
            escaped += "\\&";
        }
        if (letter == '\\') {
            escaped += "\\e";
        } else if (letter == '-') {
            escaped += "\\-";
        } else {
            escaped += letter;
        }
        line_begins = letter == '\n';
    }
    return escaped;
}

std::string in_capitals(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char letter) {
        return static_cast<char>(std::toupper(letter));
    });
    return text;
}

std::string names_of(const OptionFacts& option) {
    std::string text;
    for (const std::string& name : option.names) {
        text += (text.empty() ? "\\fB" : ", \\fB") + plain(name) + "\\fR";
    }
    if (!option.value.empty()) {
        text += (text.empty() ? "\\fI" : " \\fI") + plain(option.value) + "\\fR";
    }
    return text + (option.repeats ? " ..." : "");
}

void write_option(std::ostream& out, const OptionFacts& option) {
    out << ".TP\n" << names_of(option) << '\n' << plain(option.meaning);
    if (!option.choices.empty() && option.value.find('|') == std::string::npos) {
        out << ": ";
        for (std::size_t index = 0; index < option.choices.size(); ++index) {
            out << (index == 0 ? "" : ", ") << plain(option.choices[index]);
        }
    }
    out << '\n';
}

/// Each heading of --help is a subsection.
void write_options(std::ostream& out, const CommandFacts& command) {
    std::string group;
    for (const OptionFacts& option : command.options) {
        if (option.group != group) {
            group = option.group;
            out << ".SS \"" << plain(group) << "\"\n";
        }
        write_option(out, option);
    }
}

void write_footer(std::ostream& out, const CommandFacts& command) {
    if (!command.footer.empty()) {
        out << ".PP\n.nf\n" << plain(command.footer) << "\n.fi\n";
    }
}

std::string synopsis(const std::string& program, const CommandFacts& command) {
    std::string text = ".B " + plain(program) + "\n[\\fIOPTION\\fR ...]";
    for (const OptionFacts& option : command.options) {
        if (option.names.empty()) {
            text += option.required ? " " + names_of(option) : " [" + names_of(option) + "]";
        }
    }
    return text + "\n";
}

} // namespace

std::string man_page(const ProgramFacts& program) {
    const std::string& name = program.program.name;
    std::ostringstream out;
    out << ".TH " << in_capitals(name) << " 1 \"\" \"" << program.version
        << "\" \"User Commands\"\n.SH NAME\n"
        << plain(name) << " \\- " << plain(program.program.meaning) << "\n.SH SYNOPSIS\n";
    for (const CommandFacts& command : program.commands) {
        out << synopsis(name + " " + command.name, command) << ".br\n";
    }
    out << (program.commands.empty() ? synopsis(name, program.program)
                                     : ".B " + plain(name) + "\n[\\fIOPTION\\fR]\n")
        << ".SH OPTIONS\n";
    write_options(out, program.program);
    write_footer(out, program.program);
    for (const CommandFacts& command : program.commands) {
        out << ".SH \"" << in_capitals(plain(name + " " + command.name)) << "\"\n"
            << plain(command.meaning) << ".\n";
        write_options(out, command);
        write_footer(out, command);
    }
    return out.str();
}

} // namespace pes

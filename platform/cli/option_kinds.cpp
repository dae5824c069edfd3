// SPDX-License-Identifier: Apache-2.0
#include "platform/cli/option_kinds.h"

#include "platform/config/settings.h"

namespace pes {

Cycle cycles_of(const std::string& option, const std::string& text) {
    const std::optional<std::uint64_t> number = parse_number(text, Format::Cycles);
    if (!number) {
        throw UserError(option + " got '" + text + "', expected a number of cycles");
    }
    return *number;
}

void add_cycles(CLI::App& command, const std::string& option, Cycle& value, const char* meaning) {
    command
        .add_option_function<std::string>(
            option, [&value, option](const std::string& text) { value = cycles_of(option, text); },
            meaning)
        ->type_name("N");
}

CLI::Option* add_word(CLI::App& command, const char* option, std::string& value, const char* type,
                      const char* meaning) {
    const auto check = [type](const std::string& word) {
        return word.empty() ? std::string("got '', expected ") + type : std::string();
    };
    return command.add_option(option, value, meaning)->type_name(type)->check(check);
}

void add_core_package(CLI::App& command, std::string& value) {
    add_word(command, "--core-package", value, "FILE",
             "Settings out of a configuration package of CVA6 (SystemVerilog)");
}

} // namespace pes

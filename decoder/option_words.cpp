// SPDX-License-Identifier: Apache-2.0
#include "decoder/option_words.h"

#include "platform/host/numbers.h"
#include "platform/host/user_error.h"

#include <optional>

namespace pes {

CLI::Validator file_name() {
    return {
        [](const std::string& name) { return name.empty() ? "got '', expected a file name" : ""; },
        ""};
}

CLI::Option* add_file(CLI::App& command, const char* option, std::string& file,
                      const char* meaning) {
    return command.add_option(option, file, meaning)->type_name("FILE")->check(file_name());
}

void add_source_path(CLI::App& command, std::vector<std::string>& directories) {
    command
        .add_option("--source-path", directories,
                    "Where sources are that are not where the program says; may be given several "
                    "times")
        ->allow_extra_args(false)
        ->type_name("DIR");
}

std::size_t parse_count(const std::string& option, const std::string& text) {
    const std::optional<std::size_t> value = parse_digits<std::size_t>(text);
    if (!value) {
        throw UserError(option + " got '" + text + "', expected a whole number");
    }
    return *value;
}

unsigned parse_number(const std::string& option, const std::string& text, unsigned least,
                      unsigned most) {
    const std::optional<unsigned> value = parse_digits<unsigned>(text);
    if (!value || *value < least || *value > most) {
        throw UserError(option + " got '" + text + "', expected " + std::to_string(least) + " to " +
                        std::to_string(most));
    }
    return *value;
}

std::vector<GroupBy> parse_by(const std::string& text) {
    if (text.empty()) {
        return {GroupBy::Function, GroupBy::Line};
    }
    for (const GroupBy by : kGroupings) {
        if (text == to_string(by)) {
            return {by};
        }
    }
    throw UserError("--by got '" + text + "', expected function, line, block or address");
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "platform/manual/generate_option.h"

#include "platform/manual/command_facts.h"
#include "platform/manual/pages.h"

#include <map>
#include <string>

namespace pes {

void add_generate_option(CLI::App& app, const char* version) {
    using Generator = std::string (*)(const ProgramFacts&);
    static const std::map<std::string, Generator> kKinds{
        {"man", man_page}, {"bash", bash_completion}, {"zsh", zsh_completion}};
    app.add_option_function<std::string>(
           "--generate",
           [&app, version](const std::string& kind) {
               std::string text = kKinds.at(kind)(facts_of(app, version));
               text.pop_back(); // the parser's own line end follows
               throw CLI::CallForVersion(text, 0);
           },
           "Print the manual page, or the completion for a shell, and stop")
        ->type_name("KIND")
        ->check(CLI::IsMember(kKinds));
}

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "platform/manual/generate_option.h"

#include "platform/manual/pages.h"

#include <map>
#include <string>

namespace pes {

void add_generate_option(CLI::App& app, const char* version, std::vector<OptionWords> (*words)()) {
    using Generator = std::string (*)(const ProgramFacts&);
    static const std::map<std::string, Generator> kKinds{
        {"man", man_page}, {"bash", bash_completion}, {"zsh", zsh_completion}};
    app.add_option_function<std::string>(
           "--generate",
           [&app, version, words](const std::string& kind) {
               ProgramFacts facts = facts_of(app, version);
               if (words != nullptr &&
                   kind != "man") { // a page of each setting is docs/settings.md
                   add_words(facts, words());
               }
               std::string text = kKinds.at(kind)(facts);
               text.pop_back(); // the parser's own line end follows
               throw CLI::CallForVersion(text, 0);
           },
           "Print the manual page, or the completion for a shell, and stop")
        ->type_name("KIND")
        ->check(CLI::IsMember(kKinds));
}

} // namespace pes

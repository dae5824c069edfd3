// SPDX-License-Identifier: Apache-2.0
// A platform whose hart is traced from the first instruction on, through so many funnels. Usage:
// traced PROGRAM FUNNELS OUTPUT [KEY=VALUE...]: OUTPUT and OUTPUT.toml are for pes-decode. OUTPUT
// -: the program sets the blocks up by their registers.
#include "report.h"

#include <pes-vp/trace.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

int sc_main(int count, char** arguments) {
    const std::vector<std::string> words(arguments + 1, arguments + count);
    const pes::kit::Settings settings(std::vector<std::string>(words.begin() + 3, words.end()));
    Platform platform("platform", settings);
    platform.hart.load(words[0]);
    pes::kit::TraceSink sink("sink", settings);
    std::unique_ptr<pes::kit::TraceFunnel> last;
    std::unique_ptr<pes::kit::TraceFunnel> first;
    std::unique_ptr<pes::kit::TraceEncoder> encoder;
    const int funnels = std::atoi(words[1].c_str());
    if (funnels == 0) {
        encoder = std::make_unique<pes::kit::TraceEncoder>("encoder", settings, platform.hart);
        encoder->connect(sink);
    } else {
        last = std::make_unique<pes::kit::TraceFunnel>("last", settings);
        last->connect(sink);
        if (funnels == 2) {
            first = std::make_unique<pes::kit::TraceFunnel>("first", settings, *last);
        }
        encoder = std::make_unique<pes::kit::TraceEncoder>("encoder", settings, platform.hart,
                                                           first ? *first : *last);
    }
    platform.router.map(0x1100'0000, 0x1000, encoder->socket);
    platform.router.map(0x1103'0000, 0x1000, encoder->ram_sink); // no register without one
    encoder->memory.bind(platform.router.from);
    if (last) {
        platform.router.map(0x1101'8000, 0x1000, last->socket);
        last->memory.bind(platform.router.from);
    }
    if (words[2] != "-") {
        encoder->start();
    }
    sc_core::sc_start();
    if (words[2] == "-") { // software does it
        report(platform, stderr);
        return 0;
    }
    std::ofstream(words[2], std::ios::binary)
        .write(reinterpret_cast<const char*>(sink.bytes().data()),
               static_cast<std::streamsize>(sink.bytes().size()));
    std::ofstream(words[2] + ".toml") << sink.description({words[0]});
    report(platform, stderr);
    return encoder->messages() != 0 && encoder->lost() == 0 ? 0 : 1;
}

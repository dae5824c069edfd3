// SPDX-License-Identifier: Apache-2.0
// pes-vp in a directory of its own, with a guest of a few instructions.
#pragma once

#include "tests/unit/common/run_command.h"
#include "tests/unit/platform/host/elf_image.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace pes::test {

constexpr std::uint64_t kBase = 0x8000'0000;

class CommandLine : public ::testing::Test {
  protected:
    /// Runs "pes-vp `arguments`" with the test's directory as the current one.
    CommandResult pes_vp(const std::string& arguments) const {
        return run_command("cd '" + directory_.path().string() + "' && '" PES_VP_PATH "' " +
                           arguments);
    }

    void guest(const std::string& code, std::vector<ElfSymbol> symbols = {},
               std::uint64_t memory = 0x1000) {
        ElfImage image;
        image.segments = {{kBase, code, std::max<std::uint64_t>(memory, code.size()), kBase}};
        image.symbols = std::move(symbols);
        directory_.write("guest.elf", image.bytes());
    }

    /// One sentence on standard error, exit code 2, nothing new in the directory.
    void expect_refused(const std::string& arguments, const std::string& reason) {
        const std::size_t files = directory_.count();
        const CommandResult result = pes_vp(arguments);
        EXPECT_EQ(result.exit_code, 2) << arguments;
        EXPECT_EQ(result.out, "") << arguments;
        EXPECT_THAT(result.err, ::testing::AllOf(::testing::StartsWith("pes-vp: "),
                                                 ::testing::HasSubstr(reason)))
            << arguments;
        EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
        EXPECT_EQ(directory_.count(), files) << arguments;
    }

    /// What the signals of this name, one a hart, begin the waveform `file` with.
    std::vector<std::uint64_t> first_values(const char* file, const std::string& signal) const {
        const std::string wave = read_file(directory_ / file);
        std::vector<std::uint64_t> values;
        const std::string tail = " " + signal + " $end\n";
        for (std::size_t at = wave.find(tail); at != std::string::npos;
             at = wave.find(tail, at + 1)) {
            const std::size_t code = wave.rfind(' ', at - 1);
            const std::size_t value = wave.find(wave.substr(code, at - code) + "\n");
            const std::size_t begin = wave.rfind('b', value) + 1;
            values.push_back(std::stoull(wave.substr(begin, value - begin), nullptr, 2));
        }
        return values;
    }

    nlohmann::json stats() const {
        return nlohmann::json::parse(read_file(directory_ / "stats.json"));
    }

    TemporaryDirectory directory_;
};

} // namespace pes::test

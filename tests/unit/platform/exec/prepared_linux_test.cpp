// SPDX-License-Identifier: Apache-2.0
// Where `pes-vp exec --prepare` finds what it boots.
#include "platform/exec/prepared_linux.h"

#include "platform/host/user_error.h"
#include "tests/unit/common/temporary_directory.h"

#include <gmock/gmock.h>

namespace pes {
namespace {

namespace fs = std::filesystem;

class Parts : public testing::Test {
  protected:
    void add(const std::string& name) {
        fs::create_directories((directory_.path() / name).parent_path());
        directory_.write(name, "");
    }
    std::string refusal() {
        try {
            LinuxParts::find(directory_.path());
        } catch (const UserError& error) {
            return error.what();
        }
        return "";
    }

    test::TemporaryDirectory directory_;
};

TEST_F(Parts, ABuildLacksTheOneThatIsNamed) {
    add("CMakeCache.txt");
    add("linux/prepare.sh");
    EXPECT_THAT(refusal(), testing::HasSubstr("firmware/pes_firmware.elf'"));
    add("firmware/pes_firmware.elf");
    EXPECT_EQ(refusal(), "exec --prepare: there is no '" +
                             (directory_.path() / "linux/pes_agent").string() +
                             "', expected a build of the targets pes_firmware and linux_agent, "
                             "with riscv64-unknown-elf-g++");
    add("linux/pes_agent");
    EXPECT_EQ(LinuxParts::find(directory_.path()).agent, directory_.path() / "linux/pes_agent");
}

TEST_F(Parts, AnInstallationLacksTheOneThatIsNamed) {
    add("share/pes-vp/pes_firmware.elf");
    add("share/pes-vp/linux/pes_agent");
    EXPECT_THAT(refusal(), testing::AllOf(testing::HasSubstr("share/pes-vp/linux/prepare.sh'"),
                                          testing::HasSubstr("expected a package pes-vp")));
    add("share/pes-vp/linux/prepare.sh");
    EXPECT_EQ(refusal(), "");
}

} // namespace
} // namespace pes

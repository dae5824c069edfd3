// SPDX-License-Identifier: Apache-2.0
// Where `pes-vp exec --prepare` finds what it boots.
#include "platform/exec/prepared_linux.h"

#include "platform/checkpoint/checkpoint_file.h"
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

TEST_F(Parts, ALinuxOfAnotherVersionIsRefused) {
    const auto refusal_of_linux = [this] {
        try {
            PreparedLinux(directory_.path()).require();
        } catch (const UserError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_THAT(refusal_of_linux(), testing::HasSubstr("there is no booted Linux in"));
    add("kernel.elf");
    std::vector<std::byte> checkpoint = pack_checkpoint({});
    const auto write = [&] {
        directory_.write("checkpoint",
                         {reinterpret_cast<const char*>(checkpoint.data()), checkpoint.size()});
    };
    write();
    EXPECT_EQ(refusal_of_linux(), ""); // beside this program there is no agent
    checkpoint[8] ^= std::byte{1};
    write();
    EXPECT_EQ(refusal_of_linux(), "exec: another version of pes-vp has prepared the Linux in '" +
                                      directory_.path().string() +
                                      "', expected this one: pes-vp exec --prepare makes it anew");
}

} // namespace
} // namespace pes

// SPDX-License-Identifier: Apache-2.0
// Where the Linux of `pes-vp exec` is: what is installed to make it, and the folder that keeps it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pes {

/// In the installation, or in the build tree that this program is part of.
struct LinuxParts {
    std::filesystem::path firmware; ///< pes_firmware.elf
    std::filesystem::path agent;
    std::filesystem::path script; ///< prepare.sh

    /// Those of the installation or build that this program is of. Throws UserError if one of them
    /// is not there.
    static LinuxParts find();
    /// `own`: the folder above that of the program.
    static LinuxParts find(const std::filesystem::path& own);
    /// Where they are if they are there.
    static LinuxParts expected(const std::filesystem::path& own);
    static std::filesystem::path own_folder();
};

/// A folder with kernel, initial RAM disk, firmware and the checkpoint of the booted system.
class PreparedLinux {
  public:
    /// `folder` empty: pes-vp/linux in the user's cache folder.
    explicit PreparedLinux(const std::string& folder);

    std::string firmware() const { return file("firmware"); }
    std::string kernel() const { return file("kernel"); }
    std::string initrd() const { return file("initramfs"); }
    std::string checkpoint() const { return file("checkpoint"); }
    /// The running kernel with its modules as an ELF file (kernel_program.h).
    std::string kernel_program() const { return file("kernel.elf"); }
    /// Its symbols as text, as perf takes them.
    std::string kallsyms() const { return file("kallsyms"); }
    /// What the initial RAM disk has.
    std::string root() const { return file("root"); }
    /// Of the boot, beside the checkpoint.
    std::string console() const { return file("console.log"); }
    const std::filesystem::path& folder() const { return folder_; }

    /// Throws UserError that says how it is made, also if its checkpoint or its agent is not that
    /// of this version. The agent of a program that has none beside it is not compared.
    void require() const;
    struct Sources {
        std::string suites, mirror;       ///< of packages
        std::string firmware;             ///< file
        std::vector<std::string> modules; ///< of the kernel: files
    };
    /// Fetches and builds all but the checkpoint. Throws UserError, also if the packages cannot be
    /// fetched; all may be empty.
    void build(const Sources& sources) const;

    /// The settings it was prepared with, as key=value; a run with it has the same.
    std::vector<std::string> settings() const;
    void keep_settings(const std::vector<std::string>& settings) const;

  private:
    std::string file(const char* name) const { return folder_ / name; }

    std::filesystem::path folder_;
};

} // namespace pes

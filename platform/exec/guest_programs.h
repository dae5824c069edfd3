// SPDX-License-Identifier: Apache-2.0
// The programs that the processes of a guest had mapped, as one set of files in which each has its
// place once, wherever processes had it: a library that two of them share is one, and two programs
// at one address are two.
#pragma once

#include "hw/core/truth/truth_table.h"
#include "platform/program/program_file.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pes {

class GuestPrograms {
  public:
    /// The host's copy of a file of the guest; empty: there is none.
    using FindFile = std::function<std::string(const std::string& name)>;

    /// `maps`: for each process a record `PID\n`, the text of its /proc/PID/maps, and a zero byte.
    /// `taken` have their places already.
    GuestPrograms(std::string_view maps, const FindFile& find,
                  const std::vector<ProgramFile>& taken);

    /// The address spaces of user mode in the profile: each is the process that had most of the
    /// instructions mapped that have run in it; of equal ones the first.
    void learn(const TruthTable& truth);

    /// At the addresses of place().
    const std::vector<ProgramFile>& files() const { return files_; }
    /// Where an instruction of user mode is among the files; at its own address if no process has
    /// a file there.
    Address place(const TruthTable::Key& key) const;
    /// Names of files that are not there, or are no programs.
    const std::vector<std::string>& missing() const { return missing_; }

  private:
    struct Mapped {
        Address begin = 0, end = 0;
        Address shift = 0; ///< to the place of the file
    };
    using Process = std::vector<Mapped>;

    void read_process(std::string_view record, const FindFile& find);
    std::optional<Address> shift_of(const std::string& file, Address base);
    bool is_free(const ProgramFile& file) const;
    static const Mapped* mapping_at(const Process& process, Address pc);

    std::vector<Process> processes_;                   ///< by rising number
    std::map<std::uint64_t, const Process*> of_space_; ///< by satp
    std::vector<ProgramFile> files_;
    std::vector<ProgramFile> taken_; ///< with the files
    std::vector<std::string> missing_;
};

} // namespace pes

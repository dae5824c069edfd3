// SPDX-License-Identifier: Apache-2.0
// The files that the processes of a guest had mapped, as one set of files in which each has its
// place once, wherever processes had it: a library that two of them share is one, and two programs
// at one address are two.
#pragma once

#include "hw/core/truth/truth_table.h"
#include "platform/exec/process_images.h"
#include "platform/program/program_file.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace pes {

class GuestPrograms {
  public:
    /// The host's copy of a file of the guest; empty: there is none.
    using FindFile = std::function<std::string(const std::string& name)>;

    /// `taken` have their places already.
    GuestPrograms(const std::vector<ProcessImage>& images, const FindFile& find,
                  const std::vector<ProgramFile>& taken);

    /// The address spaces of user mode in the profile of which no image is known: each is taken for
    /// the image that has most of the instructions mapped that have run in it, of equal ones the
    /// first.
    void learn(const TruthTable& truth);
    /// Whether an address space of user mode is of the program that the first process has executed
    /// first.
    bool is_of_first(std::uint64_t satp) const;

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
    struct Image {
        std::string program{}; ///< name of the first file with code
        std::vector<Mapped> code{};
    };

    Image read_image(const ProcessImage& image, const FindFile& find);
    std::optional<Address> shift_of(const std::string& file, Address base);
    bool is_free(const ProgramFile& file) const;
    static const Mapped* mapping_at(const Image& image, Address pc);

    std::vector<Image> images_;                      ///< by rising number of the process
    std::map<std::uint64_t, const Image*> of_space_; ///< by satp
    std::vector<ProgramFile> files_;
    std::vector<ProgramFile> taken_; ///< with the files
    std::vector<std::string> missing_;
};

} // namespace pes

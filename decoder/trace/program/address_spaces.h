// SPDX-License-Identifier: Apache-2.0
// Which of the programs a source runs among: those of its current process and those of no process
// in particular. Processes without a program of their own share one space, so that what is
// remembered for each space does not grow with the number of processes.
#pragma once

#include "platform/program/symbolizer.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace pes::trace {

class AddressSpaces {
  public:
    using Context = std::optional<std::uint64_t>;

    explicit AddressSpaces(const std::vector<ElfProgram>& programs);

    /// From here on the source runs this process.
    void enter(std::uint16_t source, std::uint64_t context);

    /// The space of a source: 0 as long as its process is unknown.
    std::size_t of(std::uint16_t source) const;
    /// 0, processes without a program, and each process with one.
    std::size_t count() const { return processes_.size() + 2; }
    /// What to look names up with.
    Context context(std::size_t space) const;
    /// The current process of a source.
    Context current(std::uint16_t source) const;

  private:
    std::vector<std::uint64_t> processes_;           ///< with programs of their own; ascending
    std::map<std::uint16_t, std::uint64_t> current_; ///< by source
};

} // namespace pes::trace

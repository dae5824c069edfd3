// SPDX-License-Identifier: Apache-2.0
// The open files of a process that goes back to an earlier place of its run. Descriptors that were
// inherited over fork() share their position with those of the process that has gone on.
//
// A file that the process has opened for writing is put back: what has been written since then is
// cut off, and written again. What cannot be taken back, or is shared with others (the standard
// streams, pipes, terminals), is kept silent until the run has come to where it has been before.
#pragma once

#include <string>
#include <vector>

namespace pes::history {

class HostFiles {
  public:
    /// `own`: a descriptor that is left alone.
    explicit HostFiles(int own) : own_(own) {}

    /// Before fork(): notes where each file is.
    void note();
    /// In the process that goes on from there.
    void put_back() const;
    /// What is written to pipes, terminals and the standard streams goes nowhere until speak().
    void silence();
    void speak();
    bool silent() const { return !silenced_.empty(); }

  private:
    struct File {
        int descriptor;
        long position;
        long size;
    };
    struct Silenced {
        int descriptor;
        int copy; ///< of what is open there otherwise
    };

    int own_;
    std::vector<File> files_;
    std::vector<int> streams_;
    std::vector<Silenced> silenced_;
};

} // namespace pes::history

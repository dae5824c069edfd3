// SPDX-License-Identifier: Apache-2.0
// Files and directories that a command has made and that are not complete yet. A signal that ends
// the process removes them, if the command asks for it.
#pragma once

#include <csignal>
#include <filesystem>
#include <string>

namespace pes::temporary_files {

/// Makes an empty file: `name` ends in XXXXXX, as for mkstemp, and becomes its name. Returns its
/// descriptor, or -1 with errno.
int make(std::string& name);

/// The directory has just been made; it is removed only if it is empty.
void note_directory(const std::filesystem::path& path);

/// Complete, renamed or removed: no signal touches it any more.
void forget(const std::filesystem::path& path);

/// From here on SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2 and SIGXCPU
/// remove what is noted, and put a raw terminal back, before they end the process, as they do
/// without this. One that is ignored stays so.
void remove_on_signals();

/// As long as it lives no signal comes: between the making of a file and its entry in the list, or
/// between two renames that belong together.
class SignalsHeld {
  public:
    SignalsHeld();
    SignalsHeld(const SignalsHeld&) = delete;
    SignalsHeld& operator=(const SignalsHeld&) = delete;
    ~SignalsHeld();

  private:
    sigset_t before_{};
};

} // namespace pes::temporary_files

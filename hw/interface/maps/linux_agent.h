// SPDX-License-Identifier: Apache-2.0
// What `pes-vp exec` and its agent in the guest, the first process of Linux, say to each other:
// files of a 9P share that the host makes up. Freestanding.
#pragma once

namespace pes::linux_agent {

inline constexpr char kControlTag[] = "pes"; ///< mount tag of the share with these files
/// Where the agent mounts a share that becomes the root of the program; its names of files begin
/// so.
inline constexpr char kNewRoot[] = "/mnt";
/// Any write to it asks for a checkpoint, which is taken before the next instruction.
inline constexpr char kCheckpoint[] = "checkpoint";
/// Read once, behind the checkpoint: what to run, as records `key=value` that end with a zero byte.
inline constexpr char kCommand[] = "command";
inline constexpr char kStdin[] = "stdin";
inline constexpr char kStdout[] = "stdout";
inline constexpr char kStderr[] = "stderr";
/// Written when a process has executed a program, and again before it or a thread of it ends, while
/// it stands still: a record `PID KIND STACK FRAME\n`, the text of /proc/PID/maps, a zero byte.
/// KIND is `exec` or `end`, STACK the address of the last page of its stack, FRAME the number of
/// the page of memory that it is in; both are hexadecimal digits, and 0 if they are not known.
inline constexpr char kMaps[] = "maps";
/// Written if the command asks for it: the text of /proc/kallsyms.
inline constexpr char kSymbols[] = "symbols";
/// Written if the command asks for it, behind the program: the bytes of a file.
inline constexpr char kResult[] = "result";
/// Written once, at the end: one line, a key of Ending and a number.
inline constexpr char kEnd[] = "end";

inline constexpr char kExecRecord[] = "exec", kEndRecord[] = "end";

// Keys of the command. Each share is a mount tag; `arg` and `env` come once for each of them.
namespace command {
inline constexpr char kRoot[] = "root";           ///< share that is the root; none: the agent's own
inline constexpr char kShare[] = "share";         ///< share of the current folder
inline constexpr char kDirectory[] = "directory"; ///< where it is mounted, and the program begins
inline constexpr char kMaps[] = "maps";           ///< 1: the maps of all processes are wanted
inline constexpr char kSymbols[] = "symbols"; ///< 1: those of the kernel are wanted, and no program
inline constexpr char kResult[] = "result";   ///< a path that only the guest knows
inline constexpr char kEnv[] = "env";         ///< NAME=VALUE
inline constexpr char kArg[] = "arg";         ///< the first one is the program
} // namespace command

namespace ending {
inline constexpr char kCode[] = "code";     ///< the program's exit code
inline constexpr char kSignal[] = "signal"; ///< the signal that ended it
inline constexpr char kExec[] = "exec";     ///< errno: it could not be started
inline constexpr char kMount[] = "mount";   ///< errno: a share could not be mounted
inline constexpr char kModule[] = "module"; ///< errno: a module of the user's cannot be loaded
inline constexpr char kAgent[] = "agent";   ///< errno: another thing that the agent needs
} // namespace ending

} // namespace pes::linux_agent

// SPDX-License-Identifier: Apache-2.0
// `pes-vp exec`: the host's side of the agent that runs a program on the booted Linux.
#pragma once

#include "hw/common/device/message_server.h"
#include "platform/cli/options.h"
#include "platform/exec/guest_programs.h"
#include "platform/exec/prepared_linux.h"
#include "platform/exec/process_images.h"
#include "platform/exec/program_parts.h"
#include "platform/exec/thread_times.h"
#include "platform/host/output_file.h"
#include "platform/soc/outputs/truth_file.h"
#include "platform/soc/soc.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pes {

/// All that follows from the options of exec for a run. Throws UserError.
Options exec_options(const ExecOptions& exec, Options options);

class RunExec {
  public:
    /// Both outlive this.
    RunExec(const ExecOptions& options, const ProfileOptions* profiling);

    MessageServer& control() { return *control_; }
    /// Before the run, once a checkpoint has been restored. `soc` must outlive the run.
    void begin(Soc& soc);

    /// There is more to tell than of any run: the program's counts, or how the agent ended.
    bool has_summary() const { return !options_.prepare || ended(); }
    /// After the run: the file of the mappings, and what perf has recorded.
    void write_files();
    /// After the run: which address space is whose. Programs of the guest are known when their
    /// processes have ended.
    void learn_programs(const std::vector<std::string>& firmware);
    /// Behind that: what the profile, and the exact one, are of.
    ProfileScope scope() const;
    TruthContexts truth_contexts() const;
    /// Counts of the program, the kernel and the firmware, for standard error. `end`: how the run
    /// ended, for a program that has not.
    std::string summary(const PlatformConfig& config, const std::string& end, bool quiet) const;

  private:
    std::size_t read_command(std::span<std::byte> to);
    void keep_kernel_program() const;
    void write_maps();
    void write_threads();
    void write_perf_data();
    std::string file_of(const std::string& seen) const;
    static std::size_t read_input(std::span<std::byte> to);
    static std::size_t write_output(int descriptor, std::span<const std::byte> from);
    void take_maps(std::span<const std::byte> from);
    void take_ending(std::span<const std::byte> line);
    /// The agent has told how the program ended, or why it has not begun.
    bool ended() const { return !ending_.empty(); }
    std::string counts_by_part(const PlatformConfig& config) const;
    Part part(const TruthTable::Context& context) const;
    int exit_code() const; ///< that of a shell

    const ExecOptions& options_;
    const PreparedLinux prepared_;
    Soc* soc_ = nullptr;
    std::string command_; ///< what the agent has not read yet
    ProcessImages images_;
    std::vector<ProgramFile> others_;       ///< of kernel and firmware
    std::optional<GuestPrograms> programs_; ///< after the run
    std::string symbols_;                   ///< of the kernel, as the agent tells them
    std::optional<OutputFile> maps_file_;
    std::optional<OutputFile> threads_file_;
    std::vector<std::unique_ptr<ThreadWatch>> threads_; ///< by hart; empty: not wanted
    std::optional<OutputFile> perf_file_;
    std::vector<std::byte> perf_data_; ///< for it
    std::string ending_;               ///< what the agent says of it: a word
    int number_ = 0;                   ///< ... and a number
    std::uint64_t agent_satp_ = 0;
    std::unique_ptr<MessageServer> control_;
};

} // namespace pes

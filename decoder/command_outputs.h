// SPDX-License-Identifier: Apache-2.0
// What the commands on samples share: records from files, results in files and on the terminal, and
// what is said on the error stream beside them.
#pragma once

#include "decoder/command_line.h"
#include "platform/host/input_file.h"
#include "platform/host/output_set.h"
#include "platform/profile/record_reader.h"
#include "platform/profile/text_layout.h"

#include <functional>
#include <string>
#include <vector>

namespace pes {

/// Hands over each record; returns what the file held besides. Throws UserError if it cannot be
/// read or is of something else.
ReadProblems read_records(InputFile& input, const std::string& path,
                          const std::function<void(const SampleRecord&)>& take);
/// Likewise with what records of version 2 have, or null.
ReadProblems
read_records(InputFile& input, const std::string& path,
             const std::function<void(const SampleRecord&, const RecordDetails*)>& take);

/// Rows of a table on the terminal if --top does not say.
inline constexpr std::size_t kTerminalRows = 10;

/// What no output may overwrite, with the other files of the command.
std::vector<std::string> inputs_of(const CommonOptions& options,
                                   std::vector<std::string> inputs = {});

/// The results that were asked for. All are opened before the first is written, and get their names
/// after the last is complete.
class Outputs {
  public:
    Outputs(const CommonOptions& options, std::vector<std::string> inputs)
        : options_(options), files_(std::move(inputs)), csv_(files_.open(options.csv)),
          json_(files_.open(options.json)), records_(files_.open(options.records)),
          text_(files_.open(has_text() ? "-" : "")) {}

    bool has_text() const {
        return options_.csv != "-" && options_.json != "-" && options_.records != "-";
    }
    /// Where each record goes; null: nowhere.
    OutputFile* records() { return records_; }

    template <typename Subject>
    void write(const Subject& subject) {
        const RowLimit file_rows = options_.top.value_or(0);
        if (csv_ != nullptr) {
            write_csv(csv_->stream(), subject, file_rows);
        }
        if (json_ != nullptr) {
            write_json(json_->stream(), subject, file_rows);
        }
        if (text_ != nullptr) {
            write_text(text_->stream(), subject, options_.top.value_or(kTerminalRows),
                       terminal_style(options_.ascii, options_.no_color));
        }
        files_.commit();
    }

  private:
    const CommonOptions& options_;
    OutputSet files_;
    OutputFile* csv_;
    OutputFile* json_;
    OutputFile* records_;
    OutputFile* text_;
};

/// One line about the samples on the error stream.
void say(const CommonOptions& options, const std::string& sentence);

/// Says on the error stream what the result on the standard output cannot; exit code of --strict.
int judge_damage(const CommonOptions& options, const ReadProblems& problems, bool already_said);

} // namespace pes

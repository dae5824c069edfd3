// SPDX-License-Identifier: Apache-2.0
// Bytes -> sample records of versions 1 and 2. Streaming: holds one 64 KiB window whatever the
// length of the file.
//
// A record may start on every 8-byte boundary of the stream. Bytes that are not a record are
// counted, never guessed at:
//   * no magic where one is due (or a record whose size is not what it holds): skipped up to the
//     next magic on an 8-byte boundary;
//   * a record of another version: named with its version, and passed over;
//   * a record cut short by the end of the stream: counted as truncated.
#pragma once

#include "hw/interface/maps/sample_record.h"

#include <cstddef>
#include <cstdint>
#include <istream>
#include <map>
#include <optional>
#include <vector>

namespace pes {

/// What the stream held besides records of the known version.
struct ReadProblems {
    std::uint64_t skipped_bytes = 0;
    std::uint64_t skipped_runs = 0; ///< how often the reader had to look for the next magic
    std::uint64_t truncated_bytes = 0;
    std::map<std::uint16_t, std::uint64_t> unsupported_versions; ///< version -> records

    bool any() const {
        return skipped_bytes != 0 || truncated_bytes != 0 || !unsupported_versions.empty();
    }
};

/// What a record of version 2 has beyond the others.
struct RecordDetails {
    SampleDetails fixed{};
    std::vector<std::uint64_t> counters;  ///< by the bits of fixed.counters
    std::vector<std::uint64_t> registers; ///< by the bits of fixed.registers
    std::vector<std::uint64_t> calls;     ///< innermost first
};

class RecordReader {
  public:
    explicit RecordReader(std::istream& input);

    /// The next record; false at the end of the stream or on a read error (`input.bad()`).
    bool next(SampleRecord& record);

    /// Of the record that next() gave last; null: version 1.
    const RecordDetails* details() const { return details_ ? &*details_ : nullptr; }

    const ReadProblems& problems() const { return problems_; }

  private:
    enum class Front : std::uint8_t { Record, Unsupported, Truncated, Garbage };

    std::size_t fill();
    Front classify(std::size_t available) const;
    SampleRecord peek(std::size_t available) const;
    SampleDetails peek_details() const;
    void take_details();
    void skip_word(std::size_t available);

    std::istream& input_;
    std::vector<char> window_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::size_t foreign_left_ = 0; ///< bytes that still belong to a record of another version
    bool in_garbage_ = false;
    std::optional<RecordDetails> details_;
    ReadProblems problems_;
};

} // namespace pes

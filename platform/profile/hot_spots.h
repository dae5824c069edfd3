// SPDX-License-Identifier: Apache-2.0
// Counts per address -> ranked rows per function, source line, basic block or
// address.
#pragma once

#include "platform/profile/sample_profile.h"
#include "platform/program/symbolizer.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace pes {

enum class GroupBy : std::uint8_t { Function, Line, Block, Instruction };

/// In this order.
inline constexpr std::array kGroupings = {GroupBy::Function, GroupBy::Line, GroupBy::Block,
                                          GroupBy::Instruction};

std::string_view to_string(GroupBy by);

/// What a row of a profile is about.
struct RowPlace {
    std::string function; ///< empty outside of every symbol
    std::string file;     ///< empty if unknown; of a function or block: of its first byte
    unsigned line = 0;    ///< 0 if unknown
    Address address = 0;  ///< of a function or block its first byte, else the lowest one counted
    Address offset = 0;   ///< of `address` inside the function
    std::string program;  ///< path of the ELF file, empty if no program knows the address
    std::optional<std::uint64_t> process; ///< that was sampled; none if it is not known
};

/// One row of a profile.
struct HotSpot : RowPlace {
    Tally tally;
    double share = 0; ///< of all samples of the event, 0..1
};

/// Gives each address its row. All addresses outside of every symbol are one row of the function
/// table; the tables of lines and blocks keep addresses without a line or block together by
/// function.
class RowFinder {
  public:
    /// `symbolizer` outlives this.
    RowFinder(const Symbolizer& symbolizer, GroupBy by,
              std::optional<std::uint64_t> process = std::nullopt)
        : symbolizer_(symbolizer), by_(by), process_(process) {}

    /// Index into places(). A row takes its place from the address that is asked for first, so ask
    /// in ascending order if the place matters.
    std::size_t row_of(Address pc);
    const std::vector<RowPlace>& places() const { return places_; }

  private:
    /// What makes two addresses fall into one row.
    using Key = std::tuple<const Function*, std::string, unsigned, Address>;

    Key key_of(const Location& location, Address pc) const;
    RowPlace place_of(const Location& location, Address pc) const;

    const Symbolizer& symbolizer_;
    GroupBy by_;
    std::optional<std::uint64_t> process_;
    std::map<Key, std::size_t> rows_;
    std::unordered_map<Address, std::size_t> known_;
    std::vector<RowPlace> places_;
};

/// By process; those of an unknown one under none.
using ProcessTallies = std::map<std::optional<std::uint64_t>, AddressTallies>;

/// Rows by falling number of samples, equal ones by rising address.
std::vector<HotSpot> hot_spots(const AddressTallies& addresses, const Symbolizer& symbolizer,
                               GroupBy by);

/// The same for each process: what two processes have at one address are two rows. Of equal rows
/// the lower process comes first.
std::vector<HotSpot> process_hot_spots(const ProcessTallies& processes,
                                       const Symbolizer& symbolizer, GroupBy by);

} // namespace pes

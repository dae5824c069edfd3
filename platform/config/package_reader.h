// SPDX-License-Identifier: Apache-2.0
// Reads a SystemVerilog package that gives the members of one structure a value each, as the
// configuration packages of CVA6 do:
//
//     package p;
//       localparam Width = 64;
//       localparam config_pkg::cva6_user_cfg_t cfg = '{XLEN: unsigned'(Width), RVF: bit'(1)};
//     endpackage
//
// Expressions are evaluated where their value is asked for: whole numbers of 64 bits, casts, the
// operators of constant expressions, $clog2, and other parameters of the package by name.
#pragma once

#include "platform/config/package_tokens.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pes {

/// A number; or a name of another package, without it: "WT". A list that is not zero everywhere
/// has a name too, kList: nobody needs its items.
struct PackageValue {
    static constexpr std::string_view kList = "{...}";

    std::int64_t number = 0;
    std::string name{};

    bool is_name() const { return !name.empty(); }
    bool is_list() const { return name == kList; }
    std::string text() const { return is_name() ? name : std::to_string(number); }
};

class PackageFile {
  public:
    /// A member of the structure and the words of its value.
    struct Member {
        std::string name;
        std::size_t line = 0;
        std::span<const PackageToken> words;
    };

    /// `structure` is the type of the one parameter to read. Throws UserError that names file, line
    /// and what was expected.
    PackageFile(const std::filesystem::path& file, std::string_view structure);
    PackageFile(const PackageFile&) = delete;
    PackageFile& operator=(const PackageFile&) = delete;
    ~PackageFile() = default;

    const std::filesystem::path& path() const { return path_; }
    /// In the order of the file, each name once.
    std::span<const Member> members() const { return members_; }
    /// Throws UserError.
    PackageValue value(const Member& member);

  private:
    friend class PackageParser;
    friend class PackageEvaluator;

    struct Parameter {
        std::size_t line = 0;
        bool is_structure = false;
        bool open = false; ///< being evaluated
        std::span<const PackageToken> words{};
        std::optional<PackageValue> value{}; ///< once it has been asked for
    };

    std::filesystem::path path_;
    std::string name_; ///< of the package
    std::vector<PackageToken> tokens_;
    std::map<std::string, Parameter, std::less<>> parameters_;
    std::vector<Member> members_;
};

} // namespace pes

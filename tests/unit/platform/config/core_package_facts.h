// SPDX-License-Identifier: Apache-2.0
// The parameters of CVA6's configuration packages as facts (core_packages_*.csv: a column each; "."
// is as in the first column, "-" is not there), and packages of our own with these values.
#pragma once

#include <cstddef>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace pes::test {

struct PackageFacts {
    std::string name;
    std::vector<std::pair<std::string, std::string>> parameters; ///< in the order of the file

    std::string value(const std::string& parameter) const {
        for (const auto& [name, value] : parameters) {
            if (name == parameter) {
                return value;
            }
        }
        return "";
    }
};

inline std::vector<std::string> comma_fields(const std::string& line) {
    std::vector<std::string> fields;
    std::istringstream in(line);
    for (std::string field; std::getline(in, field, ',');) {
        fields.push_back(field);
    }
    return fields;
}

/// All packages of a tree ("v5.3.0").
inline std::vector<PackageFacts> package_facts(const std::string& tree) {
    std::ifstream in(std::string(PES_CORE_PACKAGES) + tree + ".csv");
    std::string line;
    std::getline(in, line);
    const std::vector<std::string> names = comma_fields(line);
    std::vector<PackageFacts> packages;
    for (std::size_t i = 1; i < names.size(); ++i) {
        packages.push_back({.name = names[i], .parameters = {}});
    }
    while (std::getline(in, line)) {
        const std::vector<std::string> row = comma_fields(line);
        for (std::size_t i = 1; i < row.size(); ++i) {
            const std::string& value = row[i] == "." ? row[1] : row[i];
            if (value != "-") {
                packages[i - 1].parameters.emplace_back(row[0], value);
            }
        }
    }
    return packages;
}

/// A package with these values, in the ways in which CVA6's packages write them: directly or by a
/// parameter, with and without a cast or a width, names of another package, comments.
inline std::string package_text(const PackageFacts& facts) {
    std::ostringstream parameters;
    std::ostringstream members;
    std::size_t way = 0;
    for (const auto& [name, value] : facts.parameters) {
        const bool is_number = value.find_first_not_of("0123456789") == std::string::npos;
        members << "    " << name << ": ";
        switch (way++ % 4) {
        case 0:
            is_number ? members << "unsigned'(" << value << ")"
                      : members << "config_pkg::" << value;
            break;
        case 1:
            parameters << "  localparam " << (is_number ? "" : "config_pkg::some_t ") << "Test"
                       << name << (is_number ? " = " : " = config_pkg::") << value << ";  // of "
                       << name << "\n";
            is_number ? members << "int'(Test" << name << ")" : members << "Test" << name;
            break;
        case 2:
            is_number ? members << "32'd" << value
                      : members << "config_pkg::some_t'(config_pkg::" << value << ")";
            break;
        default:
            members << "/* as it is */ " << (is_number ? "" : "config_pkg::") << value;
        }
        members << ",\n";
    }
    return "// A package for tests.\npackage test_config_pkg;\n\n" + parameters.str() +
           "\n  localparam config_pkg::cva6_user_cfg_t test_cfg = '{\n" + members.str() +
           "    PMPAddrRstVal: {64{64'h0}},\n"
           "    CachedRegionLength: 1024'({64'h4000_0000})  // one of them\n  };\n\nendpackage\n";
}

} // namespace pes::test

// SPDX-License-Identifier: Apache-2.0
// pes-fidelity: the timing kernels on the model, against the counts of the CVA6 RTL.
#include "platform/host/user_error.h"
#include "tests/fidelity/comparison.h"
#include "tests/fidelity/report.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>

namespace {

std::string read_text(const std::string& file) {
    std::ifstream in(file);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

void write_text(const std::string& file, const std::string& text) {
    std::ofstream out(file);
    out << text;
    out.close();
    if (!out) {
        throw pes::UserError("cannot write '" + file + "'");
    }
}

/// Every count outside its bar, for a person who has just changed the model.
int print_deviations(const std::vector<pes::fidelity::Comparison>& comparisons) {
    int unknown = 0;
    for (const auto& comparison : comparisons) {
        for (const auto& deviation : comparison.deviations) {
            unknown += deviation.known.empty() ? 1 : 0;
            std::printf("%-8s %-22s rep %u  %-18s RTL %8llu  ours %8llu  %s\n",
                        deviation.reference.c_str(), deviation.kernel.c_str(), deviation.repetition,
                        pes::fidelity::column_name(deviation.column).c_str(),
                        static_cast<unsigned long long>(deviation.rtl),
                        static_cast<unsigned long long>(deviation.ours),
                        deviation.known.empty() ? "NEW" : "known");
        }
    }
    std::printf("%d counts outside their bars are not known deviations\n", unknown);
    return unknown;
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app{"Runs the timing kernels and compares them with the CVA6 RTL"};
    std::string kernels;
    std::string sources;
    std::string markdown;
    std::string check;
    app.add_option("--kernels", kernels, "directory of the kernels' ELF files")->required();
    app.add_option("--sources", sources, "tests/fidelity of the source tree")->required();
    app.add_option("--markdown", markdown, "write the tables to this file");
    app.add_option("--check", check, "fail unless this file holds these tables");
    CLI11_PARSE(app, argc, argv);
    try {
        const auto comparisons = pes::fidelity::compare_all(kernels, sources);
        const std::string report = pes::fidelity::markdown_report(comparisons);
        if (!markdown.empty()) {
            write_text(markdown, report);
        }
        if (!check.empty()) {
            if (read_text(check) != report) {
                throw pes::UserError(check + " is not what the model does now: build the target "
                                             "'fidelity' and look at the difference");
            }
            return 0;
        }
        if (markdown.empty()) {
            std::fputs(report.c_str(), stdout);
        }
        return print_deviations(comparisons) == 0 ? 0 : 1;
    } catch (const pes::UserError& error) {
        std::fprintf(stderr, "pes-fidelity: %s\n", error.what());
        return pes::kUserErrorExit;
    }
}

// SPDX-License-Identifier: Apache-2.0
// Coverage of RTL that was Verilated with --coverage: the sum over all models of the process, in
// one file that verilator_coverage reads. It is written when the process ends, as coverage.dat or
// as what the environment variable PES_RTL_COVERAGE says.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <unistd.h>
#include <verilated_cov.h>

namespace pes {

class RtlCoverage {
  public:
    static RtlCoverage& of_this_process() {
        static RtlCoverage coverage;
        return coverage;
    }

    /// Before the model goes, which holds the counts.
    void add(VerilatedCovContext& model) {
        std::string name = "/tmp/pes-rtl-coverage-XXXXXX";
        const int descriptor = mkstemp(name.data());
        if (descriptor < 0) {
            std::fprintf(stderr, "pes: cannot write '%s': no RTL coverage\n", name.c_str());
            return;
        }
        close(descriptor);
        model.forcePerInstance(true); // which counter it is
        model.write(name.c_str());
        std::ifstream file(name);
        for (std::string line; std::getline(file, line);) {
            const std::size_t blank = line.rfind(' '); // C '<point>' <count>
            if (line.starts_with("C ") && blank > 1) {
                points_[line.substr(0, blank)] += std::strtoull(line.c_str() + blank, nullptr, 10);
            }
        }
        std::remove(name.c_str());
    }

    RtlCoverage(const RtlCoverage&) = delete;
    RtlCoverage& operator=(const RtlCoverage&) = delete;

  private:
    RtlCoverage() = default;
    ~RtlCoverage() {
        if (points_.empty()) {
            return;
        }
        const char* const chosen = std::getenv("PES_RTL_COVERAGE");
        const std::string name = chosen != nullptr ? chosen : "coverage.dat";
        std::ofstream file(name);
        file << "# SystemC::Coverage-3\n";
        for (const auto& [point, count] : points_) {
            file << point << ' ' << count << '\n';
        }
        file.close();
        if (!file) {
            std::fprintf(stderr, "pes: cannot write RTL coverage to '%s'\n", name.c_str());
        }
    }

    std::map<std::string, std::uint64_t> points_;
};

} // namespace pes

// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/outputs/counter_coverage_file.h"

namespace pes {

void write_counter_coverage(std::ostream& out, const CounterCoverage& coverage) {
    out << "kind,name,point,cycles\n";
    for (const CounterCoverage::Row& row : coverage.rows()) {
        out << row.kind << ',' << row.name << ',' << row.point << ',' << row.hits << '\n';
    }
}

} // namespace pes

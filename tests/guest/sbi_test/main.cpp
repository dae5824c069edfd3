// SPDX-License-Identifier: Apache-2.0
#include "tests/guest/sbi_test/check.h"

namespace pes::test {
unsigned checks = 0;
unsigned failures = 0;
} // namespace pes::test

extern "C" [[noreturn]] void run_tests() {
    using namespace pes;
    using namespace pes::test;
    check_base();
    check_pmu();
    check_misaligned();
    check_sampling();
    print(supervisor_put, "sbi_test: ", checks, " checks, ", failures, " failures\n");
    shut_down(failures == 0 ? 0 : 1);
}

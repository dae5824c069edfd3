// SPDX-License-Identifier: Apache-2.0
// The PAPI layer seen by its caller: names, codes and errors, counts of loops that are known.
#include "tests/guest/papi_test/check.h"
#include "tests/guest/papi_test/tests.h"

extern "C" void payload_main() {
    using namespace pes::papi_test;
    test_before_init();
    test_services_before_init();
    test_library();
    test_events();
    test_component();
    test_threads();
    test_options();
    test_program();
    test_errors();
    test_event_sets();
    test_conflicts();
    test_counting();
    test_derived();
    test_timers();
    test_high_level();
    test_rates();
    test_multiplex_calls();
    test_overflow_calls();
    test_overflow();
    test_profil();
    test_program_vectors();
    test_user_mode();
    finish("papi_test");
}

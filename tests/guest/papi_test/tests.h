// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pes::papi_test {

void test_before_init();
void test_services_before_init();
void test_library();
void test_events();
void test_component();
void test_threads();
void test_options();
void test_program();
void test_errors();
void test_event_sets();
void test_conflicts();
void test_counting();
void test_derived();
void test_timers();
void test_high_level();
void test_rates();
void test_multiplex_calls();
void test_overflow_calls();
void test_overflow();
void test_profil();
void test_program_vectors();
void test_user_mode();

} // namespace pes::papi_test

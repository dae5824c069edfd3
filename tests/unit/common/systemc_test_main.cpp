// SPDX-License-Identifier: Apache-2.0
// main() of the suites that elaborate SystemC modules. A process elaborates once: such a suite has
// one bench, made by the first test that asks for it, and is an executable of its own.
#include <gtest/gtest.h>
#include <systemc>

namespace {

// A warning of the kernel is a mistake in a model: it fails the test it comes up in.
void report(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
    if (report.get_severity() >= sc_core::SC_WARNING) {
        ADD_FAILURE() << report.get_msg_type() << ": " << report.get_msg();
    }
    sc_core::sc_report_handler::default_handler(report, actions);
}

} // namespace

int sc_main(int, char**) {
    sc_core::sc_report_handler::set_handler(report);
    return RUN_ALL_TESTS();
}

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    return sc_core::sc_elab_and_sim(argc, argv);
}

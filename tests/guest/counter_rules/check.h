// SPDX-License-Identifier: Apache-2.0
// A group of checks of one rule in one mode, and its line: "RULE MODE GOOD of ALL". The first
// checks that fail have a line each.
#pragma once

#include "tests/guest/counter_rules/modes.h"

#include <stdint.h>

namespace pes::rules {

class Group {
  public:
    /// `rule`: of riscv-arch-test's test plan Sscofpmf where it has it, cp_...
    Group(const char* rule, Mode mode) : rule_(rule), mode_(mode) {}
    ~Group();
    Group(const Group&) = delete;
    Group& operator=(const Group&) = delete;

    /// `first` and `second` say which one.
    void check(bool holds, uint64_t first = 0, uint64_t second = 0);

  private:
    const char* rule_;
    Mode mode_;
    unsigned good_ = 0;
    unsigned all_ = 0;
};

/// Checks of all groups that did not hold.
extern unsigned failures;

void filter_rules();
void overflow_rules();
void access_rules();
void interrupt_rules();
void fixed_rules();

} // namespace pes::rules

/* SPDX-License-Identifier: Apache-2.0
 * A C11 program with nothing but the header and the library: sequences that are counted by hand from
 * docs/counters.md and docs/pes.md. Prints what is wrong; exit code 0 if nothing is. */
#include <pes_hpm.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int failures;

static void expect(const char *what, uint64_t got, uint64_t expected) {
    if (got != expected) {
        printf("%s: 0x%" PRIx64 ", expected 0x%" PRIx64 "\n", what, got, expected);
        ++failures;
    }
}

static void expect_error(const char *got, const char *expected) {
    if (strcmp(got, expected) != 0) {
        printf("error '%s', expected '%s'\n", got, expected);
        ++failures;
    }
}

static uint64_t get(pes_hpm *model, unsigned csr) {
    uint64_t value = ~UINT64_C(0);
    expect("read", (uint64_t)pes_hpm_read(model, csr, &value), 0);
    return value;
}

static void put(pes_hpm *model, unsigned csr, uint64_t value) {
    expect("write", (uint64_t)pes_hpm_write(model, csr, value), 0);
}

static void tick(pes_hpm *model, uint64_t pulses, unsigned retired) {
    expect("tick", (uint64_t)pes_hpm_tick(model, pulses, retired, PES_HPM_MACHINE, 0), 0);
}

enum { MHPMEVENT3 = 0x323, MCOUNTINHIBIT = 0x320, MCYCLE = 0xB00, MINSTRET = 0xB02, COUNTER3 = 0xB03 };

static void count_loads(void) {
    pes_hpm *model = pes_hpm_create("programmable=2 width=40");
    const uint64_t load = UINT64_C(1) << pes_hpm_pulse(model, "load");
    expect("pulse of loads", load, 0x20);
    expect("selector of loads", (uint64_t)pes_hpm_selector(model, "load"), 5);
    put(model, MHPMEVENT3, 5);
    tick(model, load, 1); /* 1: the selector counts from the next cycle on */
    expect("mhpmcounter3 in 2", get(model, COUNTER3), 0);
    tick(model, load, 2); /* 2 */
    put(model, MCOUNTINHIBIT, 8);
    tick(model, load, 0); /* 3: the cycle that sets the bit counts */
    expect("mhpmcounter3 in 4", get(model, COUNTER3), 2);
    tick(model, load, 0); /* 4 */
    expect("mhpmcounter3 in 5", get(model, COUNTER3), 2);
    expect("minstret", get(model, MINSTRET), 3);
    expect("mcycle", get(model, MCYCLE), 4);
    expect("advance", (uint64_t)pes_hpm_advance(model, 1000000), 0);
    expect("mcycle later", get(model, MCYCLE), 1000004);
    expect("cycles", pes_hpm_cycles(model), 1000004);
    pes_hpm_destroy(model);
}

static void raise_lines(void) {
    pes_hpm *model = pes_hpm_create("counters.programmable=1,counters.width=32");
    put(model, MHPMEVENT3, 5);
    tick(model, 0, 0);
    put(model, COUNTER3, 0xFFFFFFFE);
    tick(model, 0, 0);
    put(model, 0xB23, 0xFFFFFFFF); /* threshold */
    tick(model, 0, 0);
    expect("no line", pes_hpm_lines(model), 0);
    tick(model, 0x20, 1);
    expect("threshold", pes_hpm_lines(model), PES_HPM_LINE_THRESHOLD);
    expect("comparators", pes_hpm_reached(model), 8);
    tick(model, 0x20, 1); /* wraps: below the threshold, and an overflow */
    expect("overflow", pes_hpm_lines(model), PES_HPM_LINE_OVERFLOW);
    expect("OF", get(model, MHPMEVENT3), UINT64_C(0x8000000000000005));
    tick(model, 0, 0);
    expect("request for one cycle", pes_hpm_lines(model), 0);
    /* The threshold line rises inside an idle span: mcycle reaches 100. */
    put(model, 0xB21, 100);
    expect("advance", (uint64_t)pes_hpm_advance(model, 93), 0); /* six ticks before it */
    expect("mcycle", get(model, MCYCLE), 99);
    expect("before 100", pes_hpm_lines(model), 0);
    expect("advance", (uint64_t)pes_hpm_advance(model, 1), 0);
    expect("at 100", pes_hpm_lines(model), PES_HPM_LINE_THRESHOLD);
    pes_hpm_destroy(model);
}

/* A mode holds in its own cycle, and the filters with it. */
static void filter_modes(void) {
    pes_hpm *model = pes_hpm_create("");
    put(model, MHPMEVENT3, (UINT64_C(1) << 60) | 5); /* UINH */
    tick(model, 0, 0);
    pes_hpm_tick(model, 0x20, 1, PES_HPM_USER, 0);
    expect("user", get(model, COUNTER3), 0);
    pes_hpm_tick(model, 0x20, 1, PES_HPM_SUPERVISOR, 0);
    expect("supervisor", get(model, COUNTER3), 1);
    pes_hpm_tick(model, 0x20, 1, PES_HPM_USER, 0);
    pes_hpm_tick(model, 0x20, 1, PES_HPM_MACHINE, 0);
    expect("machine", get(model, COUNTER3), 2);
    pes_hpm_tick(model, 0x20, 1, PES_HPM_MACHINE, 1);
    expect("debug", get(model, COUNTER3), 2);
    expect("minstret in debug mode", get(model, MINSTRET), 5);
    pes_hpm_destroy(model);
}

static void refuse_mistakes(void) {
    expect("no model", pes_hpm_create("programmable=30") == NULL, 1);
    expect_error(pes_hpm_error(NULL), "counters.programmable got '30', expected 0 to 29");
    expect("no model", pes_hpm_create("counters.sscofpmf=maybe") == NULL, 1);
    expect_error(pes_hpm_error(NULL), "counters.sscofpmf got 'maybe', expected true or false");
    expect("no model", pes_hpm_create("bits=3") == NULL, 1);
    expect("no model", pes_hpm_create("width") == NULL, 1);
    expect_error(pes_hpm_error(NULL), "settings have 'width', expected KEY=VALUE");
    expect("no model", pes_hpm_create("profile=z80") == NULL, 1);

    pes_hpm *model = pes_hpm_create("width=40 profile=u74");
    expect_error(pes_hpm_error(NULL), "");
    uint64_t value = 17;
    expect("no CSR", (uint64_t)pes_hpm_read(model, 0xB01, &value), UINT64_MAX);
    expect_error(pes_hpm_error(model), "the counters have no CSR 0xB01");
    expect("value", value, 17);
    put(model, COUNTER3, 1);
    expect("two writes", (uint64_t)pes_hpm_write(model, COUNTER3, 2), UINT64_MAX);
    expect("three retire", (uint64_t)pes_hpm_tick(model, 0, 3, 3, 0), UINT64_MAX);
    expect("mode 2", (uint64_t)pes_hpm_tick(model, 0, 0, 2, 0), UINT64_MAX);
    expect_error(pes_hpm_error(model), "privilege is 2, expected 0, 1 or 3");
    expect("bit 61", (uint64_t)pes_hpm_tick(model, UINT64_C(1) << 61, 0, 3, 0), UINT64_MAX);
    expect("nothing has happened", pes_hpm_cycles(model), 0);
    tick(model, UINT64_C(1) << 60, 0);
    expect("written once", get(model, COUNTER3), 1);
    expect("no event", (uint64_t)pes_hpm_pulse(model, "coffee"), UINT64_MAX);
    expect_error(pes_hpm_error(model), "profile 'u74' has no event 'coffee'");
    pes_hpm_destroy(model);
    pes_hpm_destroy(NULL);
}

int main(void) {
    count_loads();
    raise_lines();
    filter_modes();
    refuse_mistakes();
    return failures == 0 ? 0 : 1;
}

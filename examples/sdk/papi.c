// SPDX-License-Identifier: Apache-2.0
/*
 * PAPI's calls, in supervisor mode: what a loop costs:
 *
 *   riscv64-unknown-elf-gcc --specs=/usr/share/pes-vp/sdk/pes-supervisor.specs -O2 -g \
 *       papi.c -o papi.elf
 *   pes-vp run --firmware /usr/share/pes-vp/pes_firmware.elf --kernel papi.elf
 */
#include <papi.h>
#include <stdio.h>

static int failed(const char* call, int code) {
    printf("%s: %s\n", call, PAPI_strerror(code));
    return 1;
}

int main(void) {
    const int version = PAPI_library_init(PAPI_VER_CURRENT);
    if (version != PAPI_VER_CURRENT) {
        return failed("PAPI_library_init", version);
    }
    int set = PAPI_NULL;
    int code = PAPI_create_eventset(&set);
    if (code != PAPI_OK) {
        return failed("PAPI_create_eventset", code);
    }
    const char* const names[] = {"PAPI_TOT_INS", "PAPI_BR_MSP", "PAPI_LD_INS"};
    enum { kEvents = sizeof names / sizeof names[0] };
    for (int i = 0; i < kEvents; ++i) {
        code = PAPI_add_named_event(set, names[i]);
        if (code != PAPI_OK) {
            return failed(names[i], code);
        }
    }
    long long values[kEvents];
    static volatile int numbers[1000];
    code = PAPI_start(set);
    if (code != PAPI_OK) {
        return failed("PAPI_start", code);
    }
    int sum = 0;
    for (int i = 0; i < 1000; ++i) {
        sum += numbers[i];
    }
    code = PAPI_stop(set, values);
    if (code != PAPI_OK) {
        return failed("PAPI_stop", code);
    }
    for (int i = 0; i < kEvents; ++i) {
        printf("%s %lld\n", names[i], values[i]);
    }
    return sum;
}

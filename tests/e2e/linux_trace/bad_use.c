/* SPDX-License-Identifier: Apache-2.0 */
/* Each line: a mistake, and what perfLastError() says of it. Arguments: harts and funnels that
 * there are. Runs on hart 0 alone. */
#include "sifive_linux_perf.h"
#include "sifive_linux_trace.h"
#include "trace_perf.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct TraceRegMemMap volatile* tmm[] = {(void*)0x11000000, (void*)0x11001000};
struct TfTraceRegMemMap volatile* fmm;

static perfEvent cycles[] = {{.type = perfEventHWGeneral, .code = HW_CPU_CYCLES}};
static perfEvent none[] = {{.type = perfEventHWGeneral, .code = HW_CPU_CYCLES},
                           {.type = perfEventHWRaw, .event_data = 0xFFFF}};
static perfEvent odd[] = {{.type = 7}};
static perfEvent many[31];

static void expect(const char* what, int result, const char* text) {
    const int good = result == 1 && strstr(perfLastError(), text) != NULL;
    printf("%s %s: %s\n", good ? "good" : "BAD ", what, perfLastError());
}

static int start(perfEvent* events, int count, uint32_t bytes) {
    return perfManualInit(events, count, 6, perfCount_Raw, bytes);
}

int main(int count, char** words) {
    if (count == 2) {
        expect("no driver", perfInit(1, 0), "is the driver pes_trace loaded");
        return 0;
    }
    if (count != 3) {
        return 2;
    }
    const int harts = atoi(words[1]), funnels = atoi(words[2]);
    fmm = funnels != 0 ? (void*)0x11018000 : NULL;
    expect("initialisation without perfInit", start(cycles, 1, 0), "perfInit comes before");
    expect("no harts", perfInit(0, 0), "1 to 8 harts");
    expect("more harts than there are", perfInit(harts + 1, funnels), "has no encoder");
    expect("funnels that are not there", perfInit(harts, funnels + 1), "funnels, expected");
    tmm[0] = (void*)0x12345000;
    expect("address of an encoder", perfInit(harts, funnels), "tmm[0]");
    tmm[0] = (void*)0x11000000;
    fmm = (void*)0x12345000;
    expect("address of a funnel", perfInit(harts, funnels), "fmm");
    fmm = funnels != 0 ? (void*)0x11018000 : NULL;
    printf("%s perfInit\n", perfInit(harts, funnels) == 0 ? "good" : "BAD ");
    expect("perfInit again", perfInit(harts, funnels), "before");
    expect("records before initialisation", perfWriteCntrs(), "has not been initialised");
    expect("buffer too large", start(cycles, 1, 0x40000000), "no buffer of");
    expect("buffer of less than a word", start(cycles, 1, 1), "a buffer of 1 bytes");
    expect("event that is none", start(none, 2, 0), "event 1 of the list (type 2, 0xffff)");
    expect("type that is none", start(odd, 1, 0), "type that is none");
    for (int i = 0; i < 31; ++i) {
        many[i] = (perfEvent){.type = perfEventHWRaw, .event_data = 5};
    }
    expect("more events than counters", start(many, 31, 0), "more events than");
    expect("count type", perfManualInit(cycles, 1, 6, 9, 0), "count type");
    expect("channel", perfManualInit(cycles, 1, 32, perfCount_Raw, 0), "channel is 0 to 31");

    printf("%s initialisation\n", start(cycles, 1, 4096) == 0 ? "good" : "BAD ");
    fflush(stdout);
    const int other = fork();
    if (other == 0) { /* a process with a file of its own */
        const int device = open("/dev/trace-perf", O_RDWR);
        const struct trace_perf_claim claim = {.cpu = 0, .bytes = 0, .stimuli = 64};
        const int taken = ioctl(device, TRACE_PERF_CLAIM, &claim) != 0;
        printf("%s a taken encoder is refused\n", taken ? "good" : "BAD ");
        fflush(stdout);
        _exit(0);
    }
    waitpid(other, NULL, 0);
    printf("%s perfTraceOn\n", perfTraceOn() == 0 ? "good" : "BAD ");
    printf("%s record\n", perfWriteCntrs() == 0 ? "good" : "BAD ");
    expect("full disk", perfWriteTrace("/dev/full"), "No space left");
    expect("folder that is not there", perfWriteTrace("/nowhere/t.rtd"), "No such file");
    printf("%s perfTraceOff\n", perfTraceOff() == 0 ? "good" : "BAD ");
    unlink("/dev/trace-perf"); /* the guest's, for this run */
    fflush(stdout);
    execl("/proc/self/exe", words[0], "missing", NULL);
    return 1;
}

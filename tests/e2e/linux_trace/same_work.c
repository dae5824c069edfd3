/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions and branches at each entry and exit of a function, by either version of the trace
 * performance library: BARE_METAL is the one without an operating system. Arguments: harts,
 * funnels. */
#ifdef BARE_METAL
#include <sifive_bare_perf.h>
#else
#include "sifive_linux_perf.h"
#endif

#include <stdio.h>
#include <stdlib.h>

unsigned partitions(int n, int most);

static perfEvent events[] = {
    {.type = perfEventHWGeneral, .code = HW_INSTRUCTIONS},
    {.type = perfEventHWRaw, .event_data = 9}, /* branches and jumps */
};

int main(int count, char** words) {
    if (count != 3) {
        return 2;
    }
    if (perfInit(atoi(words[1]), atoi(words[2])) != 0 ||
        perfFuncEntryExitInit(events, 2, 6, perfCount_Raw, 65536) != 0 || perfTraceOn() != 0) {
        printf("%s\n", perfLastError());
        return 1;
    }
    partitions(3, 3); /* until the caches have all of it, a read may be a branch late */
    const unsigned ways = partitions(9, 9);
    if (perfTraceOff() != 0 || perfWriteTrace("same_work.rtd") != 0) {
        printf("%s\n", perfLastError());
        return 1;
    }
    return ways == 30 ? 0 : 1;
}

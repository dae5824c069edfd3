/* SPDX-License-Identifier: Apache-2.0 */
/* The example of docs/papi.md: the library from C. Returns a negative PAPI code or the loads. */
#include "tests/guest/papi_test/kernels.h"
#include "firmware/papi/papi.h"

long long loads_from_c(long iterations) {
    int set = PAPI_NULL;
    long long loads = 0;
    int error = PAPI_create_eventset(&set);
    if (error != PAPI_OK || (error = PAPI_add_event(set, PAPI_LD_INS)) != PAPI_OK ||
        (error = PAPI_start(set)) != PAPI_OK) {
        return error;
    }
    mixed_loop(iterations);
    error = PAPI_stop(set, &loads);
    PAPI_cleanup_eventset(set);
    PAPI_destroy_eventset(&set);
    return error != PAPI_OK ? error : loads;
}

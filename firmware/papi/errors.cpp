// SPDX-License-Identifier: Apache-2.0
// Texts of error codes, and what becomes of the error that a call returns.
#include "firmware/papi/console.h"
#include "firmware/papi/library.h"

namespace pes::papi {

namespace {

constexpr const char* kErrors[] = {
    "no error",
    "invalid argument",
    "not enough memory",
    "a system call failed",
    "not supported by the component",
    "the counters were lost",
    "internal error",
    "no such event on this machine",
    "the event does not fit on the counters together with the others",
    "the event set is not running",
    "an event set is running",
    "no such event set",
    "not a preset event",
    "no performance counters",
    "unknown error",
    "not permitted",
    "the library is not initialized",
    "no such component",
    "not supported",
    "not implemented",
    "buffer too small",
    "no such domain",
    "invalid event attributes",
    "too many events",
    "features that do not go together",
    "the component is disabled",
    "initialization of the component is delayed",
    "the events need several passes",
    "the component is partially disabled",
};
static_assert(sizeof(kErrors) / sizeof(kErrors[0]) == PAPI_NUM_ERRORS);

// Not in Library: PAPI_ENOINIT is an error, too, and a level may be set before the start.
constinit int last_error = PAPI_OK;
constinit int debug_level = PAPI_QUIET;

} // namespace

void remember_error(int code) {
    last_error = code;
    if (debug_level == PAPI_QUIET) {
        return;
    }
    PAPI_perror("PAPI");
    if (debug_level == PAPI_VERB_ESTOP) {
        end_run(1);
    }
}

} // namespace pes::papi

using namespace pes::papi;

extern "C" const char* PAPI_strerror(int code) {
    return code <= 0 && code > -PAPI_NUM_ERRORS ? kErrors[-code] : nullptr;
}

extern "C" void PAPI_perror(const char* msg) {
    const char* text = PAPI_strerror(last_error);
    if (text == nullptr) {
        return;
    }
    const bool has_prefix = msg != nullptr && *msg != '\0';
    pes::print(console_put, has_prefix ? msg : "", has_prefix ? ": " : "", text, "\n");
}

extern "C" int PAPI_set_debug(int level) {
    if (level < PAPI_QUIET || level > PAPI_VERB_ESTOP) {
        return answer(PAPI_EINVAL);
    }
    debug_level = level;
    return PAPI_OK;
}

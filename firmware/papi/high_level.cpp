// SPDX-License-Identifier: Apache-2.0
// High-level regions: named stretches of a program, counted with one event set. Regions may nest,
// each name at most once at a time; their sums are printed as JSON.
#include "firmware/papi/console.h"
#include "firmware/papi/library.h"

namespace pes::papi {

namespace {

constexpr unsigned kMaxRegions = 32;
constexpr unsigned kMaxEvents = 8;
constexpr const char* kDefaultEvents = "PAPI_TOT_CYC,PAPI_TOT_INS";

struct Region {
    char name[PAPI_MIN_STR_LEN] = {};
    bool open = false;
    uint64_t entries = 0;
    uint64_t reads = 0;
    long long start_cycle = 0;
    long long cycles = 0;
    long long begin[kMaxEvents] = {};
    long long sum[kMaxEvents] = {};
    long long last_read[kMaxEvents] = {}; ///< since the region began
};

struct HighLevel {
    int set = PAPI_NULL;
    bool configured = false;
    unsigned regions = 0;
    Region region[kMaxRegions];
};
constinit HighLevel high_level;

Region* find_region(const char* name) {
    for (unsigned i = 0; i < high_level.regions; ++i) {
        if (same_text(high_level.region[i].name, name)) {
            return &high_level.region[i];
        }
    }
    return nullptr;
}

/// Initializes library and event set, once.
int prepare() {
    if (library.initialized == PAPI_NOT_INITED) {
        if (const int version = PAPI_library_init(PAPI_VER_CURRENT); version != PAPI_VER_CURRENT) {
            return version;
        }
        library.initialized |= PAPI_HIGH_LEVEL_INITED;
    }
    return high_level.configured ? PAPI_OK : PAPI_hl_set_events(kDefaultEvents);
}

/// Adds the events of a list with commas; a name that does not fit or is unknown ends it.
int add_list(int set, const char* list) {
    while (*list != '\0') {
        char name[PAPI_MIN_STR_LEN] = {};
        unsigned length = 0;
        while (*list != '\0' && *list != ',') {
            if (length + 1 == sizeof(name)) {
                return answer(PAPI_ENOEVNT);
            }
            name[length++] = *list++;
        }
        list += *list == ',' ? 1 : 0;
        if (PAPI_num_events(set) == static_cast<int>(kMaxEvents)) {
            return answer(PAPI_ECOUNT);
        }
        if (const int error = PAPI_add_named_event(set, name); error != PAPI_OK) {
            return error;
        }
    }
    return PAPI_num_events(set) == 0 ? answer(PAPI_EINVAL) : PAPI_OK;
}

void drop_set() {
    if (high_level.set != PAPI_NULL) {
        PAPI_cleanup_eventset(high_level.set);
        PAPI_destroy_eventset(&high_level.set);
    }
    high_level.configured = false;
}

void put_result(const char* name, uint64_t value) {
    print(console_put, ",\"", name, "\":\"", value, "\"");
}

void print_region(const Region& region) {
    print(console_put, "{\"name\":\"", region.name, "\",\"region_count\":\"", region.entries, "\"");
    put_result("cycles", static_cast<uint64_t>(region.cycles));
    int codes[kMaxEvents];
    int count = kMaxEvents;
    PAPI_list_events(high_level.set, codes, &count);
    for (int i = 0; i < count; ++i) {
        char name[PAPI_MAX_STR_LEN];
        PAPI_event_code_to_name(codes[i], name);
        if (region.reads == 0) {
            put_result(name, static_cast<uint64_t>(region.sum[i]));
        } else {
            print(console_put, ",\"", name, "\":{\"region_value\":\"",
                  static_cast<uint64_t>(region.sum[i]), "\",\"last_read\":\"",
                  static_cast<uint64_t>(region.last_read[i]), "\"}");
        }
    }
    print(console_put, "}");
}

} // namespace

bool regions_running() {
    const EventSet* set = find_set(high_level.set);
    return set != nullptr && set->running();
}

void forget_regions() {
    high_level.set = PAPI_NULL;
    high_level.configured = false;
    high_level.regions = 0;
}

} // namespace pes::papi

using namespace pes::papi;

extern "C" int PAPI_hl_set_events(const char* events) {
    if (events == nullptr) {
        return answer(PAPI_EINVAL);
    }
    if (library.initialized == PAPI_NOT_INITED) {
        if (const int version = PAPI_library_init(PAPI_VER_CURRENT); version != PAPI_VER_CURRENT) {
            return version;
        }
        library.initialized |= PAPI_HIGH_LEVEL_INITED;
    }
    EventSet* set = find_set(high_level.set);
    if (set != nullptr && set->running()) {
        return answer(PAPI_EISRUN);
    }
    drop_set();
    int handle = PAPI_NULL;
    if (const int error = PAPI_create_eventset(&handle); error != PAPI_OK) {
        return error;
    }
    high_level.set = handle;
    if (const int error = add_list(handle, events); error != PAPI_OK) {
        drop_set();
        return error;
    }
    high_level.configured = true;
    high_level.regions = 0;
    return PAPI_OK;
}

extern "C" int PAPI_hl_region_begin(const char* region) {
    if (region == nullptr || *region == '\0') {
        return answer(PAPI_EINVAL);
    }
    if (const int error = prepare(); error != PAPI_OK) {
        return error;
    }
    if (!find_set(high_level.set)->running()) {
        if (const int error = PAPI_start(high_level.set); error != PAPI_OK) {
            return error;
        }
    }
    Region* found = find_region(region);
    if (found == nullptr) {
        if (high_level.regions == kMaxRegions) {
            return answer(PAPI_ENOMEM);
        }
        found = &high_level.region[high_level.regions++];
        *found = {};
        set_text(found->name, region);
    }
    if (found->open) {
        return answer(PAPI_EINVAL);
    }
    found->open = true;
    found->start_cycle = PAPI_get_real_cyc();
    return PAPI_read(high_level.set, found->begin);
}

namespace {

/// Values since the region began; PAPI_EINVAL: it did not.
int read_region(const char* name, Region*& region, long long* values) {
    if (name == nullptr) {
        return answer(PAPI_EINVAL);
    }
    const EventSet* set = find_set(high_level.set);
    if (set == nullptr || !set->running()) {
        return answer(PAPI_ENOTRUN);
    }
    if (const int error = PAPI_read(high_level.set, values); error != PAPI_OK) {
        return error;
    }
    region = find_region(name);
    if (region == nullptr || !region->open) {
        return answer(PAPI_EINVAL);
    }
    for (unsigned i = 0; i < set->member_count; ++i) {
        values[i] -= region->begin[i];
    }
    return PAPI_OK;
}

} // namespace

extern "C" int PAPI_hl_read(const char* region) {
    long long values[kMaxMembers];
    Region* found = nullptr;
    if (const int error = read_region(region, found, values); error != PAPI_OK) {
        return error;
    }
    ++found->reads;
    for (unsigned i = 0; i < kMaxEvents; ++i) {
        found->last_read[i] = values[i];
    }
    return PAPI_OK;
}

extern "C" int PAPI_hl_region_end(const char* region) {
    long long values[kMaxMembers] = {};
    Region* found = nullptr;
    if (const int error = read_region(region, found, values); error != PAPI_OK) {
        return error;
    }
    found->cycles += PAPI_get_real_cyc() - found->start_cycle;
    for (unsigned i = 0; i < kMaxEvents; ++i) {
        found->sum[i] += values[i];
    }
    ++found->entries;
    found->open = false;
    return PAPI_OK;
}

extern "C" int PAPI_hl_stop(void) {
    const EventSet* set = find_set(high_level.set);
    if (set == nullptr || !set->running()) {
        return answer(PAPI_ENOTRUN);
    }
    return PAPI_stop(high_level.set, nullptr);
}

extern "C" void PAPI_hl_print_output(void) {
    using pes::print;

    print(console_put, "{\"papi_version\":\"", uint64_t{PAPI_VERSION_MAJOR(PAPI_VERSION)}, ".",
          uint64_t{PAPI_VERSION_MINOR(PAPI_VERSION)},
          "\",\"threads\":[{\"id\":\"0\",\"regions\":[");
    for (unsigned i = 0; i < high_level.regions; ++i) {
        print(console_put, i == 0 ? "" : ",");
        print_region(high_level.region[i]);
    }
    print(console_put, "]}]}\n");
}

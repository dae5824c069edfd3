/* SPDX-License-Identifier: Apache-2.0 */
/* The PAPI calls that this library has: names, argument orders, codes and meanings as in PAPI 7
 * (docs/papi.md lists them and where they differ). For C and C++, supervisor mode, one hart. */
#ifndef PES_PAPI_H
#define PES_PAPI_H

#include "firmware/papi/papi_codes.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef char* caddr_t;

typedef void (*PAPI_overflow_handler_t)(int EventSet, void* address, long long overflow_vector,
                                        void* context);

typedef struct {
    void* pr_base;
    unsigned pr_size; /* bytes */
    caddr_t pr_off;
    unsigned pr_scale; /* 0x20000: a bucket for each address */
} PAPI_sprofil_t;

typedef struct {
    int ncpu;
    int threads;
    int cores;
    int sockets;
    int nnodes;
    int totalcpus;
    int vendor;
    char vendor_string[PAPI_MAX_STR_LEN];
    int model;
    char model_string[PAPI_MAX_STR_LEN];
    float revision;
    int cpuid_family;
    int cpuid_model;
    int cpuid_stepping;
    int cpu_max_mhz;
    int cpu_min_mhz;
    int virtualized;
    float mhz;
    int clock_mhz;
} PAPI_hw_info_t;

typedef struct {
    unsigned int event_code;
    char symbol[PAPI_HUGE_STR_LEN];
    char short_descr[PAPI_MIN_STR_LEN];
    char long_descr[PAPI_HUGE_STR_LEN];
    int component_index;
    char units[PAPI_MIN_STR_LEN];
    unsigned int count; /* terms */
    unsigned int event_type;
    char derived[PAPI_MIN_STR_LEN];
    char postfix[PAPI_2MAX_STR_LEN];
    unsigned int code[PAPI_MAX_INFO_TERMS];
    char name[PAPI_MAX_INFO_TERMS][PAPI_2MAX_STR_LEN];
    char note[PAPI_HUGE_STR_LEN];
} PAPI_event_info_t;

typedef struct {
    int eventset;
    int ns;
    int flags;
} PAPI_multiplex_option_t;

typedef struct {
    int itimer_num;
    int itimer_sig;
    int ns;
    int flags;
} PAPI_itimer_option_t;

typedef struct {
    int def_cidx;
    int eventset;
    int domain;
} PAPI_domain_option_t;

typedef union {
    PAPI_multiplex_option_t multiplex;
    PAPI_itimer_option_t itimer;
    PAPI_domain_option_t domain;
    PAPI_domain_option_t defdomain;
    const PAPI_hw_info_t* hw_info;
} PAPI_option_t;

/* Library. */
int PAPI_library_init(int version);
int PAPI_is_initialized(void);
void PAPI_shutdown(void);
const char* PAPI_strerror(int code);
const PAPI_hw_info_t* PAPI_get_hardware_info(void);
int PAPI_num_hwctrs(void);
int PAPI_num_cmp_hwctrs(int cidx);
int PAPI_num_components(void);
int PAPI_get_opt(int option, PAPI_option_t* ptr);
int PAPI_set_opt(int option, PAPI_option_t* ptr);
int PAPI_set_domain(int domain);

/* Events. */
int PAPI_event_name_to_code(const char* in, int* out);
int PAPI_event_code_to_name(int EventCode, char* out);
int PAPI_enum_event(int* EventCode, int modifier);
int PAPI_query_event(int EventCode);
int PAPI_query_named_event(const char* EventName);
int PAPI_get_event_info(int EventCode, PAPI_event_info_t* info);

/* Event sets. */
int PAPI_create_eventset(int* EventSet);
int PAPI_destroy_eventset(int* EventSet);
int PAPI_cleanup_eventset(int EventSet);
int PAPI_assign_eventset_component(int EventSet, int cidx);
int PAPI_add_event(int EventSet, int Event);
int PAPI_add_named_event(int EventSet, const char* EventName);
int PAPI_add_events(int EventSet, int* Events, int number);
int PAPI_remove_event(int EventSet, int EventCode);
int PAPI_remove_named_event(int EventSet, const char* EventName);
int PAPI_remove_events(int EventSet, int* Events, int number);
int PAPI_num_events(int EventSet);
int PAPI_list_events(int EventSet, int* Events, int* number);
int PAPI_state(int EventSet, int* status);

/* Counting. */
int PAPI_start(int EventSet);
int PAPI_stop(int EventSet, long long* values);
int PAPI_read(int EventSet, long long* values);
int PAPI_read_ts(int EventSet, long long* values, long long* cyc);
int PAPI_accum(int EventSet, long long* values);
int PAPI_reset(int EventSet);
int PAPI_write(int EventSet, long long* values);

/* Multiplexing. */
int PAPI_multiplex_init(void);
int PAPI_set_multiplex(int EventSet);
int PAPI_get_multiplex(int EventSet);

/* Overflow and statistical profiling. */
int PAPI_overflow(int EventSet, int EventCode, int threshold, int flags,
                  PAPI_overflow_handler_t handler);
int PAPI_get_overflow_event_index(int EventSet, long long overflow_vector, int* array, int* number);
int PAPI_profil(void* buf, unsigned bufsiz, caddr_t offset, unsigned scale, int EventSet,
                int EventCode, int threshold, int flags);
int PAPI_sprofil(PAPI_sprofil_t* prof, int profcnt, int EventSet, int EventCode, int threshold,
                 int flags);

/* Timers. */
long long PAPI_get_real_cyc(void);
long long PAPI_get_real_nsec(void);
long long PAPI_get_real_usec(void);
long long PAPI_get_virt_cyc(void);
long long PAPI_get_virt_nsec(void);
long long PAPI_get_virt_usec(void);

/* High level. */
int PAPI_hl_set_events(const char* events);
int PAPI_hl_region_begin(const char* region);
int PAPI_hl_read(const char* region);
int PAPI_hl_region_end(const char* region);
int PAPI_hl_stop(void);
void PAPI_hl_print_output(void);

#ifdef __cplusplus
}
#endif

#endif

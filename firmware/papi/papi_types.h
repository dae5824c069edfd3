/* SPDX-License-Identifier: Apache-2.0 */
/* The structures of PAPI 7 that this library takes and returns, with PAPI's names. papi.h includes
 * it. */
#ifndef PES_PAPI_TYPES_H
#define PES_PAPI_TYPES_H

#include "firmware/papi/papi_codes.h"

typedef char* caddr_t;
typedef void* vptr_t;
typedef unsigned long PAPI_thread_id_t;

/* Macros, because older programs also write them with `unsigned`. */
#define long_long long long
#define u_long_long unsigned long long

typedef void (*PAPI_overflow_handler_t)(int EventSet, void* address, long long overflow_vector,
                                        void* context);

typedef struct {
    void* pr_base;
    unsigned pr_size; /* bytes */
    vptr_t pr_off;
    unsigned pr_scale; /* 0x20000: a bucket for each address */
} PAPI_sprofil_t;

typedef struct {
    int type; /* PAPI_MH_TYPE_... */
    int num_entries;
    int page_size;
    int associativity;
} PAPI_mh_tlb_info_t;

typedef struct {
    int type; /* PAPI_MH_TYPE_... */
    int size; /* bytes */
    int line_size;
    int num_lines;
    int associativity;
} PAPI_mh_cache_info_t;

typedef struct {
    PAPI_mh_tlb_info_t tlb[PAPI_MH_MAX_LEVELS];
    PAPI_mh_cache_info_t cache[PAPI_MH_MAX_LEVELS];
} PAPI_mh_level_t;

typedef struct {
    int levels; /* 0 here: the SBI does not tell */
    PAPI_mh_level_t level[PAPI_MAX_MEM_HIERARCHY_LEVELS];
} PAPI_mh_info_t;

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
    PAPI_mh_info_t mem_hierarchy;
    int virtualized;
    char virtual_vendor_string[PAPI_MAX_STR_LEN];
    char virtual_vendor_version[PAPI_MAX_STR_LEN];
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
    char name[PAPI_MAX_STR_LEN];
    char short_name[PAPI_MIN_STR_LEN];
    char description[PAPI_MAX_STR_LEN];
    char version[PAPI_MIN_STR_LEN];
    char support_version[PAPI_MIN_STR_LEN];
    char kernel_version[PAPI_MIN_STR_LEN]; /* of the SBI specification */
    char disabled_reason[PAPI_HUGE_STR_LEN];
    int disabled;
    char partially_disabled_reason[PAPI_HUGE_STR_LEN];
    int partially_disabled;
    int initialized;
    int CmpIdx;
    int num_cntrs;
    int num_mpx_cntrs;
    int num_preset_events;
    int num_native_events;
    int default_domain;
    int available_domains;
    int default_granularity;
    int available_granularities;
    int hardware_intr_sig;
    int component_type;
    const char* pmu_names[PAPI_PMU_MAX];
    unsigned hardware_intr : 1;
    unsigned precise_intr : 1;
    unsigned posix1b_timers : 1;
    unsigned kernel_profile : 1;
    unsigned kernel_multiplex : 1;
    unsigned fast_counter_read : 1;
    unsigned fast_real_timer : 1;
    unsigned fast_virtual_timer : 1;
    unsigned attach : 1;
    unsigned attach_must_ptrace : 1;
    unsigned cntr_umasks : 1;
    unsigned cpu : 1;
    unsigned inherit : 1;
} PAPI_component_info_t;

typedef struct {
    char name[PAPI_HUGE_STR_LEN];
    vptr_t text_start;
    vptr_t text_end;
    vptr_t data_start;
    vptr_t data_end;
    vptr_t bss_start;
    vptr_t bss_end;
} PAPI_address_map_t;

typedef struct {
    char fullname[PAPI_HUGE_STR_LEN];
    PAPI_address_map_t address_info;
} PAPI_exe_info_t;

typedef struct {
    PAPI_address_map_t* map;
    int count;
} PAPI_shlib_info_t;

typedef struct {
    long long peak;
    long long size;
    long long resident;
    long long high_water_mark;
    long long shared;
    long long text;
    long long library;
    long long heap;
    long long locked;
    long long stack;
    long long pagesize;
    long long pte;
} PAPI_dmem_info_t;

typedef struct {
    int num; /* in: room of the arrays; out: threads */
    PAPI_thread_id_t* id;
    void** data;
} PAPI_all_thr_spec_t;

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

typedef struct {
    int def_cidx;
    int eventset;
    int granularity;
} PAPI_granularity_option_t;

typedef struct {
    int eventset;
    int inherit;
} PAPI_inherit_option_t;

typedef struct {
    int eventset;
    unsigned long tid;
} PAPI_attach_option_t;

typedef struct {
    int eventset;
    unsigned cpu_num;
} PAPI_cpu_option_t;

typedef struct {
    int eventset;
    vptr_t start;
    vptr_t end;
    int start_off;
    int end_off;
} PAPI_addr_range_option_t;

typedef union {
    PAPI_multiplex_option_t multiplex;
    PAPI_itimer_option_t itimer;
    PAPI_domain_option_t domain;
    PAPI_domain_option_t defdomain;
    PAPI_granularity_option_t granularity;
    PAPI_granularity_option_t defgranularity;
    PAPI_inherit_option_t inherit;
    PAPI_attach_option_t attach;
    PAPI_cpu_option_t cpu;
    PAPI_addr_range_option_t addr;
    const PAPI_hw_info_t* hw_info;
    const PAPI_exe_info_t* exe_info;
    const PAPI_shlib_info_t* shlib_info;
    const PAPI_component_info_t* cmp_info;
} PAPI_option_t;

#endif

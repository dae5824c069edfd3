/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of PAPI 7 that this library takes and returns: codes of errors and events, states,
 * options, flags. papi.h includes it. */
#ifndef PES_PAPI_CODES_H
#define PES_PAPI_CODES_H

#include "firmware/papi/papi_presets.h"

#define PAPI_VERSION_NUMBER(maj, min, rev, inc)                                                    \
    (((maj) << 24) | ((min) << 16) | ((rev) << 8) | (inc))
#define PAPI_VERSION_MAJOR(x) (((x) >> 24) & 0xff)
#define PAPI_VERSION_MINOR(x) (((x) >> 16) & 0xff)
#define PAPI_VERSION_REVISION(x) (((x) >> 8) & 0xff)
#define PAPI_VERSION_INCREMENT(x) ((x)&0xff)
#define PAPI_VERSION PAPI_VERSION_NUMBER(7, 2, 0, 0)
#define PAPI_VER_CURRENT (PAPI_VERSION & 0xffff0000)

/* Return codes. */
#define PAPI_OK 0
#define PAPI_EINVAL -1
#define PAPI_ENOMEM -2
#define PAPI_ESYS -3
#define PAPI_ECMP -4
#define PAPI_ESBSTR PAPI_ECMP
#define PAPI_ECLOST -5
#define PAPI_EBUG -6
#define PAPI_ENOEVNT -7
#define PAPI_ECNFLCT -8
#define PAPI_ENOTRUN -9
#define PAPI_EISRUN -10
#define PAPI_ENOEVST -11
#define PAPI_ENOTPRESET -12
#define PAPI_ENOCNTR -13
#define PAPI_EMISC -14
#define PAPI_EPERM -15
#define PAPI_ENOINIT -16
#define PAPI_ENOCMP -17
#define PAPI_ENOSUPP -18
#define PAPI_ENOIMPL -19
#define PAPI_EBUF -20
#define PAPI_EINVAL_DOM -21
#define PAPI_EATTR -22
#define PAPI_ECOUNT -23
#define PAPI_ECOMBO -24
#define PAPI_ECMP_DISABLED -25
#define PAPI_EDELAY_INIT -26
#define PAPI_EMULPASS -27
#define PAPI_PARTIAL -28
#define PAPI_NUM_ERRORS 29

/* PAPI_is_initialized */
#define PAPI_NOT_INITED 0
#define PAPI_LOW_LEVEL_INITED 1
#define PAPI_HIGH_LEVEL_INITED 2
#define PAPI_THREAD_LEVEL_INITED 4

#define PAPI_NULL -1

/* Event codes. */
#define PAPI_PRESET_MASK ((int)0x80000000)
#define PAPI_NATIVE_MASK ((int)0x40000000)
#define PAPI_PRESET_AND_MASK 0x7FFFFFFF
#define PAPI_NATIVE_AND_MASK 0xBFFFFFFF
#define PAPI_MAX_PRESET_EVENTS 128
#define IS_NATIVE(code) (((code)&PAPI_NATIVE_MASK) && !((code)&PAPI_PRESET_MASK))
#define IS_PRESET(code) (((code)&PAPI_PRESET_MASK) && !((code)&PAPI_NATIVE_MASK))
#define IS_USER_DEFINED(code) (((code)&PAPI_PRESET_MASK) && ((code)&PAPI_NATIVE_MASK))

#define PES_PAPI_INDEX(name, category, text) PAPI_##name##_idx,
#define PES_PAPI_CODE(name, category, text) PAPI_##name = PAPI_##name##_idx | PAPI_PRESET_MASK,
enum { PES_PAPI_PRESETS(PES_PAPI_INDEX) PAPI_END_idx };
enum { PES_PAPI_PRESETS(PES_PAPI_CODE) PAPI_END = PAPI_END_idx | PAPI_PRESET_MASK };
#undef PES_PAPI_INDEX
#undef PES_PAPI_CODE

/* Domains: user mode, supervisor mode, (nothing here), machine mode. */
#define PAPI_DOM_USER 0x1
#define PAPI_DOM_MIN PAPI_DOM_USER
#define PAPI_DOM_KERNEL 0x2
#define PAPI_DOM_OTHER 0x4
#define PAPI_DOM_SUPERVISOR 0x8
#define PAPI_DOM_ALL (PAPI_DOM_USER | PAPI_DOM_KERNEL | PAPI_DOM_OTHER | PAPI_DOM_SUPERVISOR)
#define PAPI_DOM_MAX PAPI_DOM_ALL

/* Granularities: what a set counts. There is one thread, so only the first is served. */
#define PAPI_GRN_THR 0x1
#define PAPI_GRN_MIN PAPI_GRN_THR
#define PAPI_GRN_PROC 0x2
#define PAPI_GRN_PROCG 0x4
#define PAPI_GRN_SYS 0x8
#define PAPI_GRN_SYS_CPU 0x10
#define PAPI_GRN_MAX PAPI_GRN_SYS_CPU

/* Places of PAPI_set_thr_specific, and locks. */
#define PAPI_USR1_TLS 0x0
#define PAPI_USR2_TLS 0x1
#define PAPI_TLS_HIGH_LEVEL 0x2
#define PAPI_NUM_TLS 0x3
#define PAPI_TLS_USR1 PAPI_USR1_TLS
#define PAPI_TLS_USR2 PAPI_USR2_TLS
#define PAPI_TLS_NUM PAPI_NUM_TLS
#define PAPI_TLS_ALL_THREADS 0x10
#define PAPI_USR1_LOCK 0x0
#define PAPI_USR2_LOCK 0x1
#define PAPI_NUM_LOCK 0x2
#define PAPI_LOCK_USR1 PAPI_USR1_LOCK
#define PAPI_LOCK_USR2 PAPI_USR2_LOCK
#define PAPI_LOCK_NUM PAPI_NUM_LOCK

/* Levels of PAPI_set_debug. */
#define PAPI_QUIET 0
#define PAPI_VERB_ECONT 1
#define PAPI_VERB_ESTOP 2

/* States of an event set. */
#define PAPI_STOPPED 0x01
#define PAPI_RUNNING 0x02
#define PAPI_PAUSED 0x04
#define PAPI_NOT_INIT 0x08
#define PAPI_OVERFLOWING 0x10
#define PAPI_PROFILING 0x20
#define PAPI_MULTIPLEXING 0x40
#define PAPI_ATTACHED 0x80
#define PAPI_CPU_ATTACHED 0x100

/* Flags of PAPI_profil and PAPI_sprofil. */
#define PAPI_PROFIL_POSIX 0x0
#define PAPI_PROFIL_RANDOM 0x1
#define PAPI_PROFIL_WEIGHTED 0x2
#define PAPI_PROFIL_COMPRESS 0x4
#define PAPI_PROFIL_BUCKET_16 0x8
#define PAPI_PROFIL_BUCKET_32 0x10
#define PAPI_PROFIL_BUCKET_64 0x20
#define PAPI_PROFIL_FORCE_SW 0x40
#define PAPI_PROFIL_DATA_EAR 0x80
#define PAPI_PROFIL_INST_EAR 0x100
#define PAPI_PROFIL_BUCKETS (PAPI_PROFIL_BUCKET_16 | PAPI_PROFIL_BUCKET_32 | PAPI_PROFIL_BUCKET_64)

/* Flags of PAPI_overflow. */
#define PAPI_OVERFLOW_FORCE_SW 0x40
#define PAPI_OVERFLOW_HARDWARE 0x80

/* Options of PAPI_get_opt and PAPI_set_opt, and values of some. */
#define PAPI_DETACH 1
#define PAPI_DEBUG 2
#define PAPI_MULTIPLEX 3
#define PAPI_DEFDOM 4
#define PAPI_DOMAIN 5
#define PAPI_DEFGRN 6
#define PAPI_GRANUL 7
#define PAPI_DEF_MPX_NS 8
#define PAPI_MAX_MPX_CTRS 11
#define PAPI_PROFIL 12
#define PAPI_PRELOAD 13
#define PAPI_CLOCKRATE 14
#define PAPI_MAX_HWCTRS 15
#define PAPI_HWINFO 16
#define PAPI_EXEINFO 17
#define PAPI_MAX_CPUS 18
#define PAPI_ATTACH 19
#define PAPI_SHLIBINFO 20
#define PAPI_LIB_VERSION 21
#define PAPI_COMPONENTINFO 22
#define PAPI_DATA_ADDRESS 23
#define PAPI_INSTR_ADDRESS 24
#define PAPI_DEF_ITIMER 25
#define PAPI_DEF_ITIMER_NS 26
#define PAPI_CPU_ATTACH 27
#define PAPI_INHERIT 28
#define PAPI_USER_EVENTS_FILE 29
#define PAPI_INHERIT_NONE 0
#define PAPI_INHERIT_ALL 1
#define PAPI_MULTIPLEX_DEFAULT 0x0
#define PAPI_MULTIPLEX_FORCE_SW 0x1

#define PAPI_MIN_STR_LEN 64
#define PAPI_MAX_STR_LEN 128
#define PAPI_2MAX_STR_LEN 256
#define PAPI_HUGE_STR_LEN 1024
#define PAPI_MAX_INFO_TERMS 12
#define PAPI_PMU_MAX 80

/* Programs compare with them; the vendor here is always unknown to PAPI. */
#define PAPI_VENDOR_UNKNOWN 0
#define PAPI_VENDOR_INTEL 1
#define PAPI_VENDOR_AMD 2
#define PAPI_VENDOR_IBM 3
#define PAPI_VENDOR_CRAY 4
#define PAPI_VENDOR_SUN 5
#define PAPI_VENDOR_FREESCALE 6
#define PAPI_VENDOR_ARM 7
#define PAPI_VENDOR_MIPS 8

/* Caches and TLBs of PAPI_mh_info_t: kind, write policy, replacement, allocation. */
#define PAPI_MH_TYPE_EMPTY 0x0
#define PAPI_MH_TYPE_INST 0x1
#define PAPI_MH_TYPE_DATA 0x2
#define PAPI_MH_TYPE_VECTOR 0x4
#define PAPI_MH_TYPE_TRACE 0x8
#define PAPI_MH_TYPE_UNIFIED (PAPI_MH_TYPE_INST | PAPI_MH_TYPE_DATA)
#define PAPI_MH_CACHE_TYPE(type) ((type)&0xf)
#define PAPI_MH_TYPE_WT 0x00
#define PAPI_MH_TYPE_WB 0x10
#define PAPI_MH_CACHE_WRITE_POLICY(type) ((type)&0xf0)
#define PAPI_MH_TYPE_UNKNOWN 0x000
#define PAPI_MH_TYPE_LRU 0x100
#define PAPI_MH_TYPE_PSEUDO_LRU 0x200
#define PAPI_MH_TYPE_FIFO 0x400
#define PAPI_MH_CACHE_REPLACEMENT_POLICY(type) ((type)&0xf00)
#define PAPI_MH_TYPE_TLB 0x1000
#define PAPI_MH_TYPE_PREF 0x2000
#define PAPI_MH_TYPE_RD_ALLOC 0x10000
#define PAPI_MH_TYPE_WR_ALLOC 0x20000
#define PAPI_MH_TYPE_RW_ALLOC 0x40000
#define PAPI_MH_CACHE_ALLOCATION_POLICY(type) ((type)&0xf0000)
#define PAPI_MH_MAX_LEVELS 6
#define PAPI_MAX_MEM_HIERARCHY_LEVELS 4

/* Modifiers of PAPI_enum_event. */
enum {
    PAPI_ENUM_EVENTS = 0,
    PAPI_ENUM_FIRST,
    PAPI_PRESET_ENUM_FIRST_COMP,
    PAPI_PRESET_ENUM_AVAIL,
    PAPI_PRESET_ENUM_MSC,
    PAPI_PRESET_ENUM_INS,
    PAPI_PRESET_ENUM_IDL,
    PAPI_PRESET_ENUM_BR,
    PAPI_PRESET_ENUM_CND,
    PAPI_PRESET_ENUM_MEM,
    PAPI_PRESET_ENUM_CACH,
    PAPI_PRESET_ENUM_L1,
    PAPI_PRESET_ENUM_L2,
    PAPI_PRESET_ENUM_L3,
    PAPI_PRESET_ENUM_TLB,
    PAPI_PRESET_ENUM_FP,
    PAPI_PRESET_ENUM_CPU,
    PAPI_PRESET_ENUM_CPU_AVAIL,
    PAPI_NTV_ENUM_UMASKS,
    PAPI_NTV_ENUM_UMASK_COMBOS,
    PAPI_NTV_ENUM_IARR,
    PAPI_NTV_ENUM_DARR,
    PAPI_NTV_ENUM_OPCM,
    PAPI_NTV_ENUM_IEAR,
    PAPI_NTV_ENUM_DEAR,
    PAPI_NTV_ENUM_GROUPS
};
#define PAPI_ENUM_ALL PAPI_ENUM_EVENTS

#endif

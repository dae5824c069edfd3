/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Registers that the driver uses of SiFive's trace blocks (version 0) and of the RISC-V Trace
 * Control Interface 1.0. Where one name stands for both, they agree.
 */
#ifndef PES_TRACE_REGISTERS_H
#define PES_TRACE_REGISTERS_H

#include <linux/bits.h>

#define UNIT_BYTES 0x1000

/* tr..Control, teControl, tfControl */
#define CONTROL 0x000
#define CONTROL_ACTIVE BIT(0)
#define CONTROL_ENABLE BIT(1)
#define CONTROL_TRACING BIT(2)
#define CONTROL_EMPTY BIT(3)
#define CONTROL_OVERFLOW BIT(12)
#define SIFIVE_INSTRUMENTATION (1 << 7) /* all stimuli as data acquisition */
#define SIFIVE_STOP_ON_WRAP BIT(14)
#define SIFIVE_SYNC_NEVER (0xff << 16)
#define SIFIVE_SYNC_OFTEN (0xf0 << 16) /* each 32 messages */
#define SIFIVE_SINK_ERROR BIT(27)
#define SIFIVE_SINK GENMASK(31, 28)
#define STANDARD_SYNC_OFTEN (1 << 16 | 1 << 20) /* each 32 messages */
#define STANDARD_FORMAT GENMASK(26, 24)
#define STANDARD_FORMAT_NTRACE 1

/* tr..Impl, teImpl, tfImpl */
#define IMPL 0x004
#define IMPL_VERSION GENMASK(3, 0) /* 0: SiFive's */
#define IMPL_TYPE GENMASK(11, 8)   /* standard */
#define IMPL_ENCODER 0x1
#define IMPL_FUNNEL 0x8
#define IMPL_RAM_SINK 0x9
#define SIFIVE_IMPL_WORD GENMASK(17, 16)
#define SIFIVE_IMPL_SOURCE_BITS GENMASK(26, 24)

/* teSink, and bits of teImpl */
#define SIFIVE_SRAM 4
#define SIFIVE_MEMORY 7
#define SIFIVE_FUNNEL 8

/* SiFive's sink, in encoder or funnel */
#define SIFIVE_BASE 0x010
#define SIFIVE_BASE_HIGH 0x014
#define SIFIVE_LIMIT 0x018
#define SIFIVE_WP 0x01c
#define SIFIVE_RP 0x020
#define SIFIVE_DATA 0x024
#define SIFIVE_WORDS 0x038
#define WP_WRAPPED BIT(0)

/* Time */
#define TIME_CONTROL 0x040
#define TIME_ACTIVE BIT(0)
#define TIME_COUNT BIT(1)
#define TIME_TYPE GENMASK(6, 4)
#define TIME_INTERNAL_BUS 2
#define TIME_INTERNAL_CORE 3
#define TIME_PRESCALE GENMASK(9, 8)
#define TIME_ENABLE BIT(15)
#define SIFIVE_TIME_MESSAGES (BIT(18) | BIT(19)) /* instrumentation, ownership */
#define SIFIVE_TIME_DIFFERENCE BIT(20)
#define TIME_WIDTH GENMASK(31, 24)
#define SIFIVE_TIME_LOWER 0x044
#define STANDARD_TIME_LOWER 0x048

/* Encoder */
#define STANDARD_FEATURES 0x008
#define STANDARD_SOURCE_BITS GENMASK(31, 28)
#define SIFIVE_ITC_ENABLE 0x060
#define SIFIVE_STIMULUS 0x080
#define VENDOR_INSTRUMENTATION 0xe00
#define VENDOR_ITC_ENABLE 0xe04
#define VENDOR_STIMULUS 0xe80

/* RAM sink of the standard */
#define RAM_MODE_MEMORY BIT(4)
#define RAM_STOP_ON_WRAP BIT(8)
#define RAM_START 0x010
#define RAM_START_HIGH 0x014
#define RAM_LIMIT 0x018
#define RAM_LIMIT_HIGH 0x01c
#define RAM_WP 0x020
#define RAM_WP_HIGH 0x024
#define RAM_RP 0x028
#define RAM_DATA 0x040
#define RAM_IMPL_SRAM BIT(12)
#define RAM_IMPL_MEMORY BIT(13)
#define RAM_STATUS 0xe00 /* vendor's; bit 0: the bus has refused a write */
#define RAM_WORDS 0xe04	 /* vendor's */
#define RAM_WORD_BYTES 0xe08

#endif

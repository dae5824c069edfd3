/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * What a program asks of /dev/trace-perf. A file that is opened has no hart at first. It claims
 * harts, whose stimuli it may then map, and reads what their trace has recorded. All harts of one
 * file share a sink, and no other file has a hart of that sink meanwhile. Closing the file stops
 * the encoders and frees the buffer.
 *
 * mmap: one page at offset page size * CPU, shared, for reading and writing. It has the stimuli and
 * the time of that hart's encoder, and no address.
 * read: what was recorded up to the last read at position 0, oldest byte first. Recording goes on
 * or stands still as before. A claim that is refused changes nothing; one of the only hart that the
 * file has begins again.
 */
#ifndef TRACE_PERF_H
#define TRACE_PERF_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define TRACE_PERF_VERSION 1

struct trace_perf_info {
	__u32 cpu;	/* in */
	__u32 version;	/* TRACE_PERF_VERSION */
	__u64 encoder;	/* physical address, to compare with */
	__u64 funnel;	/* of the funnel that the encoder sends to; 0: none */
	__u64 clock_hz; /* of the time, before the prescaler */
	__u32 cpus;	/* that have an encoder */
	__u32 funnels;
	__u32 sram_bytes;     /* of the sink; 0: it has none */
	__u32 memory_bytes;   /* of a buffer in memory, at most; 0: the sink has no way there */
	__u32 word_bytes;     /* of the sink: buffers are whole words */
	__u32 source_bits;    /* of SRC in messages */
	__u32 time_bits;      /* 0: no timestamps */
	__u32 differences;    /* relative timestamps are differences, not XOR */
	__u32 stimulus_place; /* in the page: stimulus n is 4 n bytes behind */
	__u32 time_place;     /* in the page: lower half, and 4 bytes behind the upper one */
};

/* Flags of a claim. */
#define TRACE_PERF_WRAP 1 /* the newest is kept; else recording stops where the buffer is full */

struct trace_perf_claim {
	__u32 cpu;
	__u32 bytes;   /* of a buffer in memory; 0: the SRAM */
	__u32 stimuli; /* bit n: stimulus n sends messages */
	__u32 flags;
};

/* Of the sink. */
#define TRACE_PERF_FULL 1	 /* recording has stopped: the buffer is full */
#define TRACE_PERF_OVERWRITTEN 2 /* the oldest is gone, and the first message may be cut */
#define TRACE_PERF_REFUSED 4	 /* the bus has refused a write of the sink */

struct trace_perf_status {
	__u32 flags;
	__u32 bytes;	/* that a read would give */
	__u32 prescale; /* cycles of the clock in a tick of the time */
	__u32 reserved;
};

#define TRACE_PERF_INFO _IOWR('P', 0xe0, struct trace_perf_info)
#define TRACE_PERF_CLAIM _IOW('P', 0xe1, struct trace_perf_claim)
#define TRACE_PERF_STATUS _IOR('P', 0xe2, struct trace_perf_status)

#endif

// SPDX-License-Identifier: GPL-2.0-only
/*
 * One opened file: the harts that it has claimed, their sink, what was recorded. One lock for all
 * of them, since harts share funnels and sinks.
 */
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "pes_trace.h"

#define MOST_BYTES (4U << 20) /* what the page allocator gives in one piece */
#define MOST_UNITS_OF_WAY 4

static unsigned int buffer_limit = MOST_BYTES;
module_param(buffer_limit, uint, 0444);
MODULE_PARM_DESC(buffer_limit, "bytes of a buffer in memory, at most 4 MiB");

struct pes_session {
	cpumask_t harts;
	struct pes_unit *sink; /* NULL: no hart is claimed */
	struct pes_buffer buffer;
	void *memory;
	u32 requested;
	bool wrap;
	struct address_space *mapping; /* of the device: who has mapped what */
	struct pes_filling filling;    /* when it was last looked at */
	u32 bytes;		       /* recorded then */
	struct mutex reading;	       /* of the next two */
	void *copy;		       /* of what a reader began to read */
	u32 copied;
};

/* Taken under the lock of an address space (mmap, faults), so nothing is copied to one under it. */
static DEFINE_MUTEX(pes_lock);

u32 pes_session_limit(void)
{
	return min(buffer_limit, MOST_BYTES);
}

int pes_session_open(struct pes_session **session, struct address_space *mapping)
{
	*session = kzalloc(sizeof **session, GFP_KERNEL);
	if (!*session)
		return -ENOMEM;
	(*session)->mapping = mapping;
	mutex_init(&(*session)->reading);
	return 0;
}

/* --- Claiming */

static void free_buffer(struct pes_session *session)
{
	if (session->memory)
		free_pages_exact(session->memory, session->buffer.bytes);
	session->memory = NULL;
	session->buffer = (struct pes_buffer){ 0 };
}

/* Nothing is written to the buffer behind this. */
static void stop_harts(struct pes_session *session)
{
	unsigned cpu;

	for_each_cpu(cpu, &session->harts) {
		struct pes_unit *unit = pes_harts[cpu].encoder;

		for (; unit; unit = unit->next)
			pes_unit_hold(unit);
	}
	session->sink = NULL;
	session->bytes = 0;
	free_buffer(session);
}

/* Others may have the harts from here on, so nobody keeps their pages. */
static void release_harts(struct pes_session *session)
{
	unsigned cpu;

	stop_harts(session);
	for_each_cpu(cpu, &session->harts) {
		unmap_mapping_range(session->mapping, (loff_t)cpu << PAGE_SHIFT, PAGE_SIZE, 1);
		pes_harts[cpu].owner = NULL;
	}
	cpumask_clear(&session->harts);
}

void pes_session_close(struct pes_session *session)
{
	mutex_lock(&pes_lock);
	release_harts(session);
	mutex_unlock(&pes_lock);
	kvfree(session->copy);
	kfree(session);
}

/* Whether the sink has such a buffer: said before anything is changed. */
static int check_buffer(struct pes_unit *sink, u32 requested)
{
	if (requested == 0)
		return sink->sram_bytes ? 0 : -EOPNOTSUPP;
	if (!pes_unit_has_memory(sink))
		return -EOPNOTSUPP;
	if (requested < pes_unit_word_bytes(sink))
		return -EINVAL;
	return requested > pes_session_limit() ? -E2BIG : 0;
}

static void *make_buffer(struct pes_unit *sink, u32 requested, struct pes_buffer *buffer)
{
	u32 word = pes_unit_word_bytes(sink);
	u32 bytes = requested / word * word;
	/* A power of two of pages, so it crosses no line of 4 GiB. */
	void *memory = alloc_pages_exact(bytes, GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN);

	buffer->base = memory ? virt_to_phys(memory) : 0;
	buffer->bytes = bytes;
	return memory;
}

static bool sink_is_taken(const struct pes_session *session, const struct pes_unit *sink)
{
	unsigned cpu;

	for (cpu = 0; cpu < NR_CPUS; ++cpu) {
		const struct pes_hart *hart = &pes_harts[cpu];

		if (hart->owner && hart->owner != session && hart->sink == sink)
			return true;
	}
	return false;
}

static bool is_in_use(const struct pes_session *session, const struct pes_unit *unit)
{
	unsigned cpu;

	for_each_cpu(cpu, &session->harts) {
		const struct pes_unit *other = pes_harts[cpu].encoder;

		for (; other; other = other->next) {
			if (other == unit)
				return true;
		}
	}
	return false;
}

static int open_unit(struct pes_session *session, struct pes_unit *unit)
{
	int error = pes_unit_reset(unit);

	if (error)
		return error;
	if (unit == pes_clock)
		pes_unit_start_time(unit);
	if (unit == session->sink)
		pes_unit_set_buffer(unit, &session->buffer);
	if (unit == session->sink && unit->standard)
		pes_unit_enable_sink(unit, session->memory, session->wrap);
	else
		pes_unit_enable_funnel(unit, session->wrap);
	return 0;
}

/*
 * Everything behind the encoder that no other hart has opened; the last unit first, so that each
 * finds its way open.
 */
static int open_way(struct pes_session *session, const struct pes_hart *hart)
{
	struct pes_unit *way[MOST_UNITS_OF_WAY], *unit;
	unsigned count = 0;
	int error = 0;

	for (unit = hart->encoder; unit && count < MOST_UNITS_OF_WAY; unit = unit->next)
		way[count++] = unit;
	while (!error && count-- > 1) {
		if (!is_in_use(session, way[count]))
			error = open_unit(session, way[count]);
	}
	return error;
}

static int start_encoder(struct pes_session *session, struct pes_hart *hart, u32 stimuli)
{
	struct pes_unit *encoder = hart->encoder;
	int error = pes_unit_reset(encoder);

	if (error)
		return error;
	if (encoder == hart->sink)
		pes_unit_set_buffer(encoder, &session->buffer);
	pes_unit_start_time(encoder);
	pes_unit_enable_encoder(encoder, stimuli, session->wrap);
	return 0;
}

/* The harts of a file share its sink. */
static int fits(const struct pes_session *session, const struct pes_hart *hart,
		const struct trace_perf_claim *claim)
{
	return session->sink == hart->sink && session->requested == claim->bytes &&
	       session->wrap == !!(claim->flags & TRACE_PERF_WRAP);
}

/* A second claim of the only hart begins again. */
static bool begins_again(const struct pes_session *session, const struct pes_hart *hart)
{
	return hart->owner == session && cpumask_weight(&session->harts) == 1;
}

static int check_claim(const struct pes_session *session, const struct pes_hart *hart,
		       const struct trace_perf_claim *claim)
{
	if (hart->owner && hart->owner != session)
		return -EBUSY;
	if (sink_is_taken(session, hart->sink))
		return -EBUSY;
	if (session->sink && !begins_again(session, hart) && !fits(session, hart, claim))
		return -EINVAL;
	return check_buffer(hart->sink, claim->bytes);
}

/* With the buffer at hand that nothing can refuse any more; the one before is given up. */
static int open_sink(struct pes_session *session, const struct pes_hart *hart,
		     const struct trace_perf_claim *claim)
{
	struct pes_buffer buffer = { .bytes = hart->sink->sram_bytes };
	void *memory = NULL;
	int error;

	if (!session->sink) { /* in reset: the size of its words is told out of it */
		error = pes_unit_reset(hart->sink);
		if (error)
			return error;
	}
	if (claim->bytes != 0) {
		memory = make_buffer(hart->sink, claim->bytes, &buffer);
		if (!memory)
			return -ENOMEM;
	}
	if (session->sink)
		stop_harts(session);
	cpumask_clear(&session->harts); /* its way is closed; the hart keeps its owner */
	session->memory = memory;
	session->buffer = buffer;
	session->sink = hart->sink;
	session->requested = claim->bytes;
	session->wrap = claim->flags & TRACE_PERF_WRAP;
	return 0;
}

static int claim_hart(struct pes_session *session, struct pes_hart *hart,
		      const struct trace_perf_claim *claim)
{
	int error = check_claim(session, hart, claim);

	if (!error && (!session->sink || begins_again(session, hart)))
		error = open_sink(session, hart, claim);
	if (error)
		return error;
	error = open_way(session, hart);
	if (!error)
		error = start_encoder(session, hart, claim->stimuli);
	if (error && !cpumask_empty(&session->harts))
		return error;
	cpumask_set_cpu(hart - pes_harts, &session->harts);
	hart->owner = session;
	if (error)
		release_harts(session);
	return error;
}

int pes_session_claim(struct pes_session *session, const struct trace_perf_claim *claim)
{
	int error;

	if (claim->flags & ~TRACE_PERF_WRAP || claim->stimuli == 0)
		return -EINVAL;
	if (claim->cpu >= nr_cpu_ids || !pes_harts[claim->cpu].encoder)
		return -ENXIO;
	mutex_lock(&pes_lock);
	error = claim_hart(session, &pes_harts[claim->cpu], claim);
	mutex_unlock(&pes_lock);
	return error;
}

static bool has_hart(const struct pes_session *session, unsigned long cpu)
{
	return cpu < nr_cpu_ids && cpumask_test_cpu(cpu, &session->harts);
}

bool pes_session_has(struct pes_session *session, unsigned long cpu)
{
	bool has;

	mutex_lock(&pes_lock);
	has = has_hart(session, cpu);
	mutex_unlock(&pes_lock);
	return has;
}

/* release_harts() takes the page away again. */
vm_fault_t pes_session_fault(struct pes_session *session, struct vm_fault *fault)
{
	unsigned long cpu = fault->vma->vm_pgoff;
	vm_fault_t result = VM_FAULT_SIGBUS;

	mutex_lock(&pes_lock);
	if (has_hart(session, cpu))
		result = vmf_insert_pfn(fault->vma, fault->address,
					PHYS_PFN(pes_harts[cpu].stimuli));
	mutex_unlock(&pes_lock);
	return result;
}

/* --- What was recorded */

static struct pes_unit *way[NR_CPUS + MOST_UNITS_OF_WAY];

static unsigned add_to_way(unsigned count, struct pes_unit *unit)
{
	unsigned n;

	for (n = 0; n < count; ++n) {
		if (way[n] == unit)
			return count;
	}
	if (count == ARRAY_SIZE(way))
		return count;
	way[count] = unit;
	return count + 1;
}

/* Each unit once, though harts share some: encoders, funnels, sink. */
static unsigned find_way(struct pes_session *session)
{
	unsigned count = 0, hop, cpu;

	for (hop = 0; hop < MOST_UNITS_OF_WAY; ++hop) {
		for_each_cpu(cpu, &session->harts) {
			struct pes_unit *unit = pes_harts[cpu].encoder;
			unsigned n;

			for (n = 0; unit && n < hop; ++n)
				unit = unit->next;
			if (unit && (unit != session->sink || hop == 0))
				count = add_to_way(count, unit);
		}
	}
	return add_to_way(count, session->sink);
}

/* Messages on their way belong to what was recorded. The units end as they were. */
static void look(struct pes_session *session)
{
	unsigned count = find_way(session), n;

	for (n = 0; n < count; ++n)
		pes_unit_flush(way[n]);
	pes_unit_filling(session->sink, &session->buffer, &session->filling);
	session->bytes = session->filling.wrapped ? session->buffer.bytes : session->filling.pointer;
	while (n-- != 0)
		pes_unit_resume(way[n]);
	mb(); /* the sink's writes before reads of the buffer */
}

int pes_session_status(struct pes_session *session, struct trace_perf_status *status)
{
	struct pes_unit *clock;
	int error = 0;

	mutex_lock(&pes_lock);
	if (!session->sink) {
		error = -ENXIO;
	} else {
		look(session);
		clock = pes_clock ? pes_clock :
				    pes_harts[cpumask_first(&session->harts)].encoder;
		status->flags = (session->filling.full ? TRACE_PERF_FULL : 0) |
				(session->filling.overwritten ? TRACE_PERF_OVERWRITTEN : 0) |
				(session->filling.refused ? TRACE_PERF_REFUSED : 0);
		status->bytes = session->bytes;
		status->prescale = pes_unit_prescale(clock);
		status->reserved = 0;
	}
	mutex_unlock(&pes_lock);
	return error;
}

/* All that was recorded, oldest byte first. */
static void copy_recorded(struct pes_session *session, void *to)
{
	u32 size = session->buffer.bytes;
	u32 from = session->filling.wrapped ? session->filling.pointer : 0;
	u32 first = min(session->bytes, size - from);

	if (session->memory) {
		memcpy(to, session->memory + from, first);
		memcpy(to + first, session->memory, session->bytes - first);
	} else { /* both are whole words */
		pes_unit_read_sram(session->sink, from, to, first / 4);
		pes_unit_read_sram(session->sink, 0, to + first, (session->bytes - first) / 4);
	}
}

/* A reader has what there was when it began, whatever is recorded meanwhile. */
static int begin_reading(struct pes_session *session)
{
	int error = -ENXIO;

	kvfree(session->copy);
	session->copy = NULL;
	session->copied = 0;
	mutex_lock(&pes_lock);
	if (session->sink) {
		look(session);
		session->copy = kvmalloc(max(session->bytes, 1U), GFP_KERNEL);
		error = session->copy ? 0 : -ENOMEM;
	}
	if (!error) {
		copy_recorded(session, session->copy);
		session->copied = session->bytes;
	}
	mutex_unlock(&pes_lock);
	return error;
}

ssize_t pes_session_read(struct pes_session *session, char __user *to, size_t bytes, loff_t *from)
{
	ssize_t result;

	mutex_lock(&session->reading);
	result = *from == 0 ? begin_reading(session) : 0;
	if (result == 0 && *from >= 0 && *from < session->copied) {
		u32 part = min_t(u64, bytes, session->copied - *from);

		result = copy_to_user(to, session->copy + *from, part) ? -EFAULT : part;
		*from += max_t(ssize_t, result, 0);
	}
	mutex_unlock(&session->reading);
	return result;
}

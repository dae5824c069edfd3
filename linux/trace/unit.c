// SPDX-License-Identifier: GPL-2.0-only
/* Registers of the trace blocks, in SiFive's set and in the standard's. */
#include <linux/bitfield.h>
#include <linux/delay.h>

#include "pes_trace.h"
#include "registers.h"

static u32 get(struct pes_unit *unit, u32 offset)
{
	return readl(unit->base + offset);
}

static void put(struct pes_unit *unit, u32 offset, u32 value)
{
	writel(value, unit->base + offset);
}

/* A block that is there follows within a few cycles of its clock. */
static int wait_for(struct pes_unit *unit, u32 mask, u32 value)
{
	unsigned poll;

	for (poll = 0; poll < 10000; ++poll) {
		if ((get(unit, CONTROL) & mask) == value)
			return 0;
		udelay(1);
	}
	pr_err("pes_trace: the block at %pa does not answer\n", &unit->place);
	return -EIO;
}

int pes_unit_reset(struct pes_unit *unit)
{
	int error;

	put(unit, CONTROL, 0);
	error = wait_for(unit, CONTROL_ACTIVE, 0);
	if (error)
		return error;
	put(unit, CONTROL, CONTROL_ACTIVE);
	return wait_for(unit, CONTROL_ACTIVE, CONTROL_ACTIVE);
}

void pes_unit_hold(struct pes_unit *unit)
{
	put(unit, CONTROL, 0);
	wait_for(unit, CONTROL_ACTIVE, 0);
}

void pes_unit_start_time(struct pes_unit *unit)
{
	u32 kept = get(unit, TIME_CONTROL) & TIME_TYPE;
	u32 type, value = kept | TIME_ACTIVE | TIME_ENABLE;

	put(unit, TIME_CONTROL, kept); /* in reset */
	put(unit, TIME_CONTROL, kept | TIME_ACTIVE);
	type = FIELD_GET(TIME_TYPE, get(unit, TIME_CONTROL));
	if (type == 0)
		return;
	if (!unit->standard)
		value |= SIFIVE_TIME_MESSAGES;
	if (type == TIME_INTERNAL_BUS || type == TIME_INTERNAL_CORE)
		value |= TIME_COUNT;
	put(unit, TIME_CONTROL, value);
}

/* --- Sinks */

bool pes_unit_has_sram(struct pes_unit *sink)
{
	u32 bit = sink->standard ? RAM_IMPL_SRAM : BIT(SIFIVE_SRAM);

	return get(sink, IMPL) & bit;
}

bool pes_unit_has_memory(struct pes_unit *sink)
{
	u32 bit = sink->standard ? RAM_IMPL_MEMORY : BIT(SIFIVE_MEMORY);

	return get(sink, IMPL) & bit;
}

u32 pes_unit_word_bytes(struct pes_unit *sink)
{
	u32 bytes;

	if (!sink->standard)
		return 4U << FIELD_GET(SIFIVE_IMPL_WORD, get(sink, IMPL));
	bytes = get(sink, RAM_WORD_BYTES);
	return bytes ? bytes : 4;
}

static void select_sink(struct pes_unit *sink, bool memory)
{
	if (sink->standard)
		put(sink, CONTROL, CONTROL_ACTIVE | (memory ? RAM_MODE_MEMORY : 0));
	else
		put(sink, CONTROL,
		    CONTROL_ACTIVE |
			    FIELD_PREP(SIFIVE_SINK, memory ? SIFIVE_MEMORY : SIFIVE_SRAM));
}

/* SiFive's pointer keeps what addresses a word: the largest is that of the last one. */
void pes_unit_measure_sram(struct pes_unit *sink)
{
	if (!pes_unit_has_sram(sink) || pes_unit_reset(sink))
		return;
	select_sink(sink, false);
	if (sink->standard) {
		sink->sram_bytes = get(sink, RAM_LIMIT) + 4;
	} else {
		put(sink, SIFIVE_WP, ~0U);
		sink->sram_bytes = (get(sink, SIFIVE_WP) & ~3U) + pes_unit_word_bytes(sink);
	}
	pes_unit_hold(sink);
}

void pes_unit_set_buffer(struct pes_unit *sink, const struct pes_buffer *buffer)
{
	phys_addr_t last = buffer->base + buffer->bytes - pes_unit_word_bytes(sink);
	u32 low = lower_32_bits(buffer->base), high = upper_32_bits(buffer->base);
	bool memory = buffer->base != 0;

	select_sink(sink, memory);
	if (memory && sink->standard) {
		put(sink, RAM_START, low);
		put(sink, RAM_START_HIGH, high);
		put(sink, RAM_LIMIT, lower_32_bits(last));
		put(sink, RAM_LIMIT_HIGH, upper_32_bits(last));
		put(sink, RAM_WP_HIGH, high);
	} else if (memory) {
		put(sink, SIFIVE_BASE, low);
		put(sink, SIFIVE_BASE_HIGH, high);
		put(sink, SIFIVE_LIMIT, lower_32_bits(last));
	}
	put(sink, sink->standard ? RAM_WP : SIFIVE_WP, low); /* and the wrap flag is cleared */
}

void pes_unit_enable_sink(struct pes_unit *sink, bool memory, bool wrap)
{
	put(sink, CONTROL,
	    CONTROL_ACTIVE | CONTROL_ENABLE | (memory ? RAM_MODE_MEMORY : 0) |
		    (wrap ? 0 : RAM_STOP_ON_WRAP));
}

/* SiFive's sends to the next one, or has the sink that is selected. */
void pes_unit_enable_funnel(struct pes_unit *funnel, bool wrap)
{
	u32 sink = 0;

	if (!funnel->standard && funnel->next)
		sink = FIELD_PREP(SIFIVE_SINK, SIFIVE_FUNNEL);
	else if (!funnel->standard)
		sink = (get(funnel, CONTROL) & SIFIVE_SINK) | (wrap ? 0 : SIFIVE_STOP_ON_WRAP);
	put(funnel, CONTROL, CONTROL_ACTIVE | CONTROL_ENABLE | sink);
}

/* --- Encoder */

/*
 * No program trace. A circular buffer needs the whole time again and again, else its reader has
 * none once the first message is gone.
 */
void pes_unit_enable_encoder(struct pes_unit *encoder, u32 stimuli, bool wrap)
{
	u32 control = CONTROL_ACTIVE | CONTROL_ENABLE;

	if (encoder->standard) {
		put(encoder, VENDOR_ITC_ENABLE, stimuli);
		put(encoder, VENDOR_INSTRUMENTATION, 1);
		control |= wrap ? STANDARD_SYNC_OFTEN : 0;
	} else {
		u32 sink = get(encoder, CONTROL) & SIFIVE_SINK;

		if (encoder->next)
			sink = FIELD_PREP(SIFIVE_SINK, SIFIVE_FUNNEL);
		put(encoder, SIFIVE_ITC_ENABLE, stimuli);
		control |= sink | SIFIVE_INSTRUMENTATION |
			   (wrap ? SIFIVE_SYNC_OFTEN : SIFIVE_SYNC_NEVER | SIFIVE_STOP_ON_WRAP);
	}
	put(encoder, CONTROL, control);
	put(encoder, CONTROL, control | CONTROL_TRACING);
}

u32 pes_unit_source_bits(struct pes_unit *encoder)
{
	return encoder->standard ?
		       FIELD_GET(STANDARD_SOURCE_BITS, get(encoder, STANDARD_FEATURES)) :
		       FIELD_GET(SIFIVE_IMPL_SOURCE_BITS, get(encoder, IMPL));
}

u32 pes_unit_time_bits(struct pes_unit *unit)
{
	u32 control = get(unit, TIME_CONTROL);

	return FIELD_GET(TIME_TYPE, control) ? FIELD_GET(TIME_WIDTH, control) : 0;
}

u32 pes_unit_prescale(struct pes_unit *unit)
{
	return 1U << (2 * FIELD_GET(TIME_PRESCALE, get(unit, TIME_CONTROL)));
}

bool pes_unit_differences(struct pes_unit *encoder)
{
	if (encoder->standard)
		return FIELD_GET(STANDARD_FORMAT, get(encoder, CONTROL)) == STANDARD_FORMAT_NTRACE;
	return get(encoder, TIME_CONTROL) & SIFIVE_TIME_DIFFERENCE;
}

u32 pes_unit_stimulus_place(struct pes_unit *encoder)
{
	return encoder->standard ? VENDOR_STIMULUS : SIFIVE_STIMULUS;
}

u32 pes_unit_time_place(struct pes_unit *encoder)
{
	return encoder->standard ? STANDARD_TIME_LOWER : SIFIVE_TIME_LOWER;
}

/* --- What was recorded */

static u32 stops_on_wrap(struct pes_unit *unit)
{
	if (!unit->standard)
		return SIFIVE_STOP_ON_WRAP;
	return unit->type == IMPL_RAM_SINK ? RAM_STOP_ON_WRAP : 0;
}

static bool is_wrapped(struct pes_unit *sink)
{
	return get(sink, sink->standard ? RAM_WP : SIFIVE_WP) & WP_WRAPPED;
}

int pes_unit_flush(struct pes_unit *unit)
{
	u32 control = get(unit, CONTROL) & ~(CONTROL_EMPTY | CONTROL_OVERFLOW | SIFIVE_SINK_ERROR);
	bool stops = control & stops_on_wrap(unit);
	bool wrapped = stops && is_wrapped(unit);
	int error;

	put(unit, CONTROL, control & ~CONTROL_ENABLE);
	error = wait_for(unit, CONTROL_EMPTY, CONTROL_EMPTY);
	if (stops && is_wrapped(unit) != wrapped)
		control &= ~CONTROL_ENABLE; /* the rest has filled the buffer */
	unit->before = control;
	return error;
}

void pes_unit_resume(struct pes_unit *unit)
{
	put(unit, CONTROL, unit->before);
}

void pes_unit_filling(struct pes_unit *sink, const struct pes_buffer *buffer,
		      struct pes_filling *filling)
{
	u32 pointer = get(sink, sink->standard ? RAM_WP : SIFIVE_WP);
	u32 words = get(sink, sink->standard ? RAM_WORDS : SIFIVE_WORDS);
	u32 control = get(sink, CONTROL);

	filling->wrapped = pointer & WP_WRAPPED;
	filling->pointer = (pointer & ~3U) - lower_32_bits(buffer->base);
	filling->overwritten = filling->wrapped && words != buffer->bytes / pes_unit_word_bytes(sink);
	filling->full = filling->wrapped && (control & stops_on_wrap(sink)) &&
			!(sink->before & CONTROL_ENABLE);
	filling->refused = sink->standard ? get(sink, RAM_STATUS) & 1 : control & SIFIVE_SINK_ERROR;
}

void pes_unit_read_sram(struct pes_unit *sink, u32 offset, u32 *words, u32 count)
{
	put(sink, sink->standard ? RAM_RP : SIFIVE_RP, offset);
	while (count-- != 0)
		*words++ = get(sink, sink->standard ? RAM_DATA : SIFIVE_DATA);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The events, as the node riscv,pmu of the device tree has them, and what perf reads of the PMU in
 * /sys/bus/event_source/devices/pes.
 */
#include <linux/of.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "csr.h"
#include "pes_pmu.h"

struct named_event {
	u32 number; /* of the SBI's PMU extension */
	const char *name;
};

static const struct named_event names[] = {
	{0x00001, "cycles"},
	{0x00002, "instructions"},
	{0x00003, "cache-references"},
	{0x00004, "cache-misses"},
	{0x00005, "branches"},
	{0x00006, "branch-misses"},
	{0x00007, "bus-cycles"},
	{0x00008, "stalled-cycles-frontend"},
	{0x00009, "stalled-cycles-backend"},
	{0x10000, "loads"},
	{0x10001, "load-misses"},
	{0x10002, "stores"},
	{0x10003, "store-misses"},
	{0x10008, "fetches"},
	{0x10009, "fetch-misses"},
	{0x10019, "dtlb-load-misses"},
	{0x1001b, "dtlb-store-misses"},
	{0x10021, "itlb-misses"},
};

/* A row of riscv,event-to-mhpmevent, ..-mhpmcounters, riscv,raw-event-to-mhpmcounters. */
struct selector_row {
	u32 event;
	u64 selector;
};

struct range_row {
	u32 first, last, counters;
};

struct raw_row {
	u64 select, mask;
	u32 counters;
};

static struct {
	struct selector_row *selectors;
	struct range_row *ranges;
	struct raw_row *raws;
	int selector_count, range_count, raw_count;
	struct perf_pmu_events_attr *named;
	struct attribute **attributes;
} tree;

static u64 wide(const u32 *cells)
{
	return (u64)cells[0] << 32 | cells[1];
}

/* The cells of a property, and how many rows they are. */
static u32 *read_rows(struct device_node *node, const char *name, int cells, int *rows)
{
	int count = of_property_count_u32_elems(node, name);
	u32 *all;

	*rows = 0;
	if (count < cells)
		return NULL;
	all = kcalloc(count, sizeof(*all), GFP_KERNEL);
	if (!all || of_property_read_u32_array(node, name, all, count) != 0)
		return all;
	*rows = count / cells;
	return all;
}

static int read_selectors(struct device_node *node)
{
	u32 *cells = read_rows(node, "riscv,event-to-mhpmevent", 3, &tree.selector_count);
	int i;

	tree.selectors = kcalloc(tree.selector_count + 1, sizeof(*tree.selectors), GFP_KERNEL);
	for (i = 0; tree.selectors && i < tree.selector_count; ++i)
		tree.selectors[i] = (struct selector_row){cells[3 * i], wide(cells + 3 * i + 1)};
	kfree(cells);
	return tree.selectors ? 0 : -ENOMEM;
}

static int read_ranges(struct device_node *node)
{
	u32 *cells = read_rows(node, "riscv,event-to-mhpmcounters", 3, &tree.range_count);
	int i;

	tree.ranges = kcalloc(tree.range_count + 1, sizeof(*tree.ranges), GFP_KERNEL);
	for (i = 0; tree.ranges && i < tree.range_count; ++i)
		tree.ranges[i] =
			(struct range_row){cells[3 * i], cells[3 * i + 1], cells[3 * i + 2]};
	kfree(cells);
	return tree.ranges ? 0 : -ENOMEM;
}

static int read_raws(struct device_node *node)
{
	u32 *cells = read_rows(node, "riscv,raw-event-to-mhpmcounters", 5, &tree.raw_count);
	int i;

	tree.raws = kcalloc(tree.raw_count + 1, sizeof(*tree.raws), GFP_KERNEL);
	for (i = 0; tree.raws && i < tree.raw_count; ++i)
		tree.raws[i] = (struct raw_row){wide(cells + 5 * i), wide(cells + 5 * i + 2),
						cells[5 * i + 4]};
	kfree(cells);
	return tree.raws ? 0 : -ENOMEM;
}

u32 pes_event_counters(u64 selector)
{
	u32 counters = 0;
	int i, j;

	if (tree.selector_count == 0 && tree.raw_count == 0)
		return pes_hart.counters; /* a tree that says nothing */
	for (i = 0; i < tree.raw_count; ++i) {
		if ((selector & tree.raws[i].mask) == tree.raws[i].select)
			counters |= tree.raws[i].counters;
	}
	for (i = 0; i < tree.selector_count; ++i) {
		if (tree.selectors[i].selector != selector)
			continue;
		for (j = 0; j < tree.range_count; ++j) {
			if (tree.selectors[i].event >= tree.ranges[j].first &&
			    tree.selectors[i].event <= tree.ranges[j].last)
				counters |= tree.ranges[j].counters;
		}
	}
	return counters & pes_hart.counters;
}

PMU_FORMAT_ATTR(event, "config:0-55");

static struct attribute *format_attributes[] = {
	&format_attr_event.attr,
	NULL,
};

static const struct attribute_group format_group = {
	.name = "format",
	.attrs = format_attributes,
};

static struct attribute_group events_group = {
	.name = "events",
};

static ssize_t max_precise_show(struct device *device, struct device_attribute *attribute,
				char *buffer)
{
	return sysfs_emit(buffer, "%d\n", pes_hart.skidless ? 2 : pes_hart.cause ? 1 : 0);
}
static DEVICE_ATTR_RO(max_precise);

static ssize_t branches_show(struct device *device, struct device_attribute *attribute,
			     char *buffer)
{
	return sysfs_emit(buffer, "%u\n", pes_hart.depth);
}
static DEVICE_ATTR_RO(branches);

static struct attribute *caps_attributes[] = {
	&dev_attr_max_precise.attr,
	&dev_attr_branches.attr,
	NULL,
};

static const struct attribute_group caps_group = {
	.name = "caps",
	.attrs = caps_attributes,
};

const struct attribute_group *pes_attribute_groups[] = {
	&format_group,
	&events_group,
	&caps_group,
	NULL,
};

static ssize_t named_show(struct device *device, struct device_attribute *attribute, char *buffer)
{
	struct perf_pmu_events_attr *event =
		container_of(attribute, struct perf_pmu_events_attr, attr);

	return sysfs_emit(buffer, "event=0x%llx\n", event->id);
}

static const struct selector_row *row_of(u32 event)
{
	int i;

	for (i = 0; i < tree.selector_count; ++i) {
		if (tree.selectors[i].event == event)
			return &tree.selectors[i];
	}
	return NULL;
}

static int name_events(void)
{
	int i, count = 0;

	tree.named = kcalloc(ARRAY_SIZE(names), sizeof(*tree.named), GFP_KERNEL);
	tree.attributes = kcalloc(ARRAY_SIZE(names) + 1, sizeof(*tree.attributes), GFP_KERNEL);
	if (!tree.named || !tree.attributes)
		return -ENOMEM;
	for (i = 0; i < ARRAY_SIZE(names); ++i) {
		const struct selector_row *row = row_of(names[i].number);
		struct perf_pmu_events_attr *event = &tree.named[count];

		if (!row || pes_event_counters(row->selector) == 0)
			continue;
		sysfs_attr_init(&event->attr.attr);
		event->attr.attr.name = names[i].name;
		event->attr.attr.mode = 0444;
		event->attr.show = named_show;
		event->id = row->selector;
		tree.attributes[count++] = &event->attr.attr;
	}
	events_group.attrs = tree.attributes;
	return 0;
}

int pes_events_find(void)
{
	struct device_node *node = of_find_compatible_node(NULL, NULL, "riscv,pmu");
	int error = read_selectors(node);

	if (error == 0)
		error = read_ranges(node);
	if (error == 0)
		error = read_raws(node);
	of_node_put(node);
	return error == 0 ? name_events() : error;
}

void pes_events_forget(void)
{
	kfree(tree.selectors);
	kfree(tree.ranges);
	kfree(tree.raws);
	kfree(tree.named);
	kfree(tree.attributes);
}

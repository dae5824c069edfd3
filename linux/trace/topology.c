// SPDX-License-Identifier: GPL-2.0-only
/* Encoders, funnels and sinks of the device tree, and who sends to whom. */
#include <linux/bitfield.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/of_address.h>
#include <linux/of_graph.h>
#include <linux/slab.h>

#include "pes_trace.h"
#include "registers.h"

#define MOST_UNITS 64
#define MOST_HOPS 3 /* encoder, two funnels, sink */

struct pes_hart pes_harts[NR_CPUS];
struct pes_unit *pes_clock;
u32 pes_hart_count, pes_funnel_count;

static struct pes_unit units[MOST_UNITS];
static struct device_node *nodes[MOST_UNITS];
static unsigned unit_count;

static const char *const component_names[] = { "riscv,trace-component", "pes-vp,trace-encoder",
					       "pes-vp,trace-funnel" };

static void find_type(struct pes_unit *unit, struct device_node *node)
{
	u32 impl = readl(unit->base + IMPL);

	unit->standard = FIELD_GET(IMPL_VERSION, impl) != 0;
	if (unit->standard)
		unit->type = FIELD_GET(IMPL_TYPE, impl);
	else
		unit->type = of_device_is_compatible(node, "pes-vp,trace-funnel") ? IMPL_FUNNEL :
										    IMPL_ENCODER;
}

static int add_unit(struct device_node *node)
{
	struct pes_unit *unit = &units[unit_count];
	struct resource range;
	int error;

	if (unit_count == MOST_UNITS)
		return -E2BIG;
	error = of_address_to_resource(node, 0, &range);
	if (error)
		return error;
	unit->place = range.start;
	unit->base = ioremap(range.start, UNIT_BYTES);
	if (!unit->base)
		return -ENOMEM;
	nodes[unit_count++] = of_node_get(node);
	/* In reset a block of the standard says what it is, too. */
	writel(CONTROL_ACTIVE, unit->base + CONTROL);
	find_type(unit, node);
	return 0;
}

static struct pes_unit *unit_of(struct device_node *node)
{
	unsigned n;

	for (n = 0; n < unit_count; ++n) {
		if (nodes[n] == node)
			return &units[n];
	}
	return NULL;
}

/* The unit behind the first output. */
static struct pes_unit *next_of(struct device_node *node)
{
	struct device_node *ports = of_get_child_by_name(node, "out-ports");
	struct device_node *end, *remote;
	struct pes_unit *next = NULL;

	if (!ports)
		return NULL;
	end = of_graph_get_next_endpoint(ports, NULL);
	remote = end ? of_graph_get_remote_port_parent(end) : NULL;
	if (remote)
		next = unit_of(remote);
	of_node_put(remote);
	of_node_put(end);
	of_node_put(ports);
	return next;
}

static int cpu_of(struct device_node *node)
{
	struct device_node *cpu = of_parse_phandle(node, "cpus", 0);
	int number = cpu ? of_cpu_node_to_id(cpu) : -ENODEV;

	of_node_put(cpu);
	return number;
}

static struct pes_unit *sink_of(struct pes_unit *unit)
{
	unsigned hop;

	for (hop = 0; unit->next && hop < MOST_HOPS; ++hop)
		unit = unit->next;
	/* The standard's encoders and funnels have no sink of their own. */
	return unit->standard && unit->type != IMPL_RAM_SINK ? NULL : unit;
}

static void take_encoder(struct pes_unit *unit, struct device_node *node)
{
	int cpu = cpu_of(node);
	struct pes_unit *sink = sink_of(unit);

	if (cpu < 0 || cpu >= NR_CPUS || !sink)
		return;
	pes_harts[cpu].encoder = unit;
	pes_harts[cpu].sink = sink;
	pes_unit_measure_sram(sink);
}

static void take_stimuli(void)
{
	struct device_node *node;

	for_each_compatible_node(node, NULL, "pes-vp,trace-stimuli") {
		struct resource range;
		int cpu = cpu_of(node);

		if (cpu < 0 || cpu >= NR_CPUS || of_address_to_resource(node, 0, &range))
			continue;
		pes_harts[cpu].stimuli = range.start;
		of_property_read_u32(node, "clock-frequency", &pes_harts[cpu].clock_hz);
	}
}

static int add_all(void)
{
	unsigned name;
	int error = 0;

	for (name = 0; name < ARRAY_SIZE(component_names); ++name) {
		struct device_node *node;

		for_each_compatible_node(node, NULL, component_names[name]) {
			error = add_unit(node);
			if (error) {
				of_node_put(node);
				return error;
			}
		}
	}
	return 0;
}

int pes_topology_find(void)
{
	unsigned n;
	int error = add_all();

	if (error) {
		pes_topology_forget();
		return error;
	}
	for (n = 0; n < unit_count; ++n)
		units[n].next = next_of(nodes[n]);
	for (n = 0; n < unit_count; ++n) {
		if (units[n].type == IMPL_ENCODER) {
			take_encoder(&units[n], nodes[n]);
		} else if (units[n].type == IMPL_FUNNEL) {
			++pes_funnel_count;
			/* The time of the last funnel of a way is that of all. */
			if (!units[n].next || units[n].next->type != IMPL_FUNNEL)
				pes_clock = &units[n];
		}
	}
	take_stimuli();
	for (n = 0; n < NR_CPUS; ++n) {
		/* Without the page nothing could be given to a program that has no addresses. */
		if (pes_harts[n].encoder && pes_harts[n].stimuli)
			++pes_hart_count;
		else
			pes_harts[n].encoder = NULL;
	}
	if (pes_hart_count == 0) {
		pr_err("pes_trace: the device tree has no encoder with a page of stimuli\n");
		pes_topology_forget();
		return -ENODEV;
	}
	return 0;
}

void pes_topology_forget(void)
{
	while (unit_count != 0) {
		--unit_count;
		pes_unit_hold(&units[unit_count]);
		iounmap(units[unit_count].base);
		of_node_put(nodes[unit_count]);
	}
}

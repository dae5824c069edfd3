// SPDX-License-Identifier: Apache-2.0
// The sources of a PMU of libpfm4, with @words@ for what depends on the profile.
#pragma once

#include <string_view>

namespace pes::libpfm4 {

/// Table of events.
inline constexpr std::string_view kEvents = R"(/*
 * Events of the PMU profile @profile@.
 * Written by pes-vp pmu-events --format libpfm4.
 */
typedef struct {
	const char *name; /* event name */
	const char *desc; /* event description */
	uint64_t code;    /* selector, as mhpmevent has it */
} @pmu@_entry_t;

static const @pmu@_entry_t @pmu@_pe[] = {
@entries@};
)";

/// The PMU. Privilege levels are attributes of perf_event; the architecture has no others.
inline constexpr std::string_view kPmu = R"(/*
 * PMU of the profile @profile@.
 * Written by pes-vp pmu-events --format libpfm4.
 */
#include <sys/types.h>
#include <stdio.h>
#include <string.h>

#include "pfmlib_priv.h"
#include "pfmlib_perf_event_priv.h"
#include "events/@pmu@_events.h"

static const char core[] = @core@;

/* The kernel says which core this is in the line uarch of /proc/cpuinfo. */
static int
detect(void *this)
{
	char line[256];
	int ret = PFM_ERR_NOTSUPP;
	FILE *file = fopen("/proc/cpuinfo", "r");

	if (file == NULL)
		return PFM_ERR_NOTSUPP;
	while (ret != PFM_SUCCESS && fgets(line, sizeof(line), file) != NULL) {
		char *value = strchr(line, ':');

		if (strncmp(line, "uarch", 5) || value == NULL)
			continue;
		value += 1 + strspn(value + 1, " \t");
		value[strcspn(value, "\n")] = '\0';
		if (!strcmp(value, core))
			ret = PFM_SUCCESS;
	}
	fclose(file);
	return ret;
}

static int
encode(void *this, pfmlib_event_desc_t *e)
{
	const @pmu@_entry_t *pe = this_pe(this);

	e->codes[0] = pe[e->event].code;
	e->count = 1;
	evt_strcat(e->fstr, "%s", pe[e->event].name);
	return PFM_SUCCESS;
}

static int
event_first(void *this)
{
	return 0;
}

static int
event_next(void *this, int idx)
{
	return idx + 1 < ((pfmlib_pmu_t *)this)->pme_count ? idx + 1 : -1;
}

static int
event_is_valid(void *this, int idx)
{
	return idx >= 0 && idx < ((pfmlib_pmu_t *)this)->pme_count;
}

static unsigned int
event_nattrs(void *this, int idx)
{
	return 0;
}

static int
event_attr_info(void *this, int idx, int attr_idx, pfmlib_event_attr_info_t *info)
{
	return PFM_ERR_ATTR;
}

static int
event_info(void *this, int idx, pfm_event_info_t *info)
{
	const @pmu@_entry_t *pe = this_pe(this);

	info->name = pe[idx].name;
	info->desc = pe[idx].desc;
	info->code = pe[idx].code;
	info->equiv = NULL;
	info->idx = idx;
	info->pmu = ((pfmlib_pmu_t *)this)->pmu;
	info->is_precise = 0;
	info->support_hw_smpl = 0;
	info->nattrs = 0;
	return PFM_SUCCESS;
}

#ifdef CONFIG_PFMLIB_OS_LINUX
static int
perf_encode(void *this, pfmlib_event_desc_t *e)
{
	struct perf_event_attr *attr = e->os_data;
	int ret = encode(this, e);

	attr->type = PERF_TYPE_RAW;
	attr->config = e->codes[0];
	return ret;
}

/* The kernel's driver knows neither precise events nor samples of the hardware. */
static void
perf_validate_pattrs(void *this, pfmlib_event_desc_t *e)
{
	int i = 0;

	while (i < e->npattrs) {
		if (e->pattrs[i].ctrl == PFM_ATTR_CTRL_PERF_EVENT &&
		    (e->pattrs[i].idx == PERF_ATTR_PR || e->pattrs[i].idx == PERF_ATTR_HWS))
			pfmlib_compact_pattrs(e, i);
		else
			i++;
	}
}
#endif

pfmlib_pmu_t @pmu@_support = {
	.desc = "RISC-V @profile@",
	.name = "@pmu@",
	.pmu = PFM_PMU_@PMU@,
	.pme_count = LIBPFM_ARRAY_SIZE(@pmu@_pe),
	.type = PFM_PMU_TYPE_CORE,
	.supported_plm = PFM_PLM0 | PFM_PLM3,
	.pe = @pmu@_pe,
	.pmu_detect = detect,
	.max_encoding = 1,
	.num_cntrs = @counters@,
	.num_fixed_cntrs = 2, /* cycles and instructions */
	.get_event_encoding[PFM_OS_NONE] = encode,
	PFMLIB_ENCODE_PERF(perf_encode),
	PFMLIB_VALID_PERF_PATTRS(perf_validate_pattrs),
	.get_event_first = event_first,
	.get_event_next = event_next,
	.event_is_valid = event_is_valid,
	.get_event_info = event_info,
	.get_event_nattrs = event_nattrs,
	.get_event_attr_info = event_attr_info,
};
)";

/// Puts both into a libpfm4: its list of PMUs has no place that a file alone could add to.
inline constexpr std::string_view kRegister = R"(#!/bin/sh
# Written by pes-vp pmu-events --format libpfm4. Usage: sh register.sh LIBPFM4
# Adds the PMU @pmu@ to the sources of libpfm4 in this folder; once more, and its events are replaced.
set -eu
from=$(dirname "$0")
[ $# = 1 ] || { echo "usage: register.sh LIBPFM4" >&2; exit 2; }
[ -f "$1/include/perfmon/pfmlib.h" ] || { echo "register.sh: '$1' has no sources of libpfm4" >&2; exit 2; }
cp "$from/lib/pfmlib_@pmu@.c" "$1/lib/"
cp "$from/lib/events/@pmu@_events.h" "$1/lib/events/"

add() { # file, what it has then, sed command
    grep -qw "$2" "$1" || sed -i "$3" "$1"
    grep -qw "$2" "$1" || { echo "register.sh: found no place for $2 in $1" >&2; exit 1; }
}
add "$1/include/perfmon/pfmlib.h" PFM_PMU_@PMU@ \
    's|^[[:space:]]*PFM_PMU_MAX\>|\tPFM_PMU_@PMU@,\n&|'
add "$1/lib/pfmlib_priv.h" @pmu@_support \
    's|^extern pfmlib_os_t \*pfmlib_os;|extern pfmlib_pmu_t @pmu@_support;\n&|'
add "$1/lib/pfmlib_common.c" @pmu@_support \
    '/^static.*\*pfmlib_pmus\[\]/,/^};/s|^};|#ifdef __riscv\n\t\&@pmu@_support,\n#endif\n&|'
add "$1/lib/Makefile" pfmlib_@pmu@.c \
    's|^OBJS=|ifneq (,$(findstring riscv,$(ARCH)))\nSRCS += pfmlib_@pmu@.c\nendif\n&|'
)";

} // namespace pes::libpfm4

/*
 * WHAT: the host uses new memory in each step, and the kernel has to provide and clear each page of
 *   it at first use; the GPU has nothing to do meanwhile.
 * EVIDENCE: the GPU was idle between two calls of one thread that lie 100 us or more apart.
 *   Snapshots of the host's threads (table host_states) show the thread in that time running a line
 *   that is in the kernel for half of its time or more, with a page fault for each millisecond of
 *   that, or asleep in a call that maps or unmaps memory, at least four times at one line.
 * COST: the time in which the GPU was idle.
 * FALSE POSITIVES: what a line's system calls take counts as its faults' time. Where the kernel's time
 *   is unknown, a page fault takes what streamtrace run measured for a page of 4 KB, or 1.9 us. Only
 *   the faults' share of a line's time is removed.
 */
#include "detectors/host/host_parts.h"

static void find_page_faults(const struct observed *observed, struct instances *found)
{
	host_parts_find(observed, HOST_KIND_FAULTS, found);
}

static void describe_page_faults(const struct observed *observed, const struct instance *instance,
				 char *text, size_t size)
{
	host_parts_describe(observed, instance, "in page faults", text, size);
}

const struct detector detector_page_faults = {
	.id = "page-faults",
	.title = "Page faults in memory that is new in each step keep the GPU idle",
	.fix = "Allocate the memory once before the loop, and reuse it.",
	.cost = "GPU idle",
	.pointers = {DETAIL_POINTER(struct host_time, since)},
	.find = find_page_faults,
	.apply = host_parts_remove,
	.describe = describe_page_faults,
};

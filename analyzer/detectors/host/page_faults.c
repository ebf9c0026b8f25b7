/*
 * WHAT: the host uses new memory in each step, and the kernel has to provide and clear each page of
 *   it at first use; the GPU has nothing to do meanwhile.
 * EVIDENCE: the GPU was idle between two calls of one thread that lie 100 us or more apart.
 *   Snapshots of the host's threads (table host_states) show the thread in that time running a line
 *   whose page faults explain half of its time or more, or asleep in a call that maps or unmaps
 *   memory, at least four times at one line.
 * COST: the time in which the GPU was idle.
 * FALSE POSITIVES: a page fault of 4 KB takes the time that streamtrace run measured, or 1.9 us.
 *   Only the faults' share of a line's time is removed. Faults of large pages are fewer and
 *   longer: they count for less than they take.
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

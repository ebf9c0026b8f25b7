#include "life/placement.h"

#include "host/host.h"
#include "recorder/recorder.h"

#include <sched.h>
#include <string.h>

#define MOST_CPUS 8192 /* the most that Linux can be built for on x86 */

struct cpus {
	cpu_set_t sets[MOST_CPUS / CPU_SETSIZE];
};

static struct {
	struct cpus given, kept; /* what the writer was given, and what it keeps of them */
	struct cpus left;	 /* where calls were made at the last change */
	bool is_known;		 /* given and kept */
} placement;

/* Where threads make more calls than the writer has taken. True: some do on a processor that was not
 * left yet. */
static bool find_calls(struct cpus *busy)
{
	bool is_new = false;

	*busy = (struct cpus){0};
	for (struct ring *ring = recorder_rings(); ring; ring = ring->next) {
		const int cpu = atomic_load_explicit(&ring->processor, memory_order_relaxed);

		if (!ring_is_behind(ring) || cpu < 0 || cpu >= MOST_CPUS)
			continue;
		CPU_SET_S((size_t)cpu, sizeof(*busy), busy->sets);
		is_new |= !CPU_ISSET_S((size_t)cpu, sizeof(*busy), placement.left.sets);
	}
	return is_new;
}

static bool are_equal(const struct cpus *cpus, const struct cpus *others)
{
	return CPU_EQUAL_S(sizeof(*cpus), cpus->sets, others->sets);
}

/* False: unreadable. */
static bool read_given(void)
{
	struct cpus now = {0};

	if (sched_getaffinity(0, sizeof(now), now.sets))
		return false;
	/* Unless it is what we have set, somebody else has meanwhile. */
	if (!placement.is_known || !are_equal(&now, &placement.kept))
		placement.given = now;
	placement.kept = now;
	placement.is_known = true;
	return true;
}

static void keep_cpus(const struct cpus *cpus)
{
	if (are_equal(cpus, &placement.kept) || sched_setaffinity(0, sizeof(*cpus), cpus->sets))
		return;
	placement.kept = *cpus;
	host_place(sizeof(*cpus), cpus->sets);
}

void placement_follow_calls(void)
{
	struct cpus busy, kept;

	if (!find_calls(&busy))
		return;
	placement.left = busy;
	if (!read_given())
		return;
	/* Given and not busy. */
	CPU_AND_S(sizeof(kept), kept.sets, placement.given.sets, busy.sets);
	CPU_XOR_S(sizeof(kept), kept.sets, kept.sets, placement.given.sets);
	keep_cpus(CPU_COUNT_S(sizeof(kept), kept.sets) ? &kept : &placement.given);
}

void placement_end(void)
{
	if (placement.is_known && read_given())
		keep_cpus(&placement.given);
}

void placement_after_fork(void)
{
	memset(&placement, 0, sizeof(placement));
}

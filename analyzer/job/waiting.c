/* Who waited for whom, of merged collectives (job_collectives.h). */
#include "base/minmax.h"
#include "base/search.h"
#include "job/job_collectives.h"

#include <stdlib.h>

/* The first one that is not before the key. */
static size_t find_from(const struct job_collectives *collectives, uint64_t communicator,
			uint32_t sequence)
{
	const struct job_collective key = {.communicator = communicator, .sequence = sequence};

	return search(collectives->count, i, collectives_compare(&collectives->items[i], &key) < 0);
}

static const struct job_done *find_done(const struct job_collectives *collectives,
					uint64_t communicator)
{
	const struct job_done *done = collectives->done;
	size_t at = search(collectives->done_count, i, done[i].communicator < communicator);

	return at < collectives->done_count && done[at].communicator == communicator ? &done[at]
										     : NULL;
}

/* The shortest kernels of those that the member came to and not all ranks are known to have: the transfer took
 * that or less, and the member waited for that or more. */
static int64_t add_row(const struct job_collectives *collectives, const struct job_presence *row,
		       struct job_waiting *waiting)
{
	int64_t least_ns = 0;

	for (size_t i = find_from(collectives, row->communicator, row->first);
	     i < collectives->count && collectives->items[i].communicator == row->communicator &&
	     collectives->items[i].sequence <= row->last;
	     i++) {
		const struct job_collective *item = &collectives->items[i];

		if ((item->sequence - row->first) % row->step)
			continue;
		least_ns = collectives_add(least_ns, item->least_ns);
		waiting->seen++;
	}
	return least_ns;
}

/* To those that are done all ranks of the communicator came. */
static int64_t add_communicator(const struct job_collectives *collectives, uint64_t communicator,
				struct job_waiting *waiting)
{
	const struct job_done *done = find_done(collectives, communicator);

	if (!done)
		return 0;
	waiting->complete += done->count;
	waiting->seen += done->count;
	return done->least_ns;
}

struct job_waiting collectives_waiting(const struct job_collectives *collectives,
				       const struct job_presence *presences, size_t presence_count)
{
	struct job_waiting waiting = {0};
	int64_t kernels_ns = 0;

	for (size_t i = 0; i < presence_count; i++) {
		const struct job_presence *row = &presences[i];
		int64_t least_ns;

		if (!communicators_agree(&collectives->communicators, row->communicator))
			continue;
		least_ns = add_row(collectives, row, &waiting);
		if (!i || row[-1].communicator != row->communicator)
			least_ns = collectives_add(
				least_ns,
				add_communicator(collectives, row->communicator, &waiting));
		waiting.transfer_ns = collectives_add(waiting.transfer_ns, least_ns);
		kernels_ns = collectives_add(kernels_ns, row->sum_ns);
	}
	waiting.waited_ns = max_ns(kernels_ns - waiting.transfer_ns, 0);
	return waiting;
}

uint64_t collectives_complete(const struct job_collectives *collectives)
{
	uint64_t count = 0;

	for (size_t i = 0; i < collectives->done_count; i++)
		if (communicators_agree(&collectives->communicators,
					collectives->done[i].communicator))
			count += collectives->done[i].count;
	return count;
}

uint64_t collectives_seen(const struct job_collectives *collectives)
{
	uint64_t count = collectives_complete(collectives);

	for (size_t i = 0; i < collectives->count; i++)
		count += communicators_agree(&collectives->communicators,
					     collectives->items[i].communicator);
	return count;
}

static int compare_members(const void *left, const void *right)
{
	const struct job_straggler *a = left, *b = right;

	return (a->member > b->member) - (a->member < b->member);
}

/* Of each member its sums over communicators, by member; how many there are. */
static size_t add_up(struct job_straggler *stragglers, size_t count)
{
	size_t kept = 0;

	qsort(stragglers, count, sizeof(*stragglers), compare_members);
	for (size_t i = 0; i < count; i++) {
		struct job_straggler *last = kept ? &stragglers[kept - 1] : NULL;
		const struct job_straggler *more = &stragglers[i];

		if (!last || last->member != more->member) {
			stragglers[kept] = *more;
			stragglers[kept++].communicator = 0;
			continue;
		}
		last->last_count += more->last_count;
		last->late_ns = collectives_add(last->late_ns, more->late_ns);
		last->alone_ns = collectives_add(last->alone_ns, more->alone_ns);
		last->launch_ns = collectives_add(last->launch_ns, more->launch_ns);
	}
	return kept;
}

static int compare_costs(const void *left, const void *right)
{
	const struct job_straggler *a = left, *b = right;

	if (a->late_ns != b->late_ns)
		return a->late_ns < b->late_ns ? 1 : -1;
	return (a->member > b->member) - (a->member < b->member);
}

struct job_straggler *collectives_stragglers(const struct job_collectives *collectives,
					     size_t *count)
{
	struct job_straggler *stragglers =
		memory_array(collectives->late_count, sizeof(*stragglers));

	*count = 0;
	for (size_t i = 0; i < collectives->late_count; i++)
		if (communicators_agree(&collectives->communicators,
					collectives->late[i].communicator))
			stragglers[(*count)++] = collectives->late[i];
	if (!*count)
		return stragglers;
	*count = add_up(stragglers, *count);
	qsort(stragglers, *count, sizeof(*stragglers), compare_costs);
	return stragglers;
}

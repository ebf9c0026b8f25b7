#include "job/job_collectives.h"

#include "base/minmax.h"
#include "base/vector.h"

typedef VECTOR(struct job_collective) collective_vector;
typedef VECTOR(struct job_presence) presence_vector;

static int compare_keys(const void *a, const void *b)
{
	return collectives_compare(a, b);
}

static struct job_collective make_collective(const struct summary *summary,
					     const struct arrival *arrival, job_member_id member)
{
	const struct summary_communicator *communicator =
		&summary->communicators[arrival->communicator];
	bool is_late = arrival->call_ns > arrival->ready_ns;

	return (struct job_collective){
		.communicator = communicator->unique_id,
		.sequence = arrival->sequence,
		.operation = arrival->operation,
		.bytes = arrival->bytes,
		.ranks = communicator->ranks,
		.seen = 1,
		.least_ns = arrival->end_ns - arrival->start_ns,
		.second_ns = INT64_MAX,
		.sum_ns = arrival->end_ns - arrival->start_ns,
		.last = member,
		.launch_ns = is_late ? max_ns(arrival->start_ns - arrival->ready_ns, 0) : 0,
	};
}

/* Sorted items to rows of equal steps. A row of two may be the end of one and the start of another. */
static void add_presence(presence_vector *presences, const struct job_collective *item)
{
	struct job_presence *last =
		presences->count ? &presences->items[presences->count - 1] : NULL;

	if (last && last->communicator == item->communicator &&
	    (last->first == last->last || item->sequence - last->last == last->step)) {
		last->step = item->sequence - last->last;
		last->last = item->sequence;
		last->sum_ns = collectives_add(last->sum_ns, item->sum_ns);
		return;
	}
	*vector_add(presences) = (struct job_presence){item->communicator, item->sequence,
						       item->sequence, 1, item->sum_ns};
}

static bool is_sorted(const struct job_collective *items, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (collectives_compare(&items[i - 1], &items[i]) > 0)
			return false;
	return true;
}

/* Of sorted items. */
static struct job_communicators find_communicators(const struct job_collective *items, size_t count)
{
	VECTOR(struct job_communicator) found = {0};
	struct job_communicators communicators;

	for (size_t i = 0; i < count; i++) {
		const struct job_collective *item = &items[i];
		struct job_communicator *last = found.count ? &found.items[found.count - 1] : NULL;

		if (!last || last->unique_id != item->communicator) {
			*vector_add(&found) = (struct job_communicator){
				item->communicator, item->ranks, item->ranks, 1};
			continue;
		}
		last->least_ranks =
			item->ranks < last->least_ranks ? item->ranks : last->least_ranks;
		last->most_ranks = item->ranks > last->most_ranks ? item->ranks : last->most_ranks;
	}
	vector_move(&found, communicators.items, communicators.count);
	return communicators;
}

/* Whether it can be matched with that of other processes. */
static bool is_shared(const struct summary_communicator *communicator)
{
	return communicator->unique_id && communicator->ranks > 1;
}

struct job_collectives collectives_of(const struct summary *summary, job_member_id member,
				      struct job_presence **presences, size_t *presence_count)
{
	struct job_collectives collectives = {0};
	collective_vector items = {0};
	presence_vector rows = {0};
	size_t kept = 0;

	for (size_t i = 0; i < summary->arrival_count; i++) {
		const struct arrival *arrival = &summary->arrivals[i];

		if (arrival_joins_all(arrival) &&
		    is_shared(&summary->communicators[arrival->communicator]))
			*vector_add(&items) = make_collective(summary, arrival, member);
	}
	/* Mostly they are: communicators are the trace's, which need not be in the order of their ids. */
	if (!is_sorted(items.items, items.count))
		vector_sort(&items, compare_keys);
	/* Two communicators of a damaged file can have one id. */
	for (size_t i = 0; i < items.count; i++)
		if (!kept || compare_keys(&items.items[kept - 1], &items.items[i]))
			items.items[kept++] = items.items[i];
	items.count = kept;
	for (size_t i = 0; i < items.count; i++)
		add_presence(&rows, &items.items[i]);
	collectives.communicators = find_communicators(items.items, items.count);
	vector_move(&items, collectives.items, collectives.count);
	vector_move(&rows, *presences, *presence_count);
	return collectives;
}

/* Whose kernel is shorter came later. */
static bool is_later(const struct job_collective *a, const struct job_collective *b)
{
	return a->least_ns != b->least_ns ? a->least_ns < b->least_ns : a->last < b->last;
}

static struct job_collective merge_two(const struct job_collective *a,
				       const struct job_collective *b)
{
	const struct job_collective *last = is_later(a, b) ? a : b, *other = last == a ? b : a;
	struct job_collective merged = *last;

	merged.second_ns = min_ns(last->second_ns, other->least_ns);
	merged.sum_ns = collectives_add(a->sum_ns, b->sum_ns);
	merged.seen = a->seen + b->seen;
	merged.ranks = a->ranks > b->ranks ? a->ranks : b->ranks;
	merged.bytes = a->bytes > b->bytes ? a->bytes : b->bytes;
	merged.operation = a->operation > b->operation ? a->operation : b->operation;
	return merged;
}

/* Whether all ranks of its communicator came to it. */
static bool is_complete(const struct job_collective *item)
{
	return item->seen > 1 && item->seen == item->ranks;
}

/* Adds it to the sums of the last entry, which has its key, or behind it. */
static void add_done(struct job_done *done, size_t *count, const struct job_done *more)
{
	if (!*count || done[*count - 1].communicator != more->communicator) {
		done[(*count)++] = *more;
		return;
	}
	done += *count - 1;
	done->count += more->count;
	done->least_ns = collectives_add(done->least_ns, more->least_ns);
}

static int compare_late(const void *left, const void *right)
{
	const struct job_straggler *a = left, *b = right;

	if (a->communicator != b->communicator)
		return a->communicator < b->communicator ? -1 : 1;
	return (a->member > b->member) - (a->member < b->member);
}

static void add_late(struct job_straggler *late, size_t *count, const struct job_straggler *more)
{
	if (!*count || compare_late(&late[*count - 1], more) != 0) {
		late[(*count)++] = *more;
		return;
	}
	late += *count - 1;
	late->last_count += more->last_count;
	late->late_ns = collectives_add(late->late_ns, more->late_ns);
	late->alone_ns = collectives_add(late->alone_ns, more->alone_ns);
	late->launch_ns = collectives_add(late->launch_ns, more->launch_ns);
}

static struct job_straggler lateness_of(const struct job_collective *item)
{
	int64_t others = (int64_t)item->seen - 1;
	/* Of the sum all are at least the least. */
	int64_t waited_ns = item->sum_ns == INT64_MAX
				    ? 0
				    : item->sum_ns - item->least_ns - others * item->least_ns;

	return (struct job_straggler){.communicator = item->communicator,
				      .member = item->last,
				      .last_count = 1,
				      .late_ns = waited_ns / others,
				      .alone_ns = item->second_ns - item->least_ns,
				      .launch_ns = min_ns(item->launch_ns, waited_ns / others)};
}

/* Adds the sums of `more`, which keeps its own. */
static void add_sums(struct job_collectives *to, const struct job_collectives *more)
{
	struct job_done *done = memory_array(to->done_count + more->done_count, sizeof(*done));
	struct job_straggler *late = memory_array(to->late_count + more->late_count, sizeof(*late));
	size_t done_count = 0, late_count = 0, i = 0, j = 0;

	while (i < to->done_count || j < more->done_count) {
		bool is_first = j == more->done_count ||
				(i < to->done_count &&
				 to->done[i].communicator <= more->done[j].communicator);

		add_done(done, &done_count, is_first ? &to->done[i++] : &more->done[j++]);
	}
	for (i = j = 0; i < to->late_count || j < more->late_count;) {
		bool is_first =
			j == more->late_count ||
			(i < to->late_count && compare_late(&to->late[i], &more->late[j]) <= 0);

		add_late(late, &late_count, is_first ? &to->late[i++] : &more->late[j++]);
	}
	free(to->done);
	free(to->late);
	to->done = done;
	to->late = late;
	to->done_count = done_count;
	to->late_count = late_count;
}

/* What became complete, out of the items and into the sums. */
static void settle_complete(struct job_collectives *merged)
{
	VECTOR(struct job_straggler) late = {0};
	VECTOR(struct job_done) done = {0};
	struct job_collectives settled = {0};
	size_t kept = 0;

	for (size_t i = 0; i < merged->count; i++) {
		const struct job_collective *item = &merged->items[i];

		if (!is_complete(item)) {
			merged->items[kept++] = *item;
			continue;
		}
		if (!done.count || done.items[done.count - 1].communicator != item->communicator)
			*vector_add(&done) = (struct job_done){.communicator = item->communicator};
		add_done(done.items, &done.count,
			 &(struct job_done){item->communicator, 1, item->least_ns});
		*vector_add(&late) = lateness_of(item);
	}
	merged->count = kept;
	vector_sort(&late, compare_late);
	vector_move(&done, settled.done, settled.done_count);
	settled.late = late.items;
	for (size_t i = 0; i < late.count; i++)
		add_late(late.items, &settled.late_count, &late.items[i]);
	add_sums(merged, &settled);
	collectives_free(&settled);
}

static void merge_items(struct job_collectives *merged, const struct job_collectives *a,
			const struct job_collectives *b)
{
	size_t i = 0, j = 0;

	merged->items = memory_array(a->count + b->count, sizeof(*merged->items));
	while (i < a->count || j < b->count) {
		int order = i == a->count   ? 1
			    : j == b->count ? -1
					    : collectives_compare(&a->items[i], &b->items[j]);

		if (order == 0)
			merged->items[merged->count++] = merge_two(&a->items[i++], &b->items[j++]);
		else
			merged->items[merged->count++] = order < 0 ? a->items[i++] : b->items[j++];
	}
}

struct job_collectives collectives_merge(struct job_collectives a, struct job_collectives b)
{
	struct job_collectives merged = {0};

	merge_items(&merged, &a, &b);
	add_sums(&merged, &a);
	add_sums(&merged, &b);
	settle_complete(&merged);
	merged.communicators = communicators_merge(a.communicators, b.communicators);
	a.communicators = b.communicators = (struct job_communicators){0};
	merged.items = memory_shrink(merged.items, merged.count, sizeof(*merged.items));
	collectives_free(&a);
	collectives_free(&b);
	return merged;
}

void collectives_free(struct job_collectives *collectives)
{
	free(collectives->items);
	free(collectives->done);
	free(collectives->late);
	free(collectives->communicators.items);
	*collectives = (struct job_collectives){0};
}

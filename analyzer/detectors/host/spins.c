#include "detectors/host/spins.h"

#include "base/memory.h"
#include "base/thresholds.h"
#include "base/vector.h"
#include "replay/observed/polls.h"

#include <stdlib.h>

struct finding_spins {
	const struct trace *trace;
	const struct spins_busy *busy; /* NULL: each thread is */
	struct map threads;	       /* to spins under way */
	VECTOR(struct spin) under_way; /* of each thread; without a first: none */
	VECTOR(struct spin) spins;
	uint32_t *next; /* as in struct spins */
};

static struct spin *of_thread(struct finding_spins *finding, uint32_t thread_id)
{
	size_t index = map_find(&finding->threads, thread_id);

	if (index == MAP_NONE) {
		index = finding->under_way.count;
		map_add(&finding->threads, thread_id, index);
		*vector_add(&finding->under_way) = (struct spin){0};
	}
	return &finding->under_way.items[index];
}

static bool is_busy(const struct finding_spins *finding, const struct trace_call *query)
{
	return !finding->busy ||
	       finding->busy->is_busy(finding->busy->context, query->form->thread_id);
}

static void end_spin(struct finding_spins *finding, struct spin *spin)
{
	if (spin->has_pending &&
	    (spin->queries >= LOOP_LEAST_STEPS || is_busy(finding, spin->first)))
		*vector_add(&finding->spins) = *spin;
	*spin = (struct spin){0};
}

/* Whether the query continues the spin: it is for the same work, and the thread made it right after
 * the one before, or stayed awake until then. */
static bool goes_on(const struct finding_spins *finding, const struct spin *spin,
		    const struct trace_call *query)
{
	if (!spin->first || !polls_are_same(query, spin->last))
		return false;
	return is_busy(finding, query) ||
	       query->start_ns - spin->last->end_ns <= spin->queries_ns / (int64_t)spin->queries;
}

static void pass_query(struct finding_spins *finding, const struct trace_call *query)
{
	const struct trace_call *calls = finding->trace->calls;
	struct spin *spin = of_thread(finding, query->form->thread_id);

	if (!goes_on(finding, spin, query))
		end_spin(finding, spin);
	if (!spin->first)
		spin->first = query;
	else
		finding->next[spin->last - calls] = (uint32_t)(query - calls);
	spin->last = query;
	spin->queries++;
	spin->queries_ns += query->end_ns - query->start_ns;
	spin->has_pending |= polls_is_pending(query);
}

/* A busy thread that makes another call does not wait. */
static void pass_other(struct finding_spins *finding, const struct trace_call *call)
{
	size_t index = finding->under_way.count ? map_find(&finding->threads, call->form->thread_id)
						: MAP_NONE;
	struct spin *spin = index == MAP_NONE ? NULL : &finding->under_way.items[index];

	if (spin && spin->first && is_busy(finding, spin->first))
		end_spin(finding, spin);
}

static int compare_spins(const void *a, const void *b)
{
	const struct spin *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

struct spins spins_find(const struct trace *trace, const struct spins_busy *busy)
{
	struct finding_spins finding = {.trace = trace, .busy = busy};
	struct spins spins = {0};

	for (size_t i = 0; i < trace->call_count; i++) {
		if (!polls_is_query(&trace->calls[i])) {
			pass_other(&finding, &trace->calls[i]);
			continue;
		}
		if (!finding.next)
			finding.next = memory_array(trace->call_count, sizeof(*finding.next));
		pass_query(&finding, &trace->calls[i]);
	}
	for (size_t i = 0; i < finding.under_way.count; i++)
		end_spin(&finding, &finding.under_way.items[i]);
	vector_sort(&finding.spins, compare_spins);
	vector_move(&finding.spins, spins.items, spins.count);
	spins.next = finding.next;
	vector_free(&finding.under_way);
	map_free(&finding.threads);
	return spins;
}

void spins_free(struct spins *spins)
{
	free(spins->next);
	free(spins->items);
}

/* Of the spins that have begun: the one that ends last, and the one of another thread that ends
 * last; indexes plus one. */
struct latest {
	uint32_t first, second;
};

static const struct spin *spin_at(const struct spins *spins, uint32_t index)
{
	return index ? &spins->items[index - 1] : NULL;
}

static bool is_later(const struct spins *spins, uint32_t a, uint32_t b)
{
	const struct spin *other = spin_at(spins, b);

	return !other || spin_at(spins, a)->last->end_ns > other->last->end_ns;
}

static bool is_of_thread(const struct spins *spins, uint32_t index, uint32_t thread_id)
{
	return index && spin_at(spins, index)->first->form->thread_id == thread_id;
}

static void add_begun(const struct spins *spins, struct latest *latest, uint32_t index)
{
	uint32_t thread_id = spin_at(spins, index)->first->form->thread_id;

	if (is_later(spins, index, latest->first)) {
		if (!is_of_thread(spins, latest->first, thread_id))
			latest->second = latest->first;
		latest->first = index;
	} else if (!is_of_thread(spins, latest->first, thread_id) &&
		   is_later(spins, index, latest->second)) {
		latest->second = index;
	}
}

uint32_t *spins_beside(const struct spins *spins, const struct trace *trace)
{
	uint32_t *beside = memory_array(trace->call_count, sizeof(*beside));
	struct latest latest = {0, 0};
	uint32_t next = 0;

	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];
		uint32_t index;

		while (next < spins->count && spins->items[next].first->start_ns <= call->start_ns)
			add_begun(spins, &latest, ++next);
		index = is_of_thread(spins, latest.first, call->form->thread_id) ? latest.second
										 : latest.first;
		if (index && spin_at(spins, index)->last->end_ns > call->start_ns)
			beside[i] = index;
	}
	return beside;
}

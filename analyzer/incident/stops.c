#include "incident/stops.h"

#include "base/median.h"
#include "base/minmax.h"
#include "base/vector.h"

#include <stdlib.h>

enum {
	/* So many looks in a row that are missing are no delay: a look is late by one or two where the machine is
	 * busy, and then a thread of the program is ready to run. */
	MISSING_LEAST = 10,
	/* Shorter stops are no cause of a slow step, and may be a page fault of the looker. */
	STOP_LEAST_NS = 20000000,
};

/* What a row has. */
struct looked {
	struct span span;
	int64_t missing_ns;
};

typedef VECTOR(struct looked) looked_vector;

/* How far the looks are apart: the median of all rows, for one with a stop is an exception. */
static int64_t look_distance_ns(const struct trace *trace)
{
	int64_t *apart = memory_array(trace->host_state_count, sizeof(*apart)), distance_ns;

	for (size_t i = 0; i < trace->host_state_count; i++) {
		const struct trace_host_state *state = &trace->host_states[i];

		apart[i] = (state->end_ns - state->start_ns) / max_ns(1, state->looks);
	}
	distance_ns = median_ns(apart, trace->host_state_count);
	free(apart);
	return distance_ns;
}

static looked_vector rows_in(const struct trace *trace, struct span span, int64_t distance_ns)
{
	looked_vector rows = {0};

	for (size_t i = 0; i < trace->host_state_count; i++) {
		const struct trace_host_state *state = &trace->host_states[i];
		const int64_t took_ns = state->end_ns - state->start_ns;
		const double seen_ns = (double)distance_ns * state->looks + (double)state->ready_ns;

		if (state->end_ns <= span.start_ns || state->start_ns >= span.end_ns)
			continue;
		*vector_add(&rows) = (struct looked){
			{state->start_ns, state->end_ns},
			seen_ns >= (double)took_ns ? 0 : took_ns - (int64_t)seen_ns};
	}
	return rows;
}

/* When a row began or ended, which is when somebody looked, in order. */
static int64_t *look_times(const looked_vector *rows, struct span span, size_t *count)
{
	int64_t *times = memory_array(2 * rows->count + 2, sizeof(*times));

	*count = 0;
	times[(*count)++] = span.start_ns;
	times[(*count)++] = span.end_ns;
	for (size_t i = 0; i < rows->count; i++) {
		const struct span *row = &rows->items[i].span;

		if (row->start_ns > span.start_ns)
			times[(*count)++] = row->start_ns;
		if (row->end_ns < span.end_ns)
			times[(*count)++] = row->end_ns;
	}
	sort_ns(times, *count);
	return times;
}

/* What all rows of the time miss; 0 also if there is no row. */
static int64_t missing_between(const looked_vector *rows, struct span span)
{
	int64_t missing_ns = INT64_MAX;

	for (size_t i = 0; i < rows->count; i++)
		if (rows->items[i].span.start_ns <= span.start_ns &&
		    rows->items[i].span.end_ns >= span.end_ns)
			missing_ns = min_ns(missing_ns, rows->items[i].missing_ns);
	return missing_ns == INT64_MAX ? 0 : min_ns(missing_ns, span.end_ns - span.start_ns);
}

struct stops stops_find(const struct trace *trace, struct span span)
{
	const int64_t distance_ns = look_distance_ns(trace);
	const int64_t least_ns = max_ns(STOP_LEAST_NS, MISSING_LEAST * distance_ns);
	looked_vector rows = rows_in(trace, span, distance_ns);
	VECTOR(struct span) spans = {0};
	struct stops stops;
	size_t count;
	int64_t *times = look_times(&rows, span, &count);

	for (size_t i = 0; i + 1 < count; i++) {
		int64_t missing_ns;

		if (times[i + 1] - times[i] < least_ns)
			continue;
		missing_ns = missing_between(&rows, (struct span){times[i], times[i + 1]});
		if (missing_ns >= least_ns)
			*vector_add(&spans) =
				(struct span){times[i + 1] - missing_ns, times[i + 1]};
	}
	free(times);
	vector_free(&rows);
	vector_move(&spans, stops.spans, stops.count);
	return stops;
}

void stops_free(struct stops *stops)
{
	free(stops->spans);
}

int64_t stops_within(const struct stops *stops, struct span span)
{
	int64_t ns = 0;

	for (size_t i = 0; i < stops->count; i++)
		ns += max_ns(0, min_ns(span.end_ns, stops->spans[i].end_ns) -
					max_ns(span.start_ns, stops->spans[i].start_ns));
	return ns;
}

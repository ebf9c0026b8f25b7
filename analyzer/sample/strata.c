#include "sample/strata.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/mix.h"
#include "base/search.h"

#include <math.h>
#include <stdlib.h>

/* Shares of time are kept by call site or kernel, hashed to this many numbers. */
#define FEATURES 256

/* The largest distance between shares of time of slices in one stratum: doubled from the least to
 * the most while most slices are alone. */
#define LEAST_DISTANCE 0.08
#define MOST_DISTANCE  0.32

/* Fewer slices in a stratum, on average, are no repetition. */
#define LEAST_MEMBERS 12

/* Beyond so many strata, further slices go to the nearest. */
#define MOST_STRATA 64

/* An operation with a larger share of its slice's time is long. */
#define LONG_SHARE 0.1

enum feature_kind { IN_CALL, BETWEEN_CALLS, ON_DEVICE };

struct measuring {
	const struct trace *trace;
	const struct slice *slices;
	size_t count;
	double (*features)[FEATURES]; /* by slice: its shares of time */
	int64_t *longest_ns;	      /* by slice: its longest operation */
	struct map last;	      /* by thread: the index of its last call */
	struct map names; /* kernels' names as numbers that do not change between runs of the
			   * analyzer */
};

static void add_feature(struct measuring *measuring, size_t slice, enum feature_kind kind,
			uint64_t what, int64_t ns)
{
	uint64_t hash = mix(mix(0, what), kind);

	if (ns > 0)
		measuring->features[slice][hash % FEATURES] += (double)ns;
}

static uint64_t number_of_call(const struct trace *trace, const struct trace_call *call)
{
	return mix(call->form->site ? (uint64_t)call->form->site->id : 0,
		   (uint64_t)(call->form->function - trace->functions));
}

static uint64_t number_of_operation(struct measuring *measuring,
				    const struct trace_operation *operation)
{
	uint64_t name = (uint64_t)(uintptr_t)operation->form->name;
	size_t number = map_find(&measuring->names, name);

	if (number == MAP_NONE) {
		number = measuring->names.count;
		map_add(&measuring->names, name, number);
	}
	return mix(number, operation->form->name
				   ? 0
				   : mix(operation->form->size_bytes, operation->form->engine));
}

static void measure_calls(struct measuring *measuring)
{
	const struct trace *trace = measuring->trace;
	size_t slice = 0;

	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];
		size_t last = map_find(&measuring->last, call->form->thread_id);

		slice += i >= measuring->slices[slice].end;
		add_feature(measuring, slice, IN_CALL, number_of_call(trace, call),
			    call->end_ns - call->start_ns);
		if (last != MAP_NONE)
			add_feature(measuring, slice, BETWEEN_CALLS, number_of_call(trace, call),
				    call->start_ns - trace->calls[last].end_ns);
		map_set(&measuring->last, call->form->thread_id, i);
	}
}

/* near: the slice with another call, mostly the same. */
static size_t slice_with(const struct measuring *measuring, size_t call, size_t near)
{
	const struct slice *slice = &measuring->slices[near];

	if (call >= slice->first && call < slice->end)
		return near;
	return search(measuring->count - 1, i, measuring->slices[i].end <= call);
}

/* An operation counts for the slice that enqueued it. */
static void measure_operations(struct measuring *measuring)
{
	const struct trace *trace = measuring->trace;
	size_t slice = 0;

	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];

		if (!operation->call)
			continue;
		slice = slice_with(measuring, (size_t)(operation->call - trace->calls), slice);
		measuring->longest_ns[slice] = max_ns(measuring->longest_ns[slice],
						      operation->end_ns - operation->start_ns);
		add_feature(measuring, slice, ON_DEVICE, number_of_operation(measuring, operation),
			    operation->end_ns - operation->start_ns);
	}
}

static void make_shares(struct measuring *measuring)
{
	for (size_t i = 0; i < measuring->count; i++) {
		double sum = 0;

		for (size_t k = 0; k < FEATURES; k++)
			sum += measuring->features[i][k];
		for (size_t k = 0; k < FEATURES && sum > 0; k++)
			measuring->features[i][k] /= sum;
	}
}

/* Between 0 and 1. */
static double slice_distance(const double *a, const double *b)
{
	double sum = 0;

	for (size_t k = 0; k < FEATURES; k++)
		sum += fabs(a[k] - b[k]);
	return sum / 2;
}

/* Puts each slice into the stratum whose first slice is nearest, or begins a new one. Returns the
 * number of strata. */
static size_t group_slices(const struct measuring *measuring, double most, uint32_t *of)
{
	size_t firsts[MOST_STRATA], strata = 0;

	for (size_t i = 0; i < measuring->count; i++) {
		bool is_edge = i == 0 || i + 1 == measuring->count;
		double nearest = INFINITY;

		/* The first slice's stratum is its own. */
		for (size_t k = 1; k < strata && !is_edge; k++) {
			double far = slice_distance(measuring->features[i],
						    measuring->features[firsts[k]]);

			if (far < nearest) {
				nearest = far;
				of[i] = (uint32_t)k;
			}
		}
		/* Keeps room for the last slice's. */
		if (nearest <= most || (!is_edge && strata == MOST_STRATA - 1))
			continue;
		firsts[strata] = i;
		of[i] = (uint32_t)strata++;
	}
	return strata;
}

/* Returns the new number of strata. */
static size_t leave_next_alone(const struct measuring *measuring, uint32_t *of, size_t strata)
{
	size_t members[MOST_STRATA] = {0}, count = strata;
	int64_t left_ns = 0;

	for (size_t i = 0; i < measuring->count; i++)
		members[of[i]]++;
	for (size_t i = 0; i < measuring->count; i++) {
		int64_t length_ns = measuring->slices[i].length_ns;

		if (members[of[i]] < STRATA_LEAST_TAKEN) {
			if ((double)measuring->longest_ns[i] > LONG_SHARE * (double)length_ns)
				left_ns = max_ns(left_ns, measuring->longest_ns[i]);
			continue;
		}
		if (left_ns > 0)
			of[i] = (uint32_t)count++;
		left_ns -= min_ns(left_ns, length_ns);
	}
	return count;
}

uint32_t *strata_find(const struct trace *trace, const struct slice *slices, size_t count,
		      size_t *strata)
{
	struct measuring measuring = {.trace = trace, .slices = slices, .count = count};
	uint32_t *of = memory_array(count, sizeof(*of));
	double most = LEAST_DISTANCE;

	measuring.features = memory_array(count, sizeof(*measuring.features));
	measuring.longest_ns = memory_array(count, sizeof(*measuring.longest_ns));
	measure_calls(&measuring);
	measure_operations(&measuring);
	make_shares(&measuring);
	do {
		*strata = group_slices(&measuring, most, of);
		most *= 2;
	} while (*strata * LEAST_MEMBERS > count && most <= MOST_DISTANCE);
	*strata = leave_next_alone(&measuring, of, *strata);
	free(measuring.longest_ns);
	map_free(&measuring.names);
	map_free(&measuring.last);
	free(measuring.features);
	return of;
}

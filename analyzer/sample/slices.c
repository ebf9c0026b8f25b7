#include "sample/slices.h"

#include "base/minmax.h"
#include "base/vector.h"

#include <assert.h>

/* A slice has SLICE_UNITS units, and one more runs up to it. A unit has about LEAST_CALLS calls or
 * more, or, where calls launch graphs of many operations, so many operations. */
#define SLICE_UNITS 3
#define LEAST_CALLS 1536

/* Repetition shows after some repeats: a slice has this many iterations of a loop. */
#define ITERATIONS 8

/* At least this share of the calls must be on lines that recur in each iteration. */
#define LEAST_OF_LOOP 0.995

/* A line is of no iteration if all its calls lie within this share of the run's: those that capture a
 * graph of hundreds of nodes, for example. */
#define MOST_OF_ONCE 0.1

/* The calls made from one line of the program. */
struct line {
	uint64_t key;
	size_t count;
	size_t first, last; /* indexes of calls */
	int64_t work_ns;    /* the host's own work before its calls */
};

/* The loop that most of the run consists of. */
struct loop {
	size_t calls; /* calls in one iteration: most calls' lines recur within this number */
	/* Among lines that occur once an iteration: the line before which the host works longest. */
	uint64_t begin;
};

static uint64_t line_of(const struct trace *trace, const struct trace_call *call)
{
	uint64_t site = call->form->site ? (uint64_t)(call->form->site - trace->sites) + 1 : 0;

	return site << 32 | (uint64_t)(call->form->function - trace->functions);
}

static int compare_lines(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return (x->key > y->key) - (x->key < y->key);
}

typedef VECTOR(struct line) line_vector;

/* Those with the most calls first. */
static line_vector find_lines(const struct trace *trace)
{
	line_vector lines = {0};
	struct map index = {0};

	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];
		uint64_t key = line_of(trace, call);
		size_t found = map_find(&index, key);

		if (found == MAP_NONE) {
			found = lines.count;
			map_add(&index, key, found);
			*vector_add(&lines) = (struct line){.key = key, .first = i};
		}
		assert(lines.items); /* the map's indexes point into it */
		lines.items[found].count++;
		lines.items[found].last = i;
		if (i && call[-1].form->thread_id == call->form->thread_id)
			lines.items[found].work_ns += max_ns(0, call->start_ns - call[-1].end_ns);
	}
	vector_sort(&lines, compare_lines);
	map_free(&index);
	return lines;
}

static bool is_of_loop(const struct trace *trace, const struct line *line)
{
	return (double)(line->last - line->first) >= MOST_OF_ONCE * (double)trace->call_count;
}

/* Leaves out the lines that are of no iteration, unless these have most of the calls: such a run has
 * no one loop. Returns how many calls are left. */
static size_t leave_out_once(const struct trace *trace, line_vector *lines)
{
	size_t kept = 0, calls = 0;

	for (size_t i = 0; i < lines->count; i++)
		if (is_of_loop(trace, &lines->items[i]))
			calls += lines->items[i].count;
	if (calls <= trace->call_count / 2)
		return trace->call_count;
	for (size_t i = 0; i < lines->count; i++)
		if (is_of_loop(trace, &lines->items[i]))
			lines->items[kept++] = lines->items[i];
	lines->count = kept;
	return calls;
}

static struct loop find_loop(const struct trace *trace)
{
	line_vector lines = find_lines(trace);
	const size_t calls = leave_out_once(trace, &lines);
	size_t seen = 0, iterations = 1;
	const struct line *begin = NULL;
	struct loop loop = {0};

	for (size_t i = 0; i < lines.count; i++) {
		if ((double)seen >= LEAST_OF_LOOP * (double)calls)
			break;
		seen += lines.items[i].count;
		iterations = lines.items[i].count;
	}
	for (size_t i = 0; i < lines.count && lines.items[i].count >= iterations; i++)
		if (lines.items[i].count < 2 * iterations &&
		    (!begin || lines.items[i].work_ns > begin->work_ns))
			begin = &lines.items[i];
	loop.calls = trace->call_count / iterations;
	loop.begin = begin ? begin->key : 0;
	vector_free(&lines);
	return loop;
}

static size_t unit_of(const struct trace *trace, struct loop loop)
{
	const size_t calls = loop.calls * ITERATIONS / SLICE_UNITS;
	const size_t least = trace->operation_count > trace->call_count
				     ? LEAST_CALLS * trace->call_count / trace->operation_count
				     : LEAST_CALLS;

	return calls > least ? calls : least;
}

static void note_end(const struct trace *trace, const struct trace_call *call, int64_t end_ns,
		     int64_t *ends_ns)
{
	if (call)
		ends_ns[call - trace->calls] = max_ns(ends_ns[call - trace->calls], end_ns);
}

/* For each call: when it had begun and all work enqueued before it was done; after the last call,
 * the run's end. The caller must free() it. */
static int64_t *find_boundaries(const struct trace *trace)
{
	int64_t *ends_ns = memory_array(trace->call_count + 1, sizeof(*ends_ns));
	int64_t until_ns = INT64_MIN, last_ns = INT64_MIN;

	for (size_t i = 0; i < trace->operation_count; i++) {
		last_ns = max_ns(last_ns, trace->operations[i].end_ns);
		note_end(trace, trace->operations[i].call, trace->operations[i].end_ns, ends_ns);
	}
	for (size_t i = 0; i < trace->host_function_count; i++)
		note_end(trace, trace->host_functions[i].call, trace->host_functions[i].end_ns,
			 ends_ns);
	for (size_t i = 0; i < trace->call_count; i++) {
		int64_t end_ns = ends_ns[i];

		ends_ns[i] = max_ns(until_ns, trace->calls[i].start_ns);
		until_ns = max_ns(until_ns, end_ns);
		last_ns = max_ns(last_ns, trace->calls[i].end_ns);
	}
	ends_ns[trace->call_count] = last_ns;
	return ends_ns;
}

/* The best boundary for the next unit: at an iteration's begin, with the least work left. */
static size_t next_unit(const struct trace *trace, const int64_t *boundaries_ns, size_t first,
			struct loop loop)
{
	size_t unit = unit_of(trace, loop), best = first + unit;
	int64_t least_ns = INT64_MAX;
	bool is_begin = false;

	if (first + 2 * unit >= trace->call_count)
		return trace->call_count;
	/* From the middle outwards: of equally good calls the nearest wins. */
	for (size_t k = 0; k <= unit; k++) {
		size_t at = first + unit + (k % 2 ? k / 2 : -(k / 2));
		int64_t left_ns = boundaries_ns[at] - trace->calls[at].start_ns;
		bool begins = line_of(trace, &trace->calls[at]) == loop.begin;

		if (begins < is_begin || (begins == is_begin && left_ns >= least_ns))
			continue;
		is_begin = begins;
		least_ns = left_ns;
		best = at;
	}
	return best;
}

/* boundaries_ns: one more than slices. */
static void measure_idle(const struct trace *trace, struct slice *slices, size_t count,
			 const int64_t *boundaries_ns)
{
	int64_t until_ns = boundaries_ns[0];
	size_t slice = 0;

	for (size_t i = 0; i <= trace->operation_count; i++) {
		bool is_end = i == trace->operation_count;
		int64_t start_ns = is_end ? boundaries_ns[count] : trace->operations[i].start_ns;

		for (; until_ns < start_ns && slice < count; slice += until_ns < start_ns) {
			int64_t end_ns = min_ns(start_ns, boundaries_ns[slice + 1]);

			slices[slice].idle_ns += max_ns(0, end_ns - until_ns);
			until_ns = max_ns(until_ns, end_ns);
		}
		if (!is_end)
			until_ns = max_ns(until_ns, trace->operations[i].end_ns);
		while (slice + 1 < count && boundaries_ns[slice + 1] <= until_ns)
			slice++;
	}
}

struct slice *slices_cut(const struct trace *trace, size_t *count)
{
	int64_t *boundaries_ns = find_boundaries(trace);
	VECTOR(uint32_t) units = {0};
	struct slice *slices;
	int64_t *cuts_ns;
	size_t slice_count;
	struct loop loop = find_loop(trace);

	for (size_t at = 0; at < trace->call_count; at = next_unit(trace, boundaries_ns, at, loop))
		*vector_add(&units) = (uint32_t)at;
	*vector_add(&units) = (uint32_t)trace->call_count;
	slice_count = (units.count - 1) / SLICE_UNITS;
	slices = memory_array(slice_count, sizeof(*slices));
	cuts_ns = memory_array(slice_count + 1, sizeof(*cuts_ns));
	for (size_t i = 0; i < slice_count; i++) {
		size_t unit_at = i * SLICE_UNITS;
		uint32_t first = units.items[unit_at];
		uint32_t end = i + 1 < slice_count ? units.items[unit_at + SLICE_UNITS]
						   : (uint32_t)trace->call_count;

		slices[i] = (struct slice){.run_up = i ? units.items[unit_at - 1] : 0,
					   .first = first,
					   .run_down = units.items[unit_at + 1],
					   .end = end,
					   .length_ns = boundaries_ns[end] - boundaries_ns[first]};
		cuts_ns[i] = boundaries_ns[first];
		cuts_ns[i + 1] = boundaries_ns[end];
	}
	if (slice_count)
		measure_idle(trace, slices, slice_count, cuts_ns);
	free(cuts_ns);
	vector_free(&units);
	free(boundaries_ns);
	*count = slice_count;
	return slices;
}

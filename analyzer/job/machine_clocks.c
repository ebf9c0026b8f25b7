#include "job/machine_clocks.h"

#include "base/format.h"
#include "base/median.h"
#include "base/minmax.h"
#include "base/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More clocks than so many are told together. */
#define MOST_NAMED 4

typedef VECTOR(struct clock_point) point_vector;

/* The collectives that both came to. */
static point_vector find_common(const struct clock_machine *a, const struct clock_machine *b)
{
	point_vector points = {0};
	size_t i = 0, j = 0;

	while (i < a->end_count && j < b->end_count) {
		const struct clock_end *x = &a->ends[i], *y = &b->ends[j];
		int order = clock_end_compare(x, y);

		if (order == 0)
			*vector_add(&points) = (struct clock_point){x->start_ns, x->end_ns,
								    y->start_ns, y->end_ns};
		i += order <= 0;
		j += order >= 0;
	}
	return points;
}

/* How far apart collectives end on the ranks of one machine, by its clock: the median. -1: no machine has
 * several ranks. */
static int64_t find_disagreement(const struct clock_machine *machine)
{
	int64_t *apart = memory_array(machine->end_count ? machine->end_count : 1, sizeof(*apart));
	int64_t median = -1;
	size_t count = 0;

	for (size_t i = 0; i < machine->end_count; i++) {
		const struct clock_end *end = &machine->ends[i];

		if (end->seen > 1)
			apart[count++] = end->last_end_ns - end->end_ns;
	}
	if (count >= CLOCK_POINTS_LEAST)
		median = median_ns(apart, count);
	free(apart);
	return median;
}

/* The largest of all machines. */
static int64_t find_disagreements(const struct clock_machines *machines)
{
	int64_t most = -1;

	for (size_t i = 0; i < machines->count; i++)
		most = max_ns(most, find_disagreement(&machines->items[i]));
	return most;
}

/* Ends on two machines differ at least as much as ends on one machine do, which the line's points do not
 * show. If no machine has several ranks, only the bound is certain. */
static void widen_line(struct clock_line *line, int64_t disagreement_ns)
{
	double uncertainty = line->uncertainty_ns + (double)disagreement_ns;

	line->uncertainty_ns =
		disagreement_ns < 0 ? line->bound_ns : fmin(uncertainty, line->bound_ns);
}

/* From the reference over `from`. */
static struct clock_line chain_lines(const struct machine_clock *from,
				     const struct clock_line *line)
{
	const struct clock_line *first = &from->line;
	struct clock_line whole = *line;

	if (from->state == CLOCK_REFERENCE)
		return whole;
	whole.at_ns = clock_line_back(first, line->at_ns);
	whole.offset_ns = (double)(line->at_ns - whole.at_ns) + line->offset_ns;
	whole.drift = (1 + first->drift) * (1 + line->drift) - 1;
	whole.uncertainty_ns += first->uncertainty_ns;
	whole.bound_ns += first->bound_ns;
	if (first->point_count < whole.point_count)
		whole.point_count = first->point_count;
	return whole;
}

static void compare_with(const struct machine_clock *from, struct machine_clock *clock,
			 int64_t disagreement_ns)
{
	point_vector points = find_common(from->machine, clock->machine);
	struct clock_line line;

	switch (clock_line_fit(points.items, points.count, &line)) {
	case CLOCK_LINE_FITS:
		clock->state = CLOCK_COMPARED;
		widen_line(&line, disagreement_ns);
		clock->line = chain_lines(from, &line);
		break;
	case CLOCK_LINE_BROKEN:
		clock->state = CLOCK_BROKEN;
		break;
	case CLOCK_LINE_FEW:
		break;
	}
	vector_free(&points);
}

static struct machine_clock *find_reference(struct machine_clocks *clocks)
{
	struct machine_clock *best = clocks->items;

	for (size_t i = 1; i < clocks->count; i++)
		if (clocks->items[i].machine->least_rank < best->machine->least_rank)
			best = &clocks->items[i];
	return best;
}

struct machine_clocks machine_clocks_compare(const struct clock_machines *machines)
{
	struct machine_clocks clocks = {
		memory_array(machines->count ? machines->count : 1, sizeof(*clocks.items)),
		machines->count};
	VECTOR(struct machine_clock *) compared = {0};
	int64_t disagreement_ns = find_disagreements(machines);
	size_t i, k;

	for (i = 0; i < clocks.count; i++)
		clocks.items[i].machine = &machines->items[i];
	if (clocks.count) {
		*vector_add(&compared) = find_reference(&clocks);
		compared.items[0]->state = CLOCK_REFERENCE;
	}
	for (i = 0; i < compared.count; i++)
		for (k = 0; k < clocks.count; k++) {
			struct machine_clock *clock = &clocks.items[k];

			if (clock->state != CLOCK_APART && clock->state != CLOCK_BROKEN)
				continue;
			compare_with(compared.items[i], clock, disagreement_ns);
			if (clock->state == CLOCK_COMPARED)
				*vector_add(&compared) = clock;
		}
	vector_free(&compared);
	return clocks;
}

static int compare_names(const void *name, const void *clock)
{
	return strcmp(name, ((const struct machine_clock *)clock)->machine->name);
}

const struct machine_clock *machine_clocks_find(const struct machine_clocks *clocks,
						const char *name)
{
	return clocks->count ? bsearch(name, clocks->items, clocks->count, sizeof(*clocks->items),
				       compare_names)
			     : NULL;
}

int64_t machine_clock_time(const struct machine_clock *clock, int64_t ns)
{
	return clock->state == CLOCK_COMPARED ? clock_line_back(&clock->line, ns) : ns;
}

bool machine_clock_is_known(const struct machine_clock *clock)
{
	return clock->state == CLOCK_REFERENCE || clock->state == CLOCK_COMPARED;
}

bool machine_clocks_are_compared(const struct machine_clocks *clocks)
{
	for (size_t i = 0; i < clocks->count; i++)
		if (!machine_clock_is_known(&clocks->items[i]))
			return false;
	return true;
}

static const char *name_of(const struct clock_machine *machine)
{
	if (*machine->host)
		return machine->host;
	return *machine->name ? machine->name : "a machine without a name";
}

/* To the microsecond where it is long: "11.000021 s ahead of". malloc'ed. */
static char *describe_offset(const struct clock_line *line)
{
	double ns = fabs(line->offset_ns);
	const char *side = line->offset_ns < 0 ? "behind" : "ahead of";
	struct format time;

	return ns < 1e9 ? memory_format("%s %s", format_time(&time, (int64_t)ns), side)
			: memory_format("%.6f s %s", ns / 1e9, side);
}

static char *describe_compared(const struct clock_line *line, const char *name,
			       const char *reference)
{
	struct format uncertainty, bound;
	bool is_sure = line->uncertainty_ns < line->bound_ns;
	char *offset = describe_offset(line);
	char *text = memory_format(
		"%s: clock %s %s's, drift %+.1f ppm, by the ends of %zu "
		"collectives; %s%s%sat most %s off",
		name, offset, reference, line->drift * 1e6, line->point_count,
		is_sure ? "within " : "",
		is_sure ? format_time(&uncertainty, clock_line_ns(line->uncertainty_ns)) : "",
		is_sure ? ", and " : "", format_time(&bound, clock_line_ns(line->bound_ns)));

	free(offset);
	return text;
}

static const char *reference_name(const struct machine_clocks *clocks)
{
	for (size_t i = 0; i < clocks->count; i++)
		if (clocks->items[i].state == CLOCK_REFERENCE)
			return name_of(clocks->items[i].machine);
	return "";
}

char *machine_clocks_describe(const struct machine_clocks *clocks, size_t index)
{
	const struct machine_clock *clock = &clocks->items[index];
	const struct clock_line *line = &clock->line;
	const char *name = name_of(clock->machine), *reference = reference_name(clocks);

	switch (clock->state) {
	case CLOCK_COMPARED:
		return describe_compared(line, name, reference);
	case CLOCK_BROKEN:
		return memory_format(
			"%s: its clock and %s's do not run evenly: one was set during the "
			"run; nothing on it is ordered with other machines",
			name, reference);
	case CLOCK_APART:
		return memory_format("%s: fewer than %d collectives with %s to compare clocks by: "
				     "nothing on it is ordered with other machines",
				     name, CLOCK_POINTS_LEAST, reference);
	default:
		return NULL;
	}
}

/* The largest of the compared clocks. */
struct extremes {
	double apart_ns, slowest, fastest, uncertainty_ns, bound_ns;
	size_t compared, points;
};

static struct extremes find_extremes(const struct machine_clocks *clocks)
{
	struct extremes extremes = {.points = SIZE_MAX};
	double first_ns = 0, last_ns = 0;

	for (size_t i = 0; i < clocks->count; i++) {
		const struct clock_line *line = &clocks->items[i].line;

		if (clocks->items[i].state != CLOCK_COMPARED)
			continue;
		extremes.compared++;
		first_ns = fmin(first_ns, line->offset_ns);
		last_ns = fmax(last_ns, line->offset_ns);
		extremes.slowest = fmin(extremes.slowest, line->drift);
		extremes.fastest = fmax(extremes.fastest, line->drift);
		extremes.uncertainty_ns = fmax(extremes.uncertainty_ns, line->uncertainty_ns);
		extremes.bound_ns = fmax(extremes.bound_ns, line->bound_ns);
		if (line->point_count < extremes.points)
			extremes.points = line->point_count;
	}
	extremes.apart_ns = last_ns - first_ns;
	return extremes;
}

char *machine_clocks_summarize(const struct machine_clocks *clocks)
{
	struct extremes extremes = find_extremes(clocks);
	struct format apart, uncertainty, bound;

	if (extremes.compared <= MOST_NAMED)
		return NULL;
	return memory_format(
		"Clocks of %zu machines: up to %s apart, drifts from %+.1f to %+.1f ppm of %s's, "
		"by the ends of %zu collectives or more; each within %s, and at most %s off",
		extremes.compared + 1, format_time(&apart, clock_line_ns(extremes.apart_ns)),
		extremes.slowest * 1e6, extremes.fastest * 1e6, reference_name(clocks),
		extremes.points, format_time(&uncertainty, clock_line_ns(extremes.uncertainty_ns)),
		format_time(&bound, clock_line_ns(extremes.bound_ns)));
}

void machine_clocks_free(struct machine_clocks *clocks)
{
	free(clocks->items);
	*clocks = (struct machine_clocks){0};
}

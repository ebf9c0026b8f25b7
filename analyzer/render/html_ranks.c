#include "render/html_ranks.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "trace/collectives.h"

#include <stdlib.h>

#define COLUMNS 160

struct lane {
	int64_t start_ns, wall_ns;
	double busy[COLUMNS]; /* ns */
};

static int64_t column_ns(const struct lane *lane, size_t column)
{
	return (int64_t)((double)lane->wall_ns * (double)column / COLUMNS);
}

static void add_item(struct lane *lane, int64_t start_ns, int64_t end_ns)
{
	int64_t from_ns = max_ns(start_ns - lane->start_ns, 0);
	int64_t until_ns = min_ns(end_ns - lane->start_ns, lane->wall_ns);
	size_t column = (size_t)((double)from_ns / (double)lane->wall_ns * COLUMNS);

	for (; column < COLUMNS && column_ns(lane, column) < until_ns; column++) {
		int64_t part_ns = min_ns(until_ns, column_ns(lane, column + 1)) -
				  max_ns(from_ns, column_ns(lane, column));

		lane->busy[column] += (double)max_ns(part_ns, 0);
	}
}

static json_t *digits_of(const struct lane *lane)
{
	char digits[COLUMNS + 1];

	for (size_t i = 0; i < COLUMNS; i++) {
		double whole = (double)(column_ns(lane, i + 1) - column_ns(lane, i));
		double share = whole > 0 ? lane->busy[i] / whole : 0;

		digits[i] = (char)('0' + (int)(9 * (share < 1 ? share : 1) + 0.5));
	}
	return json_stringn(digits, COLUMNS);
}

json_t *html_ranks_lane(const struct trace *trace, const struct analysis *analysis)
{
	struct lane work = {
		analysis->headline.origin_ns, max_ns(analysis->headline.wall_ns, 1), {0}};
	struct lane collectives = work;
	const char *clock = trace_metadata(trace, "boot_id");

	if (!clock)
		clock = trace_metadata(trace, "host");
	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];
		bool is_collective = operation->form->kind == OPERATION_KERNEL &&
				     collective_is_kernel(operation->form->name);

		add_item(is_collective ? &collectives : &work, operation->start_ns,
			 operation->end_ns);
	}
	return json_pack("{s:s, s:I, s:I, s:o, s:o}", "clock", clock ? clock : "", "start_us",
			 (json_int_t)(work.start_ns / 1000), "wall_us",
			 (json_int_t)(work.wall_ns / 1000), "work", digits_of(&work), "collectives",
			 digits_of(&collectives));
}

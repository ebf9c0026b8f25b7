#include "render/spark.h"

#include "base/format.h"
#include "findings/activity.h"

#include <math.h>

/* More are too small to tell anything. */
#define MOST_COLUMNS  72
#define LEAST_COLUMNS 8

/* What stands beside the bars: the name and the numbers. */
#define NAME_WIDTH  9
#define OTHER_WIDTH (NAME_WIDTH + 20)

static const char *const names[ACTIVITY_ROWS] = {
	[ENGINE_COMPUTE] = "compute", [ENGINE_H2D] = "H2D",	    [ENGINE_D2H] = "D2H",
	[ENGINE_PEER] = "peer",	      [ACTIVITY_IDLE] = "GPU idle",
};

/* From nothing to the whole time. */
static const char *const blocks[] = {"\xc2\xb7",     "\xe2\x96\x81", "\xe2\x96\x82",
				     "\xe2\x96\x83", "\xe2\x96\x84", "\xe2\x96\x85",
				     "\xe2\x96\x86", "\xe2\x96\x87", "\xe2\x96\x88"};
static const char *const letters[] = {".", ":", "-", "=", "+", "o", "*", "%", "#"};

#define LEVELS (sizeof(blocks) / sizeof(*blocks) - 1)

/* What is there at all shows. */
static size_t level_of(double part)
{
	size_t level = part > 0 ? (size_t)ceil(part * LEVELS) : 0;

	return level < LEVELS ? level : LEVELS;
}

static void print_spark(const struct page *page, const char *name, const double *parts,
			size_t columns, int64_t ns, int64_t wall_ns)
{
	const char *const *levels = page->is_utf8 ? blocks : letters;
	struct format time, percent;

	fprintf(page->out, "%-*s", NAME_WIDTH, name);
	for (size_t column = 0; column < columns; column++)
		fputs(levels[level_of(parts[column])], page->out);
	fprintf(page->out, "  %8s  %7s\n", format_time(&time, ns),
		format_percent(&percent, ns, wall_ns));
}

static size_t columns_of(const struct page *page)
{
	size_t room = page->width > OTHER_WIDTH ? page->width - OTHER_WIDTH : 0;

	return room < LEAST_COLUMNS ? LEAST_COLUMNS : room < MOST_COLUMNS ? room : MOST_COLUMNS;
}

void print_sparks(const struct page *page, const struct trace *trace,
		  const struct analysis *analysis, int64_t device, const struct device_load *load)
{
	struct activity activity = activity_measure(analysis, trace, device, columns_of(page));
	struct format time, percent, column;

	for (size_t row = 0; row < ACTIVITY_ROWS; row++) {
		int64_t ns = row == ACTIVITY_IDLE ? load->idle_ns : load->busy_ns[row];

		if (row != ENGINE_PEER || ns)
			print_spark(page, names[row], activity.parts[row], activity.columns, ns,
				    analysis->headline.wall_ns);
	}
	print_formatted(page, NULL, 0, "each column %s; overlap (2+ engines busy) %s (%s)",
			format_time(&column, (int64_t)activity.column_ns),
			format_time(&time, load->overlapped_ns),
			format_percent(&percent, load->overlapped_ns, analysis->headline.wall_ns));
	activity_free(&activity);
}

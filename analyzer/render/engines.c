#include "render/engines.h"

#include "base/format.h"
#include "base/memory.h"
#include "render/table.h"

#include <stdlib.h>
#include <string.h>

#define BAR_CELLS 20

static char *make_bar(const struct page *page, int64_t part, int64_t whole)
{
	const char *full = page->is_utf8 ? "\xe2\x96\x88" : "#";
	const char *empty = page->is_utf8 ? "\xe2\x96\x91" : ".";
	char *bar = memory_array(BAR_CELLS * 3 + 1, 1);
	int cells = whole > 0 ? (int)((double)part / (double)whole * BAR_CELLS + 0.5) : 0, i;

	for (i = 0; i < BAR_CELLS; i++)
		strcat(bar, i < cells ? full : empty);
	return bar;
}

static void add_engine(const struct page *page, struct table *table, enum engine engine,
		       const struct headline *headline)
{
	int64_t busy_ns = headline->busy_ns[engine];
	char *bar = make_bar(page, busy_ns, headline->wall_ns);
	struct format busy, percent, idle;
	const char *const cells[] = {
		engine_name(engine),
		format_time(&busy, busy_ns),
		format_percent(&percent, busy_ns, headline->wall_ns),
		bar,
		format_time(&idle, headline->wall_ns - busy_ns),
	};

	table_add_row(table, cells);
	free(bar);
}

const char *engine_name(enum engine engine)
{
	static const char *const names[ENGINE_COUNT] = {
		[ENGINE_COMPUTE] = "compute",
		[ENGINE_H2D] = "H2D copies",
		[ENGINE_D2H] = "D2H copies",
		[ENGINE_PEER] = "peer copies",
	};

	return names[engine];
}

bool print_engines(const struct page *page, const struct headline *headline)
{
	struct table table = table_open(page->out, page->width);
	struct format time, percent, idle_time, idle_percent;

	table_add_column(&table, "ENGINE", false);
	table_add_column(&table, "BUSY", true);
	table_add_column(&table, "OF RUN", true);
	table_add_column(&table, "", false);
	table_add_column(&table, "IDLE", true);
	for (int engine = 0; engine < ENGINE_COUNT; engine++)
		if (engine != ENGINE_PEER || headline->busy_ns[engine])
			add_engine(page, &table, (enum engine)engine, headline);
	if (!table_print(&table))
		return false;
	print_formatted(page, NULL, 0, "overlap (2+ engines busy) %s (%s); GPU idle %s (%s)",
			format_time(&time, headline->overlapped_ns),
			format_percent(&percent, headline->overlapped_ns, headline->wall_ns),
			format_time(&idle_time, headline->idle_ns),
			format_percent(&idle_percent, headline->idle_ns, headline->wall_ns));
	return true;
}

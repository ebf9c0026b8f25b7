#include "commands/watch_table.h"

#include "base/format.h"
#include "base/memory.h"
#include "render/page.h"
#include "render/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { GAP = 2 };

/* The texts of a row; malloc'ed. */
enum column {
	RANK,
	PROGRAM,
	PROCESS,
	STEP,
	LAST,
	MEDIAN,
	RUNNING,
	GPU,
	INCIDENTS,
	COST,
	STATE,
	COLUMNS
};

static const struct {
	const char *name;
	bool is_right;
} columns[COLUMNS] = {
	[RANK] = {"rank", true},	   [PROGRAM] = {"program", false},
	[PROCESS] = {"process", true},	   [STEP] = {"steps", true},
	[LAST] = {"last", true},	   [MEDIAN] = {"median", true},
	[RUNNING] = {"running", true},	   [GPU] = {"GPU", true},
	[INCIDENTS] = {"incidents", true}, [COST] = {"cost", true},
	[STATE] = {"state", false},
};

static char *time_text(int64_t ns)
{
	struct format text;

	return memory_format("%s", ns > 0 ? format_time(&text, ns) : "-");
}

static char *state_text(const struct watched_program *program)
{
	const struct watch_page *page = &program->page;

	if (!program->is_alive)
		return memory_format("has ended without its last word: killed?");
	switch (page->state) {
	case WATCH_WATCHING:
		return *page->incident ? memory_format("watching; last incident: %s (%s)",
						       page->incident, page->cause)
				       : memory_format("watching");
	case WATCH_RECORDING:
		return memory_format("recording an incident");
	case WATCH_BOUND:
		return memory_format("watching; the next incident is left out: %s", page->error);
	case WATCH_NO_DISK:
		return memory_format("watching; no room on the disk: %s", page->error);
	default:
		return memory_format("stopped: %s", page->error);
	}
}

static char *share_text(struct gpu_share *gpu, const struct watched_program *program)
{
	const double share = program->is_alive ? gpu_share_of(gpu, program->page.pid) : -1;

	return share < 0 ? memory_format("-") : memory_format("%.0f %%", 100 * share);
}

/* Of a processor, since the program began. */
static char *cost_text(const struct watch_page *page)
{
	struct format share;

	return memory_format("%s", format_percent(&share, page->tool_ns,
						  page->updated_ns > page->began_ns
							  ? page->updated_ns - page->began_ns
							  : 0));
}

static char *incidents_text(const struct watch_page *page)
{
	struct format incidents, left_out;

	if (!page->left_out)
		return memory_format("%s", format_count(&incidents, page->incidents));
	return memory_format("%s+%s", format_count(&incidents, page->incidents),
			     format_count(&left_out, page->left_out));
}

static int64_t running_ns(const struct watched_program *program)
{
	const struct watch_page *page = &program->page;

	return program->is_alive && page->step_began_ns ? page->updated_ns - page->step_began_ns
							: 0;
}

static void make_cells(char *cells[COLUMNS], const struct watched_program *program,
		       struct gpu_share *gpu)
{
	const struct watch_page *page = &program->page;
	struct format steps;

	cells[RANK] = memory_format("%s", *page->rank ? page->rank : "-");
	cells[PROGRAM] = memory_format("%s", page->program);
	cells[PROCESS] = memory_format("%d", page->pid);
	cells[STEP] = memory_format(
		"%s", page->steps_by == WATCH_NO_STEPS ? "-" : format_count(&steps, page->steps));
	cells[LAST] = time_text(page->step_ns);
	cells[MEDIAN] = time_text(page->median_ns);
	cells[RUNNING] = time_text(running_ns(program));
	cells[GPU] = share_text(gpu, program);
	cells[INCIDENTS] = incidents_text(page);
	cells[COST] = cost_text(page);
	cells[STATE] = state_text(program);
}

static void free_cells(char *cells[COLUMNS])
{
	for (int i = 0; i < COLUMNS; i++)
		free(cells[i]);
}

/* As the terminal can show it. */
static void show_cells(char *cells[COLUMNS], const struct page *page)
{
	for (int i = 0; i < COLUMNS; i++) {
		char *shown = page_text(page, cells[i]);

		free(cells[i]);
		cells[i] = shown;
	}
}

bool watch_table_print(const struct watched_programs *programs, struct gpu_share *gpu)
{
	struct page page = page_open(stdout);
	struct table table = table_open(stdout, page.table_width);

	table_set_gap(&table, GAP);
	for (int i = 0; i < COLUMNS; i++)
		table_add_column(&table, columns[i].name, columns[i].is_right);
	for (size_t i = 0; i < programs->count; i++) {
		char *cells[COLUMNS];

		make_cells(cells, &programs->items[i], gpu);
		show_cells(cells, &page);
		table_add_row(&table, (const char *const *)cells);
		free_cells(cells);
	}
	return table_print(&table);
}

void watch_table_log(const struct watched_programs *programs, struct gpu_share *gpu)
{
	const time_t now = time(NULL);
	char when[32] = "";
	struct tm date;

	if (gmtime_r(&now, &date))
		strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", &date);
	for (size_t i = 0; i < programs->count; i++) {
		const struct watched_program *program = &programs->items[i];
		char *cells[COLUMNS];

		make_cells(cells, program, gpu);
		printf("%s %s%s%s%s %s: %s steps, last %s, median %s, running %s, GPU %s, "
		       "incidents %s, cost %s, "
		       "%s\n",
		       when, *program->page.rank ? "rank " : "",
		       *program->page.rank ? cells[RANK] : "", *program->page.rank ? " " : "",
		       cells[PROGRAM], cells[PROCESS], cells[STEP], cells[LAST], cells[MEDIAN],
		       cells[RUNNING], cells[GPU], cells[INCIDENTS], cells[COST], cells[STATE]);
		free_cells(cells);
	}
	fflush(stdout);
}

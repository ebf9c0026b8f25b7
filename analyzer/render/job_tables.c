#include "render/job_tables.h"

#include "base/format.h"
#include "base/memory.h"
#include "base/sort.h"
#include "job/groups.h"
#include "render/job_figures.h"
#include "render/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define GAP 2

/* If there are more processes than this, only the ones with the largest and the smallest savings are listed. */
#define MOST_ROWS  16
#define FIRST_ROWS 10
#define LAST_ROWS  4

#define HOST_WIDTH  16
#define LEAST_WHERE 20

/* The least width of a finding's line beside its process: it shows the end of "train.py:31". */
#define LEAST_PLACE 12

enum column { NAME, HOST, WALL, IDLE, WAITS, LOST, WORST, COLUMNS };

/* What is left out first, where the page is narrow. */
static const enum column droppable[] = {WALL, HOST, IDLE, WAITS};

struct columns {
	bool is_left_out[COLUMNS];
	size_t finding_width;
};

static const struct summary *summary_of(const struct job_report *report, size_t row)
{
	return report->rows[row].member->summary;
}

static char *name_row(const struct job_report *report, size_t row)
{
	char *name = job_row_name(report, row), *text;

	text = memory_format("%s", !strncmp(name, "rank ", 5) ? name + 5 : name);
	free(name);
	return text;
}

/* "1.23 ms  pageable-copy", before the place; malloc'ed. */
static char *describe_saving(const struct job_row *row)
{
	struct format time;

	return memory_format(
		"%s  %s",
		format_time(&time, summary_saving(row->member->summary, &row->worst->lost)),
		row->worst->id);
}

static char *describe_worst(const struct page *page, const struct job_row *row, size_t width)
{
	char *saving, *place, *text, *cut;
	size_t used;

	if (!row->worst)
		return memory_format("-");
	saving = describe_saving(row);
	used = strlen(saving) + GAP;
	place = page_cut_start(page, row->worst->where,
			       width > used + LEAST_PLACE ? width - used : LEAST_PLACE);
	text = memory_format("%s  %s", saving, place);
	cut = page_cut_end(page, text, width);
	free(text);
	free(place);
	free(saving);
	return cut;
}

/* The cells, in the table's order. */
static void add_cells(const struct columns *columns, const char *const *cells, struct table *table)
{
	const char *shown[COLUMNS];
	size_t count = 0;

	for (int column = 0; column < COLUMNS; column++)
		if (!columns->is_left_out[column])
			shown[count++] = cells[column];
	table_add_row(table, shown);
}

static void add_row(const struct page *page, const struct job_report *report,
		    const struct columns *columns, size_t index, struct table *table)
{
	const struct job_row *row = &report->rows[index];
	const struct summary *summary = row->member->summary;
	char *host = page_cut_end(page, summary->host ? summary->host : "?", HOST_WIDTH);
	char *name = name_row(report, index),
	     *worst = describe_worst(page, row, columns->finding_width);
	struct format wall, idle, waits, lost;

	add_cells(columns,
		  (const char *[]){
			  [NAME] = name,
			  [HOST] = host,
			  [WALL] = format_time(&wall, summary->wall_ns),
			  [IDLE] = job_figures_share(&idle, row, summary->load.idle_ns),
			  [WAITS] = job_figures_share(&waits, row, row->waiting.waited_ns),
			  [LOST] = format_time(&lost, summary_saving(summary, &summary->lost)),
			  [WORST] = worst,
		  },
		  table);
	free(worst);
	free(name);
	free(host);
}

static void add_between(const struct columns *columns, size_t left_out, struct table *table)
{
	char *text = memory_format("%zu others between", left_out);
	const char *cells[COLUMNS] = {"...", "", "", "", "", "", text};

	add_cells(columns, cells, table);
	free(text);
}

/* The rows by what they lose, the most first: indexes, malloc'ed. */
static struct sort_key *order_rows(const struct job_report *report)
{
	struct sort_key *keys = memory_array(report->row_count + 1, sizeof(*keys));

	for (size_t i = 0; i < report->row_count; i++) {
		const struct summary *summary = summary_of(report, i);

		keys[i] = (struct sort_key){~sort_signed(summary_saving(summary, &summary->lost)),
					    (uint32_t)i};
	}
	sort_by_key_once(keys, report->row_count);
	return keys;
}

bool job_rows_are_cut(const struct job_report *report, bool all)
{
	return !all && report->row_count > MOST_ROWS;
}

static void add_rows(const struct page *page, const struct job_report *report,
		     const struct columns *columns, bool all, struct table *table)
{
	size_t count = report->row_count;
	struct sort_key *keys;

	if (!job_rows_are_cut(report, all)) {
		for (size_t i = 0; i < count; i++)
			add_row(page, report, columns, i, table);
		return;
	}
	keys = order_rows(report);
	for (size_t i = 0; i < FIRST_ROWS; i++)
		add_row(page, report, columns, keys[i].index, table);
	add_between(columns, count - FIRST_ROWS - LAST_ROWS, table);
	for (size_t i = count - LAST_ROWS; i < count; i++)
		add_row(page, report, columns, keys[i].index, table);
	free(keys);
}

static size_t widest_name(const struct job_report *report)
{
	size_t most = strlen("rank");

	for (size_t i = 0; i < report->row_count; i++) {
		char *name = name_row(report, i);

		most = strlen(name) > most ? strlen(name) : most;
		free(name);
	}
	return most;
}

static size_t widest_host(const struct job_report *report)
{
	size_t most = strlen("host");

	for (size_t i = 0; i < report->row_count; i++) {
		const char *host = summary_of(report, i)->host;
		size_t width = host ? strlen(host) : 1;

		most = width > most ? width : most;
	}
	return most < HOST_WIDTH ? most : HOST_WIDTH;
}

/* What the findings need, with places cut to no less than LEAST_PLACE. */
static size_t least_finding(const struct job_report *report)
{
	size_t most = strlen("largest finding");

	for (size_t i = 0; i < report->row_count; i++) {
		const struct job_row *row = &report->rows[i];
		char *saving = row->worst ? describe_saving(row) : NULL;
		size_t place = saving ? strlen(row->worst->where) : 0, width;

		width = saving ? strlen(saving) + GAP + (place < LEAST_PLACE ? place : LEAST_PLACE)
			       : 0;
		most = width > most ? width : most;
		free(saving);
	}
	return most;
}

/* Leaves columns out until the rest of the line has room for the finding. */
static void fit_columns(const struct page *page, const struct job_report *report,
			struct columns *columns)
{
	const size_t widths[COLUMNS] = {
		[NAME] = widest_name(report),  [HOST] = widest_host(report),
		[WALL] = strlen("1.23 ms"),    [IDLE] = strlen("GPU idle"),
		[WAITS] = strlen("waits") + 1, [LOST] = strlen("1.23 ms"),
	};
	size_t used = 0, least = least_finding(report);

	for (int column = 0; column < WORST; column++)
		used += columns->is_left_out[column] ? 0 : widths[column] + GAP;
	for (size_t i = 0; i < sizeof(droppable) / sizeof(*droppable); i++) {
		enum column column = droppable[i];

		if (used + least <= page->table_width || columns->is_left_out[column])
			continue;
		columns->is_left_out[column] = true;
		used -= widths[column] + GAP;
	}
	columns->finding_width =
		page->table_width > used + LEAST_WHERE ? page->table_width - used : LEAST_WHERE;
}

static void add_columns(struct table *table, const struct job_report *report,
			const struct columns *columns)
{
	const struct {
		const char *name;
		bool is_right;
	} heads[COLUMNS] = {
		[NAME] = {report->rank_count ? "rank" : "process", true},
		[HOST] = {"host", false},
		[WALL] = {"wall", true},
		[IDLE] = {"GPU idle", true},
		[WAITS] = {"waits", true},
		[LOST] = {"lost", true},
		[WORST] = {"largest finding", false},
	};

	table_set_gap(table, GAP);
	for (int column = 0; column < COLUMNS; column++)
		if (!columns->is_left_out[column])
			table_add_column(table, heads[column].name, heads[column].is_right);
}

bool print_job_rows(const struct page *page, const struct job_report *report, bool all)
{
	struct columns columns = {
		.is_left_out = {
			[HOST] = report->host_count < 2, [WAITS] = !report->complete_count}};
	struct table table = table_open(page->out, 0);

	fit_columns(page, report, &columns);
	add_columns(&table, report, &columns);
	add_rows(page, report, &columns, all, &table);
	return table_print(&table);
}

/* How the findings' table fits the page. */
struct group_columns {
	bool has_share;
	size_t where_width;
};

static void add_group(const struct page *page, const struct job_report *report, size_t index,
		      const struct group_columns *columns, struct table *table)
{
	const struct job_group *group = &report->groups[index];
	char *number = memory_format("%zu", index + 1);
	char *rows = job_rows_name(report, group->rows, group->row_count);
	char *where = page_cut_start(page, group->where, columns->where_width), *saves;
	struct format time, percent;
	const char *cells[6];
	size_t count = 0;

	saves = memory_format("%s%s", job_figures_mark(group),
			      format_time(&time, group->saved.estimate_ns));
	cells[count++] = number;
	cells[count++] = saves;
	if (columns->has_share)
		cells[count++] =
			format_percent(&percent, group->saved.estimate_ns, report->untraced_ns);
	cells[count++] = group->id;
	cells[count++] = where;
	cells[count++] = rows;
	table_add_row(table, cells);
	free(saves);
	free(where);
	free(rows);
	free(number);
}

static struct group_columns fit_groups(const struct page *page, const struct job_report *report,
				       bool all)
{
	size_t id = strlen("what"), rows = strlen("on"), where = strlen("where"), used, share;
	struct group_columns columns;

	for (size_t i = 0; i < report->group_count; i++) {
		const struct job_group *group = &report->groups[i];
		char *name;

		if (group->is_folded && !all)
			continue;
		name = job_rows_name(report, group->rows, group->row_count);
		rows = strlen(name) > rows ? strlen(name) : rows;
		id = strlen(group->id) > id ? strlen(group->id) : id;
		where = strlen(group->where) > where ? strlen(group->where) : where;
		free(name);
	}
	used = strlen("#1") + strlen("1.23 ms") + id + rows + 4 * GAP;
	share = strlen("of job") + GAP;
	columns.has_share =
		used + share + (where < LEAST_WHERE ? where : LEAST_WHERE) <= page->table_width;
	used += columns.has_share ? share : 0;
	columns.where_width =
		page->table_width > used + LEAST_PLACE ? page->table_width - used : LEAST_PLACE;
	return columns;
}

bool print_job_groups(const struct page *page, const struct job_report *report, bool all)
{
	struct table table = table_open(page->out, 0);
	struct group_columns columns = fit_groups(page, report, all);

	table_set_gap(&table, GAP);
	table_add_column(&table, "#", true);
	table_add_column(&table, "saves", true);
	if (columns.has_share)
		table_add_column(&table, "of job", true);
	table_add_column(&table, "what", false);
	table_add_column(&table, "where", false);
	table_add_column(&table, "on", false);
	for (size_t i = 0; i < report->group_count; i++)
		if (!report->groups[i].is_folded || all)
			add_group(page, report, i, &columns, &table);
	return table_print(&table);
}

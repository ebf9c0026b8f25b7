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

/* Of more processes than that so many with the largest and the smallest saving are listed. */
#define MOST_ROWS    16
#define FIRST_ROWS   10
#define LAST_ROWS    4
#define MOST_COLUMNS 8

#define HOST_WIDTH  16
#define LEAST_WHERE 20

struct columns {
	bool has_hosts, has_waits;
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

static char *describe_worst(const struct page *page, const struct job_row *row, size_t width)
{
	const struct summary_finding *worst = row->worst;
	struct format time;
	char *text, *cut;

	if (!worst)
		return memory_format("-");
	text = memory_format("%s  %s  %s",
			     format_time(&time, summary_saving(row->member->summary, &worst->lost)),
			     worst->id, worst->where);
	cut = page_cut_end(page, text, width);
	free(text);
	return cut;
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
	const char *cells[MOST_COLUMNS];
	size_t count = 0;

	cells[count++] = name;
	if (columns->has_hosts)
		cells[count++] = host;
	cells[count++] = format_time(&wall, summary->wall_ns);
	cells[count++] = job_figures_share(&idle, row, summary->load.idle_ns);
	if (columns->has_waits)
		cells[count++] = job_figures_share(&waits, row, row->waiting.waited_ns);
	cells[count++] = format_time(&lost, summary_saving(summary, &summary->lost));
	cells[count++] = worst;
	table_add_row(table, cells);
	free(worst);
	free(name);
	free(host);
}

static void add_between(const struct columns *columns, size_t left_out, struct table *table)
{
	char *text = memory_format("%zu others between", left_out);
	const char *cells[MOST_COLUMNS] = {"...", "", "", "", "", "", "", ""};

	cells[4 + columns->has_hosts + columns->has_waits] = text;
	table_add_row(table, cells);
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

/* What is left of the line for the finding. */
static size_t left_width(const struct page *page, const struct job_report *report,
			 const struct columns *columns)
{
	size_t used = widest_name(report) + strlen("1.23 ms") + strlen("GPU idle") +
		      strlen("1.23 ms") + 4 * GAP;

	used += columns->has_hosts ? widest_host(report) + GAP : 0;
	used += columns->has_waits ? strlen("waits") + 1 + GAP : 0;
	return page->table_width > used + LEAST_WHERE ? page->table_width - used : LEAST_WHERE;
}

static void add_columns(struct table *table, const struct job_report *report,
			const struct columns *columns)
{
	table_set_gap(table, GAP);
	table_add_column(table, report->rank_count ? "rank" : "process", true);
	if (columns->has_hosts)
		table_add_column(table, "host", false);
	table_add_column(table, "wall", true);
	table_add_column(table, "GPU idle", true);
	if (columns->has_waits)
		table_add_column(table, "waits", true);
	table_add_column(table, "lost", true);
	table_add_column(table, "largest finding", false);
}

bool print_job_rows(const struct page *page, const struct job_report *report, bool all)
{
	struct columns columns = {.has_hosts = report->host_count > 1,
				  .has_waits = report->complete_count > 0};
	struct table table = table_open(page->out, 0);

	columns.finding_width = left_width(page, report, &columns);
	add_columns(&table, report, &columns);
	add_rows(page, report, &columns, all, &table);
	return table_print(&table);
}

static void add_group(const struct page *page, const struct job_report *report, size_t index,
		      size_t where_width, struct table *table)
{
	const struct job_group *group = &report->groups[index];
	char *number = memory_format("%zu", index + 1);
	char *rows = job_rows_name(report, group->rows, group->row_count);
	char *where = page_cut_start(page, group->where, where_width), *saves;
	struct format time, percent;

	saves = memory_format("%s%s", job_figures_is_further(group) ? "+" : "",
			      format_time(&time, group->saved.estimate_ns));
	table_add_row(table, (const char *[]){number, saves,
					      format_percent(&percent, group->saved.estimate_ns,
							     report->untraced_ns),
					      group->id, where, rows});
	free(saves);
	free(where);
	free(rows);
	free(number);
}

static size_t where_width(const struct page *page, const struct job_report *report, bool all)
{
	size_t id = strlen("what"), rows = strlen("on"), where = strlen("where"), used;

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
	used = strlen("#1") + strlen("1.23 ms") + strlen("of job") + id + rows + 5 * GAP;
	if (page->table_width <= used + LEAST_WHERE)
		return LEAST_WHERE;
	return where < page->table_width - used ? where : page->table_width - used;
}

bool print_job_groups(const struct page *page, const struct job_report *report, bool all)
{
	struct table table = table_open(page->out, 0);
	size_t width = where_width(page, report, all);

	table_set_gap(&table, GAP);
	table_add_column(&table, "#", true);
	table_add_column(&table, "saves", true);
	table_add_column(&table, "of job", true);
	table_add_column(&table, "what", false);
	table_add_column(&table, "where", false);
	table_add_column(&table, "on", false);
	for (size_t i = 0; i < report->group_count; i++)
		if (!report->groups[i].is_folded || all)
			add_group(page, report, i, width, &table);
	return table_print(&table);
}

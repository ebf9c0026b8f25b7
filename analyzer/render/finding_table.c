#include "render/finding_table.h"

#include "base/format.h"
#include "base/memory.h"
#include "base/vector.h"
#include "render/figures.h"
#include "render/render.h"
#include "render/table.h"
#include "trace/short_name.h"

#include <stdlib.h>
#include <string.h>

#define GAP 2

/* A line that is cut shorter cannot be told from others. */
#define LEAST_WHERE 24

enum column { PROCESS, NUMBER, SAVES, OF_RUN, RANGE, WHAT, WHERE, FUNCTION, TIMES, COLUMNS };

static const struct {
	const char *name;
	bool is_right;
} columns[COLUMNS] = {
	[PROCESS] = {"process", false}, [NUMBER] = {"#", true},	    [SAVES] = {"saves", true},
	[OF_RUN] = {"of run", true},	[RANGE] = {"range", false}, [WHAT] = {"what", false},
	[WHERE] = {"where", false},	[FUNCTION] = {"in", false}, [TIMES] = {"times", true},
};

/* What is left out first, where the page is narrow. */
static const enum column droppable[] = {FUNCTION, TIMES, OF_RUN, RANGE};

struct row {
	char *cells[COLUMNS];
	bool is_line; /* a file with its line, which ends with what tells most */
	int64_t saved_ns;
	size_t order;
};

struct finding_table {
	VECTOR(struct row) rows;
	bool has_processes;
	size_t widths[COLUMNS];
	bool is_left_out[COLUMNS];
};

static char *describe_saving(const struct analysis *analysis, const struct finding *finding)
{
	struct format time;

	format_time(&time, finding_saved_ns(finding, analysis->check.has_estimates));
	return memory_format("%s%s", finding_mark(finding), time.text);
}

static char *describe_place(const struct trace *trace, const struct finding *finding)
{
	char *text = render_line(trace, &finding->site, finding->copies), *all;

	if (finding_line_count(finding) < 2)
		return text;
	all = memory_format("%s (+%zu)", text, finding_line_count(finding) - 1);
	free(text);
	return all;
}

static struct row make_row(const struct trace *trace, const struct analysis *analysis, size_t index,
			   const char *process)
{
	const struct finding *finding = &analysis->findings.items[index];
	int64_t saved_ns = finding_saved_ns(finding, analysis->check.has_estimates);
	char *range = finding->is_bound ? NULL : figures_range(analysis, &finding->lost);
	struct format percent, count;
	struct short_name name;
	const char *function = render_more_function(trace, &finding->site, &name);
	struct row row = {
		.cells =
			{
				[PROCESS] = memory_format("%s", process ? process : ""),
				[NUMBER] = memory_format("%zu", index + 1),
				[SAVES] = describe_saving(analysis, finding),
				[OF_RUN] = memory_format(
					"%s", format_percent(&percent, saved_ns,
							     analysis->check.untraced_ns)),
				[RANGE] = range ? range : memory_format("%s", ""),
				[WHAT] = memory_format("%s", finding->id),
				[WHERE] = describe_place(trace, finding),
				[FUNCTION] = memory_format("%s", function ? function : ""),
				[TIMES] = memory_format("%s", format_count(&count, finding->count)),
			},
		.is_line = finding->site.file && finding->site.line > 0,
		.saved_ns = saved_ns,
	};

	return row;
}

static size_t width_of(const struct page *page, const char *text)
{
	return page_text_width(page, text, strlen(text));
}

static size_t total_width(const struct finding_table *table)
{
	size_t width = 0;

	for (int column = 0; column < COLUMNS; column++)
		if (!table->is_left_out[column])
			width += table->widths[column] + GAP;
	return width - GAP;
}

/* Whether it fits, with lines cut to no less than LEAST_WHERE. */
static bool fit_columns(struct finding_table *table, size_t width)
{
	size_t total = total_width(table), where = table->widths[WHERE];

	if (total <= width)
		return true;
	if (where <= LEAST_WHERE || total - (where - LEAST_WHERE) > width)
		return false;
	table->widths[WHERE] = where - (total - width);
	return true;
}

static size_t widest_cell(const struct page *page, const struct finding_table *table, int column)
{
	size_t most = 0;

	for (size_t i = 0; i < table->rows.count; i++) {
		size_t width = width_of(page, table->rows.items[i].cells[column]);

		most = width > most ? width : most;
	}
	return most;
}

static void lay_out(const struct page *page, struct finding_table *table)
{
	size_t drop = 0;

	for (int column = 0; column < COLUMNS; column++) {
		size_t name_width = strlen(columns[column].name),
		       width = widest_cell(page, table, column);

		table->is_left_out[column] = width == 0;
		table->widths[column] = width > name_width ? width : name_width;
	}
	while (!fit_columns(table, page->table_width)) {
		if (drop == sizeof(droppable) / sizeof(*droppable)) {
			table->widths[WHERE] = LEAST_WHERE;
			break;
		}
		table->is_left_out[droppable[drop++]] = true;
	}
}

static void add_row(const struct page *page, const struct finding_table *table,
		    const struct row *row, struct table *out)
{
	char *cells[COLUMNS];
	size_t count = 0;

	for (int column = 0; column < COLUMNS; column++) {
		if (table->is_left_out[column])
			continue;
		if (column != WHERE)
			cells[count] = page_text(page, row->cells[column]);
		else if (row->is_line)
			cells[count] =
				page_cut_start(page, row->cells[WHERE], table->widths[WHERE]);
		else
			cells[count] =
				page_cut_middle(page, row->cells[WHERE], table->widths[WHERE]);
		count++;
	}
	table_add_row(out, (const char *const *)cells);
	while (count)
		free(cells[--count]);
}

/* The largest saving first; equal ones as they came. */
static int compare_rows(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->saved_ns != y->saved_ns)
		return x->saved_ns < y->saved_ns ? 1 : -1;
	return (x->order > y->order) - (x->order < y->order);
}

struct finding_table *finding_table_create(void)
{
	return memory_array(1, sizeof(struct finding_table));
}

void finding_table_free(struct finding_table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->rows.count; i++)
		for (int column = 0; column < COLUMNS; column++)
			free(table->rows.items[i].cells[column]);
	vector_free(&table->rows);
	free(table);
}

void finding_table_add(struct finding_table *table, const struct trace *trace,
		       const struct analysis *analysis, bool all, const char *process)
{
	table->has_processes |= process != NULL;
	for (size_t i = 0; i < analysis->findings.count; i++) {
		struct row row;

		if (!analysis_shows(analysis, i, all))
			continue;
		row = make_row(trace, analysis, i, process);
		row.order = table->rows.count;
		*vector_add(&table->rows) = row;
	}
}

bool finding_table_print(struct finding_table *table, const struct page *page)
{
	struct table out;

	if (!table->rows.count)
		return true;
	if (table->has_processes)
		qsort(table->rows.items, table->rows.count, sizeof(*table->rows.items),
		      compare_rows);
	lay_out(page, table);
	out = table_open(page->out, 0);
	table_set_gap(&out, GAP);
	for (int column = 0; column < COLUMNS; column++)
		if (!table->is_left_out[column])
			table_add_column(&out, columns[column].name, columns[column].is_right);
	for (size_t i = 0; i < table->rows.count; i++)
		add_row(page, table, &table->rows.items[i], &out);
	return table_print(&out);
}

size_t finding_table_count(const struct analysis *analysis, bool all)
{
	size_t count = 0;

	for (size_t i = 0; i < analysis->findings.count; i++)
		count += analysis_shows(analysis, i, all);
	return count;
}

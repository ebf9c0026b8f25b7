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

enum column { NUMBER, SAVES, OF_RUN, RANGE, WHAT, WHERE, FUNCTION, TIMES, COLUMNS };

static const struct {
	const char *name;
	bool is_right;
} columns[COLUMNS] = {
	[NUMBER] = {"#", true},	    [SAVES] = {"saves", true}, [OF_RUN] = {"of run", true},
	[RANGE] = {"range", false}, [WHAT] = {"what", false},  [WHERE] = {"where", false},
	[FUNCTION] = {"in", false}, [TIMES] = {"times", true},
};

/* What is left out first, where the page is narrow. */
static const enum column droppable[] = {FUNCTION, RANGE, TIMES, OF_RUN};

struct cells {
	char *texts[COLUMNS];
	bool is_line; /* a file with its line, which ends with what tells most */
};

struct layout {
	VECTOR(struct cells) rows;
	size_t widths[COLUMNS];
	bool is_left_out[COLUMNS];
};

/* Found with the fixes of others in: it saves that beside them. */
static char *describe_saving(const struct analysis *analysis, const struct finding *finding)
{
	struct format time;

	format_time(&time,
		    analysis->has_estimates ? finding->lost.estimate_ns : finding->lost.high_ns);
	return memory_format("%s%s", finding->pass > 1 ? "+" : "", time.text);
}

/* Without why there is no line, which the finding's block says. */
static char *describe_place(const struct trace *trace, const struct site *site)
{
	char *text = render_site(trace, site), *reason = site->line ? NULL : strstr(text, " (no ");

	if (reason)
		*reason = '\0';
	return text;
}

static struct cells make_cells(const struct trace *trace, const struct analysis *analysis,
			       size_t index)
{
	const struct finding *finding = &analysis->findings[index];
	int64_t saved_ns =
		analysis->has_estimates ? finding->lost.estimate_ns : finding->lost.high_ns;
	char *range = figures_range(analysis, &finding->lost);
	struct format percent, count;
	struct short_name name;
	const char *function = render_function(&finding->site, &name);
	struct cells cells = {
		.texts =
			{
				[NUMBER] = memory_format("%zu", index + 1),
				[SAVES] = describe_saving(analysis, finding),
				[OF_RUN] =
					memory_format("%s", format_percent(&percent, saved_ns,
									   analysis->untraced_ns)),
				[RANGE] = range ? range : memory_format("%s", ""),
				[WHAT] = memory_format("%s", finding->id),
				[WHERE] = describe_place(trace, &finding->site),
				[FUNCTION] = memory_format("%s", function ? function : ""),
				[TIMES] = memory_format("%s", format_count(&count, finding->count)),
			},
		.is_line = finding->site.file && finding->site.line > 0,
	};

	return cells;
}

static size_t width_of(const struct page *page, const char *text)
{
	return page_text_width(page, text, strlen(text));
}

static size_t total_width(const struct layout *layout)
{
	size_t width = 0;

	for (int column = 0; column < COLUMNS; column++)
		if (!layout->is_left_out[column])
			width += layout->widths[column] + GAP;
	return width - GAP;
}

/* Whether it fits, with lines cut to no less than LEAST_WHERE. */
static bool fit(struct layout *layout, size_t width)
{
	size_t total = total_width(layout), where = layout->widths[WHERE];

	if (total <= width)
		return true;
	if (where <= LEAST_WHERE || total - (where - LEAST_WHERE) > width)
		return false;
	layout->widths[WHERE] = where - (total - width);
	return true;
}

static size_t widest(const struct page *page, const struct layout *layout, int column)
{
	size_t most = 0;

	for (size_t i = 0; i < layout->rows.count; i++) {
		size_t width = width_of(page, layout->rows.items[i].texts[column]);

		most = width > most ? width : most;
	}
	return most;
}

static void lay_out(const struct page *page, struct layout *layout)
{
	size_t drop = 0;

	for (int column = 0; column < COLUMNS; column++) {
		size_t name_width = strlen(columns[column].name),
		       width = widest(page, layout, column);

		layout->is_left_out[column] = width == 0;
		layout->widths[column] = width > name_width ? width : name_width;
	}
	while (!fit(layout, page->table_width)) {
		if (drop == sizeof(droppable) / sizeof(*droppable)) {
			layout->widths[WHERE] = LEAST_WHERE;
			break;
		}
		layout->is_left_out[droppable[drop++]] = true;
	}
}

static void add_row(const struct page *page, const struct layout *layout, const struct cells *cells,
		    struct table *table)
{
	const char *texts[COLUMNS];
	size_t count = 0;
	char *where = cells->is_line
			      ? page_cut_start(page, cells->texts[WHERE], layout->widths[WHERE])
			      : page_cut_end(page, cells->texts[WHERE], layout->widths[WHERE]);
	char *function = page_text(page, cells->texts[FUNCTION]);

	for (int column = 0; column < COLUMNS; column++)
		if (!layout->is_left_out[column])
			texts[count++] = column == WHERE      ? where
					 : column == FUNCTION ? function
							      : cells->texts[column];
	table_add_row(table, texts);
	free(function);
	free(where);
}

static bool print_layout(const struct page *page, const struct layout *layout)
{
	struct table table = table_open(page->out, 0);

	table_set_gap(&table, GAP);
	for (int column = 0; column < COLUMNS; column++)
		if (!layout->is_left_out[column])
			table_add_column(&table, columns[column].name, columns[column].is_right);
	for (size_t i = 0; i < layout->rows.count; i++)
		add_row(page, layout, &layout->rows.items[i], &table);
	return table_print(&table);
}

size_t finding_table_count(const struct analysis *analysis, bool all)
{
	size_t count = 0;

	for (size_t i = 0; i < analysis->finding_count; i++)
		count += finding_is_shown(&analysis->findings[i], all);
	return count;
}

bool print_finding_table(const struct page *page, const struct trace *trace,
			 const struct analysis *analysis, bool all)
{
	struct layout layout = {0};
	bool ok = true;

	for (size_t i = 0; i < analysis->finding_count; i++)
		if (finding_is_shown(&analysis->findings[i], all))
			*vector_add(&layout.rows) = make_cells(trace, analysis, i);
	lay_out(page, &layout);
	if (layout.rows.count)
		ok = print_layout(page, &layout);
	for (size_t i = 0; i < layout.rows.count; i++)
		for (int column = 0; column < COLUMNS; column++)
			free(layout.rows.items[i].texts[column]);
	vector_free(&layout.rows);
	return ok;
}

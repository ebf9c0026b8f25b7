#include "render/host_lines.h"

#include "base/format.h"
#include "base/memory.h"
#include "render/render.h"
#include "render/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GAP 2

/* Rows are shown until they make up this share of the host's time, unless that takes more rows. */
#define SHOWN_SHARE 0.95
#define SHOWN_MOST  20

/* The width that is left for texts is that of two cells: what a thread did, at most a third of it, and
 * in which line. */
#define WHAT_SHARE 3
#define LEAST_WHAT 12
#define LEAST_LINE 24

const char *const host_column_names[HOST_COLUMNS] = {
	[HOST_GPU_IDLE] = "GPU idle", [HOST_OF_IDLE] = "of idle", [HOST_SEEN_SHARE] = "seen",
	[HOST_GAPS] = "gaps",	      [HOST_WHAT] = "what",	  [HOST_LINE] = "line",
};

/* How many rows are shown. One row is not worth a row for all others. */
static size_t count_shown(const struct host_idle *host, bool all)
{
	int64_t ns = 0;
	size_t count = 0;

	while (count < host->row_count &&
	       (all || (count < SHOWN_MOST && (double)ns < SHOWN_SHARE * (double)host->ns)))
		ns += host->rows[count++].ns;
	return count + 1 == host->row_count ? count + 1 : count;
}

bool host_lines_choose(struct host_lines *lines, const struct analysis *analysis, size_t index,
		       bool all)
{
	const struct idle *idle = analysis->idle;
	const struct idle_table *table;

	if (index >= (idle->device_count ? idle->device_count : 1))
		return false;
	table = idle->device_count ? &idle->devices[index] : &idle->all;
	if (!table->host)
		return false;
	*lines = (struct host_lines){
		.table = table,
		.texts = {analysis->observed.model->trace, analysis->observed.model->host, false},
		.title = idle->device_count ? memory_format("Device %u", table->device_id)
					    : memory_format("GPU"),
		.row_count = count_shown(table->host, all),
		.other_ns = table->host->ns,
	};
	for (size_t i = 0; i < lines->row_count; i++)
		lines->other_ns -= table->host->rows[i].ns;
	return true;
}

char *host_lines_title(const struct host_lines *lines, const struct analysis *analysis)
{
	const int64_t idle_ns = lines->table->idle_ns;
	struct format idle, of_run, busy, of_idle;

	return memory_format("%s idle %s (%s of the run), %s (%s) of it while the host was busy "
			     "between calls",
			     lines->title, format_time(&idle, idle_ns),
			     format_percent(&of_run, idle_ns, analysis->headline.wall_ns),
			     format_time(&busy, lines->table->host->ns),
			     format_percent(&of_idle, lines->table->host->ns, idle_ns));
}

size_t host_lines_count(const struct host_lines *lines)
{
	return lines->row_count + (lines->row_count < lines->table->host->row_count);
}

/* With what all rows have, the rest is NULL. */
static struct host_cells begin_cells(const struct host_lines *lines, int64_t ns)
{
	struct format idle, of_idle;

	format_time(&idle, ns);
	format_percent(&of_idle, ns, lines->table->idle_ns);
	return (struct host_cells){.texts = {[HOST_GPU_IDLE] = memory_format("%s", idle.text),
					     [HOST_OF_IDLE] = memory_format("%s", of_idle.text)}};
}

static void add_looks(struct host_cells *cells, const struct host_lines *lines,
		      const struct host_idle_row *row)
{
	struct format seen, gaps;

	cells->texts[HOST_SEEN_SHARE] =
		memory_format("%s", format_percent(&seen, row->seen_ns, row->ns));
	cells->texts[HOST_GAPS] =
		memory_format("%s", format_count(&gaps, (uint64_t)llround(row->gap_count)));
	cells->texts[HOST_WHAT] = host_state_phrase(&lines->texts.record->doings[row->doing]);
	cells->texts[HOST_LINE] = host_line_text(&lines->texts, row);
	cells->meanwhile = host_others_text(&lines->texts, &row->others);
}

struct host_cells host_lines_cells(const struct host_lines *lines, size_t index)
{
	const bool is_other = index == lines->row_count;
	const struct host_idle *host = lines->table->host;
	struct host_cells cells =
		begin_cells(lines, is_other ? lines->other_ns : host->rows[index].ns);
	struct format count;

	if (is_other) {
		cells.texts[HOST_WHAT] = memory_format("other");
		cells.texts[HOST_LINE] = memory_format(
			"%s lines", format_count(&count, host->row_count - lines->row_count));
	} else if (host->rows[index].doing != HOST_NOT_SEEN) {
		add_looks(&cells, lines, &host->rows[index]);
	} else {
		cells.texts[HOST_WHAT] = memory_format("not looked at");
	}
	for (int column = 0; column < HOST_COLUMNS; column++)
		if (!cells.texts[column])
			cells.texts[column] = memory_format("%s", "");
	return cells;
}

void host_cells_free(struct host_cells *cells)
{
	for (int column = 0; column < HOST_COLUMNS; column++)
		free(cells->texts[column]);
	free(cells->meanwhile);
}

/* The widest cell, or the column's name. */
static size_t width_of(const struct page *page, const struct host_cells *rows, size_t count,
		       int column)
{
	size_t most = strlen(host_column_names[column]);

	for (size_t i = 0; i < count; i++) {
		const char *cell = rows[i].texts[column];
		size_t width = page_text_width(page, cell, strlen(cell));

		most = width > most ? width : most;
	}
	return most;
}

struct widths {
	size_t what, line;
};

static struct widths lay_out(const struct page *page, const struct host_cells *rows, size_t count)
{
	size_t room = page->table_width, what = width_of(page, rows, count, HOST_WHAT), most;

	for (int column = 0; column < HOST_WHAT; column++) {
		size_t width = width_of(page, rows, count, column) + GAP;

		room = room > width ? room - width : 0;
	}
	most = room / WHAT_SHARE > LEAST_WHAT ? room / WHAT_SHARE : LEAST_WHAT;
	what = what < most ? what : most;
	room = room > what + GAP ? room - what - GAP : 0;
	return (struct widths){what, room > LEAST_LINE ? room : LEAST_LINE};
}

/* The texts as paragraphs of this width; malloc'ed. NULL: out of memory. */
static char *wrap_texts(const struct page *page, size_t width, const char *first,
			const char *second)
{
	struct page cell = *page;
	char *text = NULL;
	size_t size;

	cell.width = width;
	cell.out = open_memstream(&text, &size);
	if (!cell.out)
		return NULL;
	if (*first)
		print_wrapped(&cell, NULL, 0, first);
	if (second && *second)
		print_wrapped(&cell, NULL, 0, second);
	return fclose(cell.out) ? NULL : text;
}

/* The next line of the text, which ends there now. */
static const char *take_line(char **rest)
{
	const char *line = *rest && **rest ? strsep(rest, "\n") : NULL;

	return line ? line : "";
}

/* As many rows as the longest cell has lines. */
static bool add_row(const struct page *page, const struct host_cells *row, struct widths widths,
		    struct table *table)
{
	char *what = wrap_texts(page, widths.what, row->texts[HOST_WHAT], NULL);
	char *line = wrap_texts(page, widths.line, row->texts[HOST_LINE], row->meanwhile);
	char *what_rest = what, *line_rest = line;
	const char *cells[HOST_COLUMNS];

	memcpy(cells, row->texts, sizeof(cells));
	while (what && line) {
		cells[HOST_WHAT] = take_line(&what_rest);
		cells[HOST_LINE] = take_line(&line_rest);
		table_add_row(table, cells);
		if (!(what_rest && *what_rest) && !(line_rest && *line_rest))
			break;
		for (int column = 0; column < HOST_WHAT; column++)
			cells[column] = "";
	}
	free(line);
	free(what);
	return what && line;
}

bool host_lines_print(const struct page *page, const struct host_lines *lines)
{
	const size_t count = host_lines_count(lines);
	struct host_cells *rows = memory_array(count, sizeof(*rows));
	struct table table = table_open(page->out, 0);
	struct widths widths;
	bool ok = true;

	for (size_t i = 0; i < count; i++)
		rows[i] = host_lines_cells(lines, i);
	widths = lay_out(page, rows, count);
	table_set_gap(&table, GAP);
	for (int column = 0; column < HOST_COLUMNS; column++)
		table_add_column(&table, host_column_names[column], column < HOST_WHAT);
	for (size_t i = 0; i < count; i++) {
		ok = add_row(page, &rows[i], widths, &table) && ok;
		host_cells_free(&rows[i]);
	}
	free(rows);
	return table_print(&table) && ok;
}

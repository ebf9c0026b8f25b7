/* The renderers of `report --host`: lines of the host by the GPU idle time behind them (host_lines.h), as text, md and
 * csv. JSON has them in each report. */
#include "base/csv_text.h"
#include "base/format.h"
#include "base/memory.h"
#include "render/figures.h"
#include "render/host_lines.h"
#include "render/md_text.h"
#include "render/render.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static void begin_host(struct rendering *rendering)
{
}

/* Between two reports. */
static void part_reports(struct rendering *rendering)
{
	if (rendering->seen_count++)
		fputc('\n', rendering->out);
}

static bool end_host(struct rendering *rendering)
{
	return true;
}

static bool report_text(struct rendering *rendering, const struct trace *trace,
			const struct analysis *analysis, bool all)
{
	const struct page page = page_open(rendering->out);
	struct host_lines lines;
	bool ok = true, has_rows = false;

	part_reports(rendering);
	if (rendering->trace_count > 1)
		print_wrapped(&page, NULL, 0, trace->path);
	render_run(&page, trace, analysis);
	for (size_t i = 0; host_lines_choose(&lines, analysis, i, all); i++) {
		char *title = host_lines_title(&lines, analysis);

		fputc('\n', page.out);
		print_formatted(&page, NULL, 0, "%s%s", title, lines.row_count ? ":" : ".");
		if (lines.row_count)
			ok = host_lines_print(&page, &lines) && ok;
		has_rows |= lines.row_count > 0;
		free(title);
		free(lines.title);
	}
	if (has_rows)
		print_heading(&page,
			      "seen: the share of the time that snapshots of the threads show. The "
			      "rest passed between snapshots, and is divided like similar gaps.");
	return ok;
}

const struct renderer renderer_host_text = {
	.begin = begin_host, .report = report_text, .end = end_host};

/* A cell of what a trace says; of no text nothing. */
static void put_code(FILE *out, const char *text)
{
	fputc(' ', out);
	if (text && *text)
		md_code(out, text);
	fputs(" |", out);
}

static void put_md_row(FILE *out, const struct host_lines *lines, size_t index)
{
	struct host_cells cells = host_lines_cells(lines, index);

	fputc('|', out);
	for (int column = 0; column < HOST_WHAT; column++)
		fprintf(out, " %s |", cells.texts[column]);
	put_code(out, cells.texts[HOST_WHAT]);
	put_code(out, cells.texts[HOST_LINE]);
	put_code(out, cells.meanwhile);
	fputc('\n', out);
	host_cells_free(&cells);
}

static bool report_md(struct rendering *rendering, const struct trace *trace,
		      const struct analysis *analysis, bool all)
{
	FILE *out = rendering->out;
	struct host_lines lines;

	part_reports(rendering);
	for (size_t i = 0; host_lines_choose(&lines, analysis, i, all); i++) {
		char *title = host_lines_title(&lines, analysis);

		fprintf(out, "%s### streamtrace: %s\n\n", i ? "\n" : "", title);
		md_code(out, trace->path);
		fputs("\n\n", out);
		for (int column = 0; column < HOST_COLUMNS; column++)
			fprintf(out, "| %s ", host_column_names[column]);
		fputs("| meanwhile |\n|--:|--:|--:|--:|---|---|---|\n", out);
		for (size_t k = 0; k < host_lines_count(&lines); k++)
			put_md_row(out, &lines, k);
		free(title);
		free(lines.title);
	}
	return true;
}

const struct renderer renderer_host_md = {
	.begin = begin_host, .report = report_md, .end = end_host};

static void put_cell(FILE *out, const char *text)
{
	fputc(',', out);
	csv_text(out, text);
}

static void put_site(FILE *out, const struct site *site)
{
	put_cell(out, site->file);
	fputc(',', out);
	if (site->line > 0)
		fprintf(out, "%d", site->line);
	put_cell(out, site->function);
	put_cell(out, site->module);
}

static void put_csv_row(FILE *out, const struct trace *trace, const struct host_lines *lines,
			size_t index)
{
	static const struct host_doing nothing;
	const struct host_idle_row *row = &lines->table->host->rows[index];
	const bool is_known = row->doing != HOST_NOT_SEEN;
	const struct host_doing *doing =
		is_known ? &lines->texts.record->doings[row->doing] : &nothing;
	char *program = figures_program(trace);
	char *thread = is_known ? host_thread_text(&lines->texts, row->thread_id, 1) : NULL;
	char *meanwhile = host_others_text(&lines->texts, &row->others);

	csv_text(out, trace->path);
	put_cell(out, program);
	put_cell(out, lines->title);
	fprintf(out, ",%zu,%" PRId64 ",%" PRId64 ",%lld", index + 1, row->ns, row->seen_ns,
		llround(row->gap_count));
	put_cell(out, host_state_text(&lines->texts, row->doing));
	put_cell(out, doing->name);
	put_site(out, &doing->site);
	put_cell(out, doing->called);
	put_cell(out, thread);
	fprintf(out, ",%u,%" PRId64 ",%lld", row->thread_count, row->ready_ns,
		llround(row->faults));
	put_cell(out, meanwhile);
	fputs("\r\n", out);
	free(meanwhile);
	free(thread);
	free(program);
}

static void begin_csv(struct rendering *rendering)
{
	if (!rendering->seen_count++)
		fputs("trace,program,device,number,gpu_idle_ns,seen_ns,gaps,what,awaited,file,line,"
		      "function,module,called,thread,threads,without_processor_ns,page_faults,"
		      "meanwhile\r\n",
		      rendering->out);
}

/* All rows: a spreadsheet chooses. */
static bool report_csv(struct rendering *rendering, const struct trace *trace,
		       const struct analysis *analysis, bool all)
{
	struct host_lines lines;

	(void)all;
	for (size_t i = 0; host_lines_choose(&lines, analysis, i, true); i++) {
		for (size_t k = 0; k < lines.row_count; k++)
			put_csv_row(rendering->out, trace, &lines, k);
		free(lines.title);
	}
	return true;
}

const struct renderer renderer_host_csv = {
	.begin = begin_csv, .report = report_csv, .end = end_host};

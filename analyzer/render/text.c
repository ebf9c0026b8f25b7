#include "base/format.h"
#include "base/memory.h"
#include "render/page.h"
#include "render/render.h"

#include <langinfo.h>
#include <libsmartcols.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define DEFAULT_WIDTH 80
#define BAR_CELLS     20
#define EVIDENCE_ROWS 3

struct page page_open(FILE *out)
{
	struct page page = {.out = out, .width = DEFAULT_WIDTH};
	struct winsize size;

	if (isatty(fileno(out)) && ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		page.width = size.ws_col;
	page.is_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	return page;
}

/* Characters, not bytes. */
static size_t text_width(const char *text, size_t bytes)
{
	size_t width = 0, i;

	for (i = 0; i < bytes; i++)
		width += ((unsigned char)text[i] & 0xc0) != 0x80;
	return width;
}

void print_wrapped(const struct page *page, const char *lead, int indent, const char *text)
{
	size_t column = (size_t)indent, bytes, width;
	bool is_first = true;

	fprintf(page->out, "%-*s", indent, lead ? lead : "");
	while (*text) {
		bytes = strcspn(text, " \n");
		width = text_width(text, bytes);
		if (!is_first && column + 1 + width > page->width) {
			fprintf(page->out, "\n%*s", indent, "");
			column = (size_t)indent;
			is_first = true;
		}
		fprintf(page->out, "%s%.*s", is_first ? "" : " ", (int)bytes, text);
		column += width + !is_first;
		is_first = false;
		text += bytes;
		if (*text == '\n' && text[1]) {
			fprintf(page->out, "\n%*s", indent, "");
			column = (size_t)indent;
			is_first = true;
		}
		text += strspn(text, " \n");
	}
	fputc('\n', page->out);
}

/* A table that is as wide as the page; columns are added to it by name and flags. */
static struct libscols_table *table_open(const struct page *page)
{
	struct libscols_table *table = scols_new_table();

	if (!table) {
		fputs("streamtrace: out of memory\n", stderr);
		exit(3);
	}
	scols_table_set_stream(table, page->out);
	scols_table_set_termforce(table, SCOLS_TERMFORCE_ALWAYS);
	scols_table_set_termwidth(table, page->width);
	scols_table_enable_nowrap(table, 0);
	return table;
}

static void table_close(struct libscols_table *table)
{
	scols_print_table(table);
	scols_unref_table(table);
}

void print_field(const struct page *page, const char *name, const char *value)
{
	print_wrapped(page, name, 10, value);
}

static void print_identity(const struct page *page, const struct trace *trace,
			   const struct analysis *analysis)
{
	const char *program = trace_metadata(trace, "program");
	char *devices = render_devices(trace), *line, *lead;
	struct format time, calls, operations;

	print_field(page, "trace", trace->path);
	print_field(page, "program", program ? program : "unknown");
	print_field(page, "device", devices ? devices : "unknown");
	lead = analysis->lead_ns ? memory_format(", %s of it before the device's first operation",
						 format_time(&time, analysis->lead_ns))
				 : memory_format("%s", "");
	line = memory_format("%s from first to last activity%s: %s calls, %s device operations",
			     format_time(&time, analysis->wall_ns), lead,
			     format_count(&calls, trace->call_count),
			     format_count(&operations, trace->operation_count));
	free(lead);
	if (trace->window_count) {
		free(line);
		line = memory_format("recorded in %zu window%s, %s of them: %s calls, %s device "
				     "operations",
				     trace->window_count, trace->window_count == 1 ? "" : "s",
				     format_time(&time, analysis->wall_ns),
				     format_count(&calls, trace->call_count),
				     format_count(&operations, trace->operation_count));
	}

	print_field(page, "wall time", line);
	free(line);
	free(devices);
}

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

static void print_engine(const struct page *page, struct libscols_table *table, const char *name,
			 int64_t busy_ns, int64_t wall_ns)
{
	struct libscols_line *line = scols_table_new_line(table, NULL);
	char *bar = make_bar(page, busy_ns, wall_ns);
	struct format format;

	scols_line_set_data(line, 0, name);
	scols_line_set_data(line, 1, format_time(&format, busy_ns));
	scols_line_set_data(line, 2, format_percent(&format, busy_ns, wall_ns));
	scols_line_set_data(line, 3, bar);
	scols_line_set_data(line, 4, format_time(&format, wall_ns - busy_ns));
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

void print_engines(const struct page *page, const struct analysis *analysis)
{
	struct libscols_table *table = table_open(page);
	struct format time, percent, idle_time, idle_percent;
	char *line;
	int engine;

	scols_table_new_column(table, "ENGINE", 0, 0);
	scols_table_new_column(table, "BUSY", 0, SCOLS_FL_RIGHT);
	scols_table_new_column(table, "OF RUN", 0, SCOLS_FL_RIGHT);
	scols_table_new_column(table, "", 0, 0);
	scols_table_new_column(table, "IDLE", 0, SCOLS_FL_RIGHT);
	for (engine = 0; engine < ENGINE_COUNT; engine++)
		if (engine != ENGINE_PEER || analysis->busy_ns[engine])
			print_engine(page, table, engine_name((enum engine)engine),
				     analysis->busy_ns[engine], analysis->wall_ns);
	table_close(table);
	line = memory_format("Two or more engines were busy for %s (%s), none for %s (%s).",
			     format_time(&time, analysis->overlapped_ns),
			     format_percent(&percent, analysis->overlapped_ns, analysis->wall_ns),
			     format_time(&idle_time, analysis->idle_ns),
			     format_percent(&idle_percent, analysis->idle_ns, analysis->wall_ns));
	print_wrapped(page, NULL, 0, line);
	free(line);
}

/* What the findings that are shown save together is another time than their sum. */
static const char *compare_with_sum(const struct analysis *analysis)
{
	int64_t sum_ns = 0;
	size_t i;

	for (i = 0; i < analysis->finding_count; i++)
		if (!analysis->findings[i].is_folded)
			sum_ns += analysis->findings[i].lost.estimate_ns;
	if (sum_ns > analysis->lost.estimate_ns + analysis->lost.estimate_ns / 100)
		return ", less than the findings' sum: their fixes save some of the same time";
	if (analysis->has_estimates &&
	    sum_ns < analysis->lost.estimate_ns - analysis->lost.estimate_ns / 100)
		return ", more than the findings' sum: behind one wait another holds what a fix "
		       "frees, and only together they bring it back";
	return "";
}

/* "363 ms (20.1 % of the run), between 350 and 364 ms"; malloc'ed. */
static char *describe_interval(const struct analysis *analysis, const struct interval *lost)
{
	struct format estimate, percent, low, high;

	format_time(&high, lost->high_ns);
	format_percent(&percent, analysis->has_estimates ? lost->estimate_ns : lost->high_ns,
		       analysis->wall_ns);
	if (!analysis->has_estimates)
		return memory_format("at most %s (%s of the run)", high.text, percent.text);
	format_time(&estimate, lost->estimate_ns);
	format_time(&low, lost->low_ns);
	if (!strcmp(low.text, estimate.text) && !strcmp(high.text, estimate.text))
		return memory_format("%s (%s of the run)", estimate.text, percent.text);
	return memory_format("%s (%s of the run), between %s and %s", estimate.text, percent.text,
			     low.text, high.text);
}

static void print_answer(const struct page *page, const struct trace *trace,
			 const struct analysis *analysis)
{
	char *line, *interval;

	fputc('\n', page->out);
	if (trace->operation_count == 0) {
		print_wrapped(page, NULL, 0,
			      "Lost overlap: unknown, for the trace holds no device operation.");
		return;
	}
	if (analysis->lost.estimate_ns <= 0) {
		print_wrapped(
			page, NULL, 0,
			"Nothing was lost to waits: no operation and no call was held back for "
			"long.");
		return;
	}
	interval = describe_interval(analysis, &analysis->lost);
	line = memory_format("Lost overlap: %s%s", interval, compare_with_sum(analysis));
	free(interval);
	print_wrapped(page, NULL, 0, line);
	free(line);
}

static void print_evidence(const struct page *page, const struct finding *finding)
{
	struct format start, duration;
	char *lead;
	size_t i;

	for (i = 0; i < finding->evidence_count && i < EVIDENCE_ROWS; i++) {
		const struct evidence_row *row = &finding->evidence[i];

		lead = memory_format("    at %-7s for %-7s  ", format_time(&start, row->start_ns),
				     format_time(&duration, row->end_ns - row->start_ns));
		print_wrapped(page, lead, (int)strlen(lead), row->text);
		free(lead);
	}
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void print_finding(const struct page *page, const struct trace *trace,
			  const struct analysis *analysis, size_t number)
{
	const struct finding *finding = &analysis->findings[number - 1];
	struct format blocked, count;
	char lead[24], *line, *interval, *place = render_place(trace, &finding->site);
	const char *through = finding->site.through;

	snprintf(lead, sizeof(lead), "%zu.", number);
	fputc('\n', page->out);
	line = memory_format("%s: %s", finding->id, finding->title);
	print_wrapped(page, lead, 4, line);
	free(line);
	line = memory_format("%s%s%s%s%s", place, finding->site.function ? " in " : "",
			     finding->site.function ? finding->site.function : "",
			     through ? " through " : "", through ? base_name(through) : "");
	print_wrapped(page, NULL, 4, line);
	free(line);
	interval = describe_interval(analysis, &finding->lost);
	line = memory_format("%s%s wait%s, %s in all; the fix saves %s%s%s",
			     finding->pass > 1 ? "Binds only with the fixes above in, then: " : "",
			     format_count(&count, finding->count), finding->count == 1 ? "" : "s",
			     format_time(&blocked, finding->blocked_ns),
			     finding->pass > 1 ? "another " : "", interval,
			     finding->count > 1 ? "\nthe longest, by time since the first activity:"
						: "");
	free(interval);
	print_wrapped(page, NULL, 4, line);
	print_evidence(page, finding);
	print_wrapped(page, "    fix: ", 9, finding->fix);
	free(line);
	free(place);
}

static void print_findings(const struct page *page, const struct trace *trace,
			   const struct analysis *analysis, bool all)
{
	struct format time;
	char *line;
	size_t i;

	for (i = 0; i < analysis->finding_count; i++)
		if (all || !analysis->findings[i].is_folded)
			print_finding(page, trace, analysis, i + 1);
	if (analysis->folded_count > 0 && !all) {
		line = memory_format("%zu smaller finding%s at most %s lost: --all shows %s.",
				     analysis->folded_count,
				     analysis->folded_count == 1 ? "," : "s, each",
				     format_time(&time, analysis->folded_lost_ns),
				     analysis->folded_count == 1 ? "it" : "them");
		fputc('\n', page->out);
		print_wrapped(page, NULL, 0, line);
		free(line);
	}
	if (analysis->finding_count == (all ? 0 : analysis->folded_count))
		return;
	fputc('\n', page->out);
	print_wrapped(
		page, NULL, 0,
		analysis->has_estimates
			? "Each estimate is the trace replayed with the fix in. The low end "
			  "keeps every dependence that cannot be ruled out; the high end is "
			  "what the waits held back or the replay saves, never more than the "
			  "device's and the host's own work leave to save."
			: "Each figure is an upper bound: what the waits held back, never more "
			  "than the time that the device's and the host's own work leave to "
			  "save.");
}

/* Where there are several, for one is the run. */
static void print_device_checks(const struct page *page, const struct analysis *analysis)
{
	struct format replayed, measured, error;

	for (size_t i = 0; analysis->device_count > 1 && i < analysis->device_count; i++) {
		const struct device_check *check = &analysis->device_checks[i];
		int64_t error_ns = llabs(check->replayed_ns - check->measured_ns);
		char *line = memory_format(
			"Device %u: %s from its first operation to its last, %s off the measured "
			"%s.",
			check->device_id, format_time(&replayed, check->replayed_ns),
			format_percent(&error, error_ns, check->measured_ns),
			format_time(&measured, check->measured_ns));

		print_wrapped(page, NULL, 0, line);
		free(line);
	}
}

static void print_self_check(const struct page *page, const struct trace *trace,
			     const struct analysis *analysis)
{
	struct format replayed, measured, error;
	char *line;

	if (trace->window_count > 1) {
		line = memory_format("Self-check: not made, for what happened between the %zu "
				     "windows is not known. No estimates.",
				     trace->window_count);
		fputc('\n', page->out);
		print_wrapped(page, NULL, 0, line);
		free(line);
		return;
	}
	format_time(&measured, analysis->wall_ns);
	format_time(&replayed, analysis->replayed_ns);
	format_percent(&error, llabs(analysis->replayed_ns - analysis->wall_ns), analysis->wall_ns);
	if (analysis->replayed_ns < 0)
		line = memory_format("Self-check failed: the trace cannot be replayed, for its "
				     "order contradicts itself. No estimates.");
	else
		line = memory_format(
			"Self-check%s: replayed without a fix the run takes %s, %s off "
			"the measured %s.%s",
			analysis->has_estimates ? "" : " failed", replayed.text, error.text,
			measured.text, analysis->has_estimates ? "" : " No estimates.");
	fputc('\n', page->out);
	print_wrapped(page, NULL, 0, line);
	free(line);
	if (analysis->replayed_ns >= 0)
		print_device_checks(page, analysis);
}

static void print_not_seen(const struct page *page, const struct analysis *analysis)
{
	char *line;
	size_t i;

	if (analysis->not_seen_count == 0)
		return;
	fputs("\nNot seen, or not to be judged:\n", page->out);
	for (i = 0; i < analysis->not_seen_count; i++) {
		line = memory_format("%s: %s", analysis->not_seen[i].what,
				     analysis->not_seen[i].why);
		print_wrapped(page, "  - ", 4, line);
		free(line);
	}
}

void render_text(FILE *out, const struct trace *trace, const struct analysis *analysis, bool all)
{
	struct page page = page_open(out);

	print_identity(&page, trace, analysis);
	fputc('\n', out);
	if (trace->call_count == 0 && trace->operation_count == 0 && !trace->untimed_operations) {
		fputs("no CUDA call was traced\n", out);
	} else {
		if (trace->operation_count)
			print_engines(&page, analysis);
		print_answer(&page, trace, analysis);
		print_findings(&page, trace, analysis, all);
		print_first_uses(&page, trace, analysis);
		if (trace->operation_count)
			print_self_check(&page, trace, analysis);
	}
	print_not_seen(&page, analysis);
}

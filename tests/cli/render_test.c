/*
 * Reports on an analysis made by hand, with round numbers, against golden/NAME.txt. After a
 * change that is meant: render_test NAME prints the new text.
 */
#include "build_trace.h"
#include "cmocka_test.h"
#include "base/memory.h"
#include "findings/idle.h"
#include "detectors/instance.h"
#include "findings/interval_private.h"
#include "findings/steady.h"
#include "model/model.h"
#include "render/page.h"
#include "render/render.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#define MS 1000000LL

static const struct trace_range range = {.name = "forward", .domain = "train"};

static struct evidence_row copies[] = {
	{12 * MS, 42 * MS, .text = "cudaMemcpyAsync of 16.0 MB waited for kernel step(float*)",
	 .range = &range},
	{100 * MS, 120 * MS, .text = "cudaMemcpyAsync of 16.0 MB waited for its own copy"},
	{200 * MS, 210 * MS,
	 .text = "cudaMemcpyAsync of 16.0 MB waited for a kernel whose name is so long "
		 "that it does not fit into what is left of the line"},
	{300 * MS, 305 * MS, .text = "a fourth row, which the text leaves out"},
};

/* Two lines copy the same buffer. */
static struct finding_site copy_sites[] = {
	{.site = {.file = "/home/user/app/overlap.cu",
		  .line = 42,
		  .function = "run(float*)",
		  .module = "/home/user/app/overlap",
		  .offset = 4660},
	 .count = 900,
	 .blocked_ns = 390 * MS},
	{.site = {.file = "/home/user/app/restart.cu",
		  .line = 7,
		  .function = "restart(float*)",
		  .module = "/home/user/app/overlap",
		  .offset = 5660},
	 .count = 100,
	 .blocked_ns = 10 * MS},
};

static struct finding findings[] = {
	{
		.id = "pageable-copy",
		.title = "Asynchronous copies from pageable memory blocked the host",
		.cost = "blocked",
		.fix = "Allocate the host buffer with cudaMallocHost, or pin it once with\n"
		       "cudaHostRegister: only then cudaMemcpyAsync returns at once.",
		.site = {.file = "/home/user/app/overlap.cu",
			 .line = 42,
			 .function = "run(float*)",
			 .module = "/home/user/app/overlap",
			 .offset = 4660},
		.sites = copy_sites,
		.site_count = 2,
		.shared = "host memory",
		.count = 1000,
		.blocked_ns = 400 * MS,
		.lost = {100 * MS, 250 * MS, 300 * MS},
		.evidence = copies,
		.evidence_count = 4,
	},
	{
		.id = "sync-free",
		.title = "cudaFree waited for all pending work",
		.cost = "blocked",
		.fix = "Free after the loop, or use cudaFreeAsync.",
		.relies_on = "no other stream uses the memory",
		.price = "the memory stays allocated",
		.site = {.function = "release()",
			 .module = "/opt/lib/libpool.so",
			 .offset = 0x1234,
			 .through = "/usr/lib/libcublas.so.13.1.0.3"},
		.count = 1,
		.blocked_ns = 50 * MS,
		.lost = {0, 50 * MS, 50 * MS},
		.low_end = "another stream may use the memory",
	},
	{
		.id = "small",
		.title = "A finding below the threshold",
		.cost = "blocked",
		.fix = "None is needed.",
		.count = 2,
		.blocked_ns = 2 * MS,
		.lost = {0, MS, MS},
		.is_folded = true,
	},
	{
		.id = "sibling",
		.title = "A finding in a folder whose name begins like the working directory's",
		.cost = "blocked",
		.fix = "None is needed.",
		.site = {.file = "/home/user/app2/other.cu",
			 .line = 7,
			 .module = "/home/user/app/overlap",
			 .offset = 16},
		.count = 1,
		.is_folded = true,
		.lost = {0, 10000, 20000},
	},
	/* It saves nothing, and is not shown. */
	{
		.id = "nothing",
		.title = "A finding that is never printed",
		.cost = "blocked",
		.fix = "None is needed.",
		.count = 1,
		.is_folded = true,
	},
};

/* The same as they are shown with estimates. */
static struct finding stated_findings[sizeof(findings) / sizeof(*findings)];

static struct in_order in_order[sizeof(findings) / sizeof(*findings)];

static struct not_seen not_seen[] = {
	{"ring-overflow", "12 calls were dropped: the writer fell behind"},
};

/* 200 ms in all: with two lines, one of them of work between two calls; and two devices. */
static struct idle_table wasteful_devices[] = {
	{.device_id = 0, .idle_ns = 200 * MS, .rows = {[IDLE_START] = {.ns = 200 * MS}}},
	{.device_id = 1, .idle_ns = 900 * MS, .rows = {[IDLE_END] = {.ns = 900 * MS}}},
};

static struct idle wasteful_idle = {
	.all = {.idle_ns = 200 * MS,
		.rows = {[IDLE_HOST_WORK] =
				 {.ns = 120 * MS,
				  .line_count = 2,
				  .lines = {{.ns = 90 * MS,
					     .gap_count = 1000,
					     .function = "cudaLaunchKernel",
					     .site = {.file = "/home/user/app/overlap.cu",
						      .line = 42,
						      .module = "/home/user/app/overlap",
						      .offset = 16},
					     .has_from = true,
					     .from = {.file = "/home/user/app/overlap.cu",
						      .line = 40,
						      .module = "/home/user/app/overlap",
						      .offset = 8}},
					    {.ns = 30 * MS,
					     .gap_count = 1,
					     .function = "cudaLaunchKernel",
					     .site = {.file = "/home/user/app/overlap.cu",
						      .line = 7,
						      .module = "/home/user/app/overlap",
						      .offset = 4}}}},
			 [IDLE_LAUNCHING] =
				 {.ns = 60 * MS,
				  .line_count = 1,
				  .lines = {{.ns = 50 * MS,
					     .gap_count = 3,
					     .function = "cudaLaunchKernel",
					     .site = {.file = "/home/user/app/overlap.cu",
						      .line = 42,
						      .module = "/home/user/app/overlap",
						      .offset = 16}}}},
			 [IDLE_START] = {.ns = 15 * MS},
			 [IDLE_UNEXPLAINED] = {.ns = 5 * MS}}},
	.devices = wasteful_devices,
	.device_count = 2,
};

static struct idle no_idle;

/* Of the trace that is rendered. */
static struct model made;

static const struct analysis wasteful = {
	.observed.model = &made,
	.headline.origin_ns = 1000 * MS,
	.idle = &wasteful_idle,
	.headline.wall_ns = 1000 * MS,
	.check.untraced_ns = 1000 * MS,
	.headline.busy_ns = {600 * MS, 200 * MS, 100 * MS, 0},
	.headline.idle_ns = 200 * MS,
	.headline.overlapped_ns = 100 * MS,
	.findings.lost = {49 * MS, 300 * MS, 401 * MS},
	.check.replayed_ns = 1002 * MS,
	.check.has_estimates = true,
	.findings.items = stated_findings,
	.findings.count = 5,
	.findings.folded_count = 3,
	.findings.folded_ns = MS,
	.in_order = in_order,
	.not_seen.items = not_seen,
	.not_seen.count = 1,
};

static const struct analysis perfect = {
	.observed.model = &made,
	.headline.origin_ns = 1000 * MS,
	.idle = &no_idle,
	.headline.wall_ns = 100 * MS,
	.check.untraced_ns = 100 * MS,
	.headline.busy_ns = {80 * MS, 20 * MS, 10 * MS, 5 * MS},
	.headline.idle_ns = 0,
	.headline.overlapped_ns = 10 * MS,
	.check.replayed_ns = 100 * MS,
	.check.has_estimates = true,
};

/* Replays that say nothing: too far off, and none. */
static const struct analysis unchecked = {
	.observed.model = &made,
	.headline.origin_ns = 1000 * MS,
	.idle = &no_idle,
	.headline.wall_ns = 1000 * MS,
	.check.untraced_ns = 1000 * MS,
	.findings.lost = {0, 350 * MS, 350 * MS},
	.findings.items = findings,
	.findings.count = 1,
	.in_order = in_order,
	.check.replayed_ns = 900 * MS,
};

/* Nothing to find, and idle: once inside of the device's work, once outside. */
static struct idle idle_inside = {
	.all = {.idle_ns = 700 * MS,
		.rows = {[IDLE_START] = {.ns = 400 * MS}, [IDLE_LAUNCHING] = {.ns = 300 * MS}}},
};

static struct idle idle_outside = {
	.all = {.idle_ns = 700 * MS,
		.rows = {[IDLE_START] = {.ns = 400 * MS}, [IDLE_END] = {.ns = 300 * MS}}},
};

static const struct analysis unreplayed = {.observed.model = &made,
					   .idle = &idle_inside,
					   .headline.wall_ns = 1000 * MS,
					   .headline.idle_ns = 700 * MS,
					   .check.replayed_ns = -1};

static const struct analysis outside = {.observed.model = &made,
					.idle = &idle_outside,
					.headline.wall_ns = 1000 * MS,
					.headline.idle_ns = 700 * MS,
					.check.replayed_ns = -1};

/* Of the copy's saving only 8 ms are known, and 756 ms are possible; half of what was lost is lost in ten steps. */
static struct trace_call step_call = {.start_ns = 1500 * MS}, other_call = {.start_ns = 1100 * MS};
static struct instance step_instances[] = {
	{.call = &step_call, .span = {0, 10 * MS}},
	{.call = &other_call, .span = {0, 10 * MS}},
};

static struct finding open_findings[] = {
	{
		.id = "pageable-copy",
		.title = "Copies of pageable host memory are slow and block the host",
		.cost = "blocked",
		.fix = "Pin it.",
		.site = {.file = "/home/user/app/overlap.cu",
			 .line = 42,
			 .module = "/home/user/app/overlap",
			 .offset = 4660},
		.count = 2,
		.blocked_ns = 800 * MS,
		.lost = {8 * MS, 8 * MS, 756 * MS},
		.is_open = true,
		.pass = 1,
		.instances = step_instances,
		.instance_count = 2,
	},
	{
		.id = "sync-free",
		.title = "cudaFree waited for all pending work",
		.cost = "blocked",
		.fix = "Free after the loop.",
		.site = {.function = "release()",
			 .module = "/opt/lib/libpool.so",
			 .offset = 0x1234},
		.count = 1,
		.blocked_ns = 50 * MS,
		.lost = {6 * MS, 6 * MS, 6 * MS},
		.pass = 1,
		.instances = step_instances + 1,
		.instance_count = 1,
	},
};

static struct steady ten_steps = {
	.steps = {.range = "step #",
		  .begin_ns = (int64_t[]){1400 * MS},
		  .count = 10,
		  .end_ns = 2000 * MS},
	.median_ns = 60 * MS,
	.idle_ns = 20 * MS,
	.startup_ns = 400 * MS,
};

static struct in_order open_order[] = {{.saved_ns = -1}, {.saved_ns = -1}};

static const struct analysis open_analysis = {
	.observed.model = &made,
	.headline.origin_ns = 1000 * MS,
	.idle = &no_idle,
	.headline.wall_ns = 1000 * MS,
	.check.untraced_ns = 1000 * MS,
	.headline.busy_ns = {600 * MS, 200 * MS, 100 * MS, 0},
	.check.replayed_ns = 1000 * MS,
	.check.has_estimates = true,
	.findings.items = open_findings,
	.findings.count = 2,
	.findings.lost = {14 * MS, 14 * MS, 762 * MS},
	.findings.is_open = true,
	.in_order = open_order,
	.steady = &ten_steps,
};

static const struct report {
	const char *name, *rows, *sql;
	const struct analysis *analysis; /* NULL: that of the trace */
	bool all;
} reports[] = {
	{"wasteful", "overlap.sql", NULL, &wasteful, false},
	{"wasteful-all", "overlap.sql", NULL, &wasteful, true},
	{"perfect", "overlap.sql", "INSERT INTO devices (id, name) VALUES (1, 'NVIDIA H100')",
	 &perfect, false},
	{"unchecked", "overlap.sql", NULL, &unchecked, false},
	{"open", "overlap.sql", NULL, &open_analysis, false},
	{"unreplayed", "overlap.sql", NULL, &unreplayed, false},
	{"outside", "overlap.sql", NULL, &outside, false},
	{"no-operations", "overlap.sql", "DELETE FROM operations", &perfect, false},
	{"failed", "overlap.sql",
	 "DELETE FROM operations; UPDATE calls SET result = 700 WHERE start_ns > 1000000000", NULL,
	 false},
	{"devices", "overlap.sql",
	 "INSERT INTO devices (id, name) VALUES (1, 'NVIDIA H100');"
	 "INSERT INTO contexts VALUES (2, 1, 7);"
	 "UPDATE operations SET copy_kind = 10, src_device_id = 0, dst_device_id = 1 WHERE id = 3;"
	 "INSERT INTO operations (id, kind, start_ns, end_ns, device_id, context_id, stream_id,"
	 " correlation_id, name_id) VALUES (4, 1, 1030000000, 1060000000, 1, 2, 13, 99, 1)",
	 NULL, false},
	{"no-calls", NULL, NULL, &(const struct analysis){.observed.model = &made}, false},
};

#define REPORT_COUNT (sizeof(reports) / sizeof(*reports))

/* The report's text, malloc'ed; without the path of the trace. */
static char *render(const struct report *report)
{
	char *folder = make_folder(), *path = memory_format("%s/trace.db", folder), *error, *text;
	struct trace *trace;
	struct analysis *analysis;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	build_trace(path, report->rows, report->sql);
	trace = trace_load(path, &error);
	assert_non_null(trace);
	trace->path = "trace.db";
	made.trace = trace;
	analysis = report->analysis ? NULL : analysis_run(trace);
	render_text(out, trace, analysis ? analysis : report->analysis, report->all);
	if (analysis)
		analysis_free(analysis);
	fclose(out);
	trace_close(trace);
	remove_folder(folder);
	free(folder);
	free(path);
	return text;
}

static void check(const struct report *report)
{
	char *path = memory_format("%s/golden/%s.txt", CLI_FOLDER, report->name);
	char *expected = read_file(path, NULL), *text = render(report);

	assert_string_equal(text, expected);
	free(path);
	free(expected);
	free(text);
}

TEST(test_golden)
{
	size_t i;

	for (i = 0; i < REPORT_COUNT; i++)
		check(&reports[i]);
}

/* What a paragraph of the width becomes. */
static void check_wrapped(size_t width, const char *text, const char *expected)
{
	struct page page = {.width = width, .is_utf8 = true};
	char *wrapped;
	size_t size;

	page.out = open_memstream(&wrapped, &size);
	assert_non_null(page.out);
	print_wrapped(&page, "- ", 2, text);
	fclose(page.out);
	assert_string_equal(wrapped, expected);
	free(wrapped);
}

TEST(test_wrapping)
{
	check_wrapped(20, "", "- \n");
	check_wrapped(20, "one\ntwo  three", "- one two three\n");
	check_wrapped(12, "one two three", "- one two\n  three\n");
	check_wrapped(5, "unbreakable word", "- unb\n  rea\n  kab\n  le\n  wor\n  d\n");
	check_wrapped(8, "an unbreakable", "- an\n  unbrea\n  kable\n");
	check_wrapped(2, "ab", "- a\n  b\n");
	/* A number and its unit are one word, whatever the sentence does behind it. */
	check_wrapped(13, "copied 64.0 MB", "- copied\n  64.0 MB\n");
	check_wrapped(13, "between 0 ns, and", "- between\n  0 ns, and\n");
	check_wrapped(13, "waited (4.5\n%)", "- waited\n  (4.5 %)\n");
	check_wrapped(20, "range 0 ns..5.94 ms) of", "- range\n  0 ns..5.94 ms) of\n");
	check_wrapped(11, "copy H2D s", "- copy H2D\n  s\n");
	/* Characters are counted, not bytes. */
	check_wrapped(9, "\xc3\xa4\xc3\xa4\xc3\xa4 \xc3\xa4\xc3\xa4\xc3\xa4",
		      "- \xc3\xa4\xc3\xa4\xc3\xa4 \xc3\xa4\xc3\xa4\xc3\xa4\n");
}

/* What the text becomes when it must be cut. */
static void check_cut(const struct page *page,
		      char *(*cut)(const struct page *, const char *, size_t), const char *text,
		      size_t width, const char *expected)
{
	char *shown = cut(page, text, width);

	assert_string_equal(shown, expected);
	free(shown);
}

TEST(test_cutting)
{
	const struct page utf8 = {.is_utf8 = true}, ascii = {0};

	check_cut(&utf8, page_cut_start, "folder/app.cu:12", 16, "folder/app.cu:12");
	check_cut(&utf8, page_cut_start, "folder/app.cu:12", 9, "\xe2\x80\xa6pp.cu:12");
	check_cut(&ascii, page_cut_start, "folder/app.cu:12", 9, "..p.cu:12");
	check_cut(&utf8, page_cut_end, "libfolder.so+0x12", 9, "libfolde\xe2\x80\xa6");
	check_cut(&ascii, page_cut_end, "libfolder.so+0x12", 9, "libfold..");
	check_cut(&ascii, page_cut_end, "", 0, "");
	/* Characters are cut whole, and shown as one where the page has none of them. */
	check_cut(&utf8, page_cut_start, "\xc3\xa4\xc3\xb6\xc3\xbc", 2, "\xe2\x80\xa6\xc3\xbc");
	check_cut(&ascii, page_cut_end, "\xc3\xa4\xc3\xb6\xc3\xbc", 3, "???");
}

/* Bars are blocks where the terminal can show them. */
TEST(test_utf8)
{
	char *text;

	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		skip();
	text = render(&reports[0]);
	assert_non_null(strstr(text, "\xe2\x96\x88"));
	assert_null(strstr(text, "##"));
	setlocale(LC_CTYPE, "C");
	free(text);
}

/* The columns of the longest line: characters, not bytes. */
static size_t longest_line(const char *text)
{
	size_t most = 0, width = 0;

	for (; *text; text++) {
		width = *text == '\n' ? 0 : width + (((unsigned char)*text & 0xc0) != 0x80);
		most = width > most ? width : most;
	}
	return most;
}

/* No line is wider than the page, in any locale, and no byte is in no locale. */
TEST(test_widths)
{
	static const char *const widths[] = {"60", "80", "100", "200"};
	static const char *const locales[] = {"C", "C.UTF-8"};

	for (size_t locale = 0; locale < 2; locale++)
		for (size_t i = 0; i < sizeof(widths) / sizeof(*widths); i++)
			for (size_t k = 0; k < REPORT_COUNT; k++) {
				char *text;

				setlocale(LC_CTYPE, locales[locale]);
				setenv("COLUMNS", widths[i], 1);
				text = render(&reports[k]);
				assert_true(longest_line(text) <= strtoul(widths[i], NULL, 10));
				for (const char *c = text; *c && !locale; c++)
					assert_true(*c == '\n' || (*c >= ' ' && *c <= '~'));
				assert_null(strstr(text, " \n"));
				free(text);
			}
	unsetenv("COLUMNS");
	setlocale(LC_CTYPE, "C");
}

TEST(test_json_keeps_what_the_text_leaves_out)
{
	struct trace trace = {.path = "trace.db"};
	json_t *report, *list, *site;

	/* Without metadata: a private part that is empty. */
	char *folder = make_folder(), *path = memory_format("%s/trace.db", folder), *error;
	struct trace *empty;

	build_trace(path, NULL, NULL);
	empty = trace_load(path, &error);
	assert_non_null(empty);
	trace.private = empty->private;
	made.trace = &trace;
	report = render_json(&trace, &wasteful, false);
	list = json_object_get(report, "findings");
	assert_int_equal(json_array_size(list), 2);
	assert_int_equal(json_array_size(json_object_get(json_array_get(list, 0), "evidence")), 4);
	site = json_object_get(json_array_get(list, 0), "site");
	assert_true(json_is_null(json_object_get(site, "through")));
	site = json_object_get(json_array_get(list, 1), "site");
	assert_string_equal(json_string_value(json_object_get(site, "through")),
			    "/usr/lib/libcublas.so.13.1.0.3");
	assert_true(json_is_null(json_object_get(json_object_get(report, "trace"), "device")));
	assert_int_equal(
		json_integer_value(json_object_get(
			json_object_get(json_object_get(report, "headline"), "failed_calls"),
			"count")),
		0);
	json_decref(report);
	report = render_json(&trace, &wasteful, true);
	assert_int_equal(json_array_size(json_object_get(report, "findings")), 4);
	json_decref(report);
	trace_close(empty);
	remove_folder(folder);
	free(folder);
	free(path);
}

static void state_findings(void)
{
	for (size_t i = 0; i < sizeof(findings) / sizeof(*findings); i++) {
		const struct stated *lost = &findings[i].lost;

		stated_findings[i] = findings[i];
		stated_findings[i].lost =
			range_stated(&wasteful, &(struct interval){lost->low_ns, lost->estimate_ns,
								   lost->high_ns});
	}
}

int main(int argc, char **argv)
{
	size_t i;

	unsetenv("COLUMNS");
	state_findings();
	if (argc < 2)
		return run_registered(argc, argv, NULL, NULL);
	for (i = 0; i < REPORT_COUNT; i++)
		if (strcmp(reports[i].name, argv[1]) == 0)
			fputs(render(&reports[i]), stdout);
	return 0;
}

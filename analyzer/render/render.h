/*
 * Prints the report of a trace, for people and for programs. output_formats.def lists the formats.
 *
 * A function that returns bool returns false if memory runs out; what was printed is then incomplete. Failures to
 * write show in ferror(out) alone. No function prints to another file. One thread.
 */
#ifndef STREAMTRACE_RENDER_H
#define STREAMTRACE_RENDER_H

#include "findings/analysis.h"
#include "findings/whatif_replay.h"

#include <jansson.h>
#include <stdio.h>

struct page;
struct short_name;
struct trace_range;

/* Reports that are being written to out. The caller sets out and trace_count, and zeros the rest. */
struct rendering {
	FILE *out;
	size_t trace_count; /* traces that the user asked for, also unreadable ones */
	size_t seen_count;  /* md, csv: reports begun so far */
	void *own; /* memory of the renderer from its first begin() on; its end() frees it */
};

/* The run with the fixes of `count` findings in. The caller owns all of it. */
struct applied {
	const struct trace *trace;
	const struct analysis *analysis;
	const struct finding **findings;
	size_t count;
	struct whatif whatif;
};

/* What prints reports in a format. No member function is NULL. */
struct renderer {
	/* Called before each trace, also before a trace that then cannot be read. */
	void (*begin)(struct rendering *rendering);
	/* Called for each trace that was read. all: print folded findings, too. */
	bool (*report)(struct rendering *rendering, const struct trace *trace,
		       const struct analysis *analysis, bool all);
	/* Called once, after the last trace, also if report() failed. */
	bool (*end)(struct rendering *rendering);
	bool shows_run; /* report() needs an analysis of every operation, not of a sample */
};

/* Prints the run with the fixes in to out. */
typedef bool (*whatif_printer)(FILE *out, const struct applied *applied);

#define FORMAT(name, meaning, of_report, of_job, of_gate, of_whatif, of_host, ...)                 \
	of_report(extern const struct renderer renderer_##name;)                                   \
		of_host(extern const struct renderer renderer_host_##name;) of_whatif(             \
			bool print_whatif_##name(FILE *out, const struct applied *applied);)
#include "render/output_formats.def"
#undef FORMAT

/* Prints the report of the trace as text. all: folded findings, too. */
bool render_text(FILE *out, const struct trace *trace, const struct analysis *analysis, bool all);

/* Prints the same text on a page that is open. */
bool render_page(const struct page *page, const struct trace *trace,
		 const struct analysis *analysis, bool all);

/* Prints the first line of that text: the program, its GPU and how long was recorded. */
void render_run(const struct page *page, const struct trace *trace,
		const struct analysis *analysis);

/* The JSON Schemas of what commands print, as texts: of render_json(), of print_whatif_json(), of the commands of the
 * same names, and of what a command prints in place of a result (commands/command.h). */
extern const char report_schema[], whatif_schema[], info_schema[], explain_schema[], baseline_schema[];
extern const char calibrate_schema[], error_schema[];

/* Returns the report as a JSON object, which the caller releases. all: folded findings, too. */
json_t *render_json(const struct trace *trace, const struct analysis *analysis, bool all);

/* Returns the site as text, which the caller frees: "saxpy.cu:12". A file below the trace's working directory has a
 * relative path. A site without a line: "libfoo.so+0x1234". */
char *render_site(const struct trace *trace, const struct site *site);

/* Returns the line of a finding as text, which the caller frees, with which copies of it the finding has: "copy.cu:12
 * (up to 64 KB)". */
char *render_line(const struct trace *trace, const struct site *site, enum copy_sizes copies);

/* Returns the finding's first line, and how many more lines the finding has: "saxpy.cu:12 (+2)". The caller frees
 * the text. */
char *render_sites(const struct trace *trace, const struct finding *finding);

/* "Fix both: this line alone saves 1 ms, free-sync at app.cu:44 alone 0 ns; both save 9 ms."
 * malloc'ed; NULL: nothing is joined to it. */
char *render_joined(const struct trace *trace, const struct finding *finding);

/* Returns the short name of the site's function. The text is in *name, or belongs to the site. NULL: the function is
 * unknown. */
const char *render_function(const struct site *site, struct short_name *name);

/* The same, to be said behind the site's text; NULL also if that text has it (trace_text_site_has_function()). */
const char *render_more_function(const struct trace *trace, const struct site *site,
				 struct short_name *name);

/* Returns what the site's line called to make the CUDA call: "thrust::reduce" of a header-only library, a
 * framework's name, or the file name of a library. The caller frees the text. NULL: the line made the CUDA call
 * itself. */
char *render_through(const struct site *site);

/* Returns the range's name in quotes: "epoch 3", or "train:epoch 3" in a domain. A long name is cut after 80 bytes.
 * The caller frees the text. NULL: range is NULL. */
char *render_range(const struct trace_range *range);

/* Returns the names of the trace's devices: "NVIDIA H100", "2 x NVIDIA H100, ...". The caller frees the text. NULL:
 * the trace has no devices. */
char *render_devices(const struct trace *trace);

#endif

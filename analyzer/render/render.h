/*
 * Prints the report of a trace, for people and for programs. output_formats.def lists the formats.
 *
 * Functions return false if memory runs out. Failures to write show in ferror(out) alone. Nothing here prints
 * elsewhere. One thread.
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
	size_t trace_count; /* traces that the user asked for */
	size_t seen_count;  /* md, csv: reports begun so far */
	void *own; /* what the renderer keeps from its begin() to its end(), which frees it */
};

/* The run with the fixes of some findings in. The caller owns all of it. */
struct applied {
	const struct trace *trace;
	const struct analysis *analysis;
	const struct finding **findings;
	size_t count;
	struct whatif whatif;
};

/* What prints reports in a format. */
struct renderer {
	/* Called before each trace, also before one that then cannot be read. */
	void (*begin)(struct rendering *rendering);
	/* Called for each trace that was read. all: print folded findings, too. */
	bool (*report)(struct rendering *rendering, const struct trace *trace,
		       const struct analysis *analysis, bool all);
	/* Called once, after the last trace. */
	bool (*end)(struct rendering *rendering);
	bool shows_run; /* report() needs an analysis of every operation, not of a sample */
};

/* Prints the run with the fixes in. */
typedef bool (*whatif_printer)(FILE *out, const struct applied *applied);

#define FORMAT(name, meaning, of_report, of_job, of_gate, of_whatif, ...)                          \
	of_report(extern const struct renderer renderer_##name;)                                   \
		of_whatif(bool print_whatif_##name(FILE *out, const struct applied *applied);)
#include "render/output_formats.def"
#undef FORMAT

/* Prints the report as text. all: folded findings, too. */
bool render_text(FILE *out, const struct trace *trace, const struct analysis *analysis, bool all);

/* Prints the same text on a page that is open. */
bool render_page(const struct page *page, const struct trace *trace,
		 const struct analysis *analysis, bool all);

/* The JSON Schema of render_json(), as text. */
extern const char report_schema[];

/* The report as a JSON object, which the caller releases. all: folded findings, too. */
json_t *render_json(const struct trace *trace, const struct analysis *analysis, bool all);

/* The site as text: "saxpy.cu:12", relative to the trace's working directory if it is below; without a line
 * "libfoo.so+0x1234 (no debug info)". The caller frees it. */
char *render_site(const struct trace *trace, const struct site *site);

/* The finding's first line, and how many more it has: "saxpy.cu:12 (+2)". The caller frees it. */
char *render_sites(const struct trace *trace, const struct finding *finding);

/* The site's function, by its short name, which is in *name or belongs to the site. NULL: not known. */
const char *render_function(const struct site *site, struct short_name *name);

/* What the site's line called, if that made the CUDA call: "thrust::reduce" of a header-only library, a framework's
 * name, or the library's file name. The caller frees it. NULL: the line made the call itself. */
char *render_through(const struct site *site);

/* The range's name in quotes: "epoch 3", or "train:epoch 3" in a domain; long names are cut. The caller frees it.
 * NULL for NULL. */
char *render_range(const struct trace_range *range);

/* The names of the trace's devices: "NVIDIA H100", "2 x NVIDIA H100, ...". The caller frees it. NULL: there are
 * none. */
char *render_devices(const struct trace *trace);

#endif

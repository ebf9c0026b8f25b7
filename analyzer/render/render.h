/*
 * Reports: what was found out about a trace, for people and for programs. output_formats.def lists the
 * formats.
 *
 * False: out of memory. What is printed may not reach its file: ask ferror(). Nothing here ends the
 * program or prints elsewhere. One thread.
 */
#ifndef STREAMTRACE_RENDER_H
#define STREAMTRACE_RENDER_H

#include "findings/analysis.h"
#include "findings/whatif.h"

#include <jansson.h>
#include <stdio.h>

struct page;
struct short_name;
struct trace_range;

/* Reports that are being written to a file. The caller sets out and trace_count, and zeros the rest. */
struct rendering {
	FILE *out;
	size_t trace_count; /* traces that the user asked for */
	size_t seen_count;  /* md, csv: reports begun so far */
	void *own; /* what the renderer keeps from its begin() to its end(), which frees it */
};

/* The run with the fixes of these findings in. */
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

/* Prints the report. all: folded findings too. */
bool render_text(FILE *out, const struct trace *trace, const struct analysis *analysis, bool all);

/* The same on a page. */
bool render_page(const struct page *page, const struct trace *trace,
		 const struct analysis *analysis, bool all);

/* The JSON Schema of what follows, as text. */
extern const char report_schema[];

/* The report as an object (design: JSON), which the caller releases. */
json_t *render_json(const struct trace *trace, const struct analysis *analysis, bool all);

/* "saxpy.cu:12", below the trace's working directory if it is there; or "libfoo.so+0x1234" where
 * there is no line. malloc'ed. */
char *render_site(const struct trace *trace, const struct site *site);

/* The finding's first line, and how many more it has: "saxpy.cu:12 (+2)". malloc'ed. */
char *render_sites(const struct trace *trace, const struct finding *finding);

/* The site's function, short: in *name, or Python's own name. NULL: not known. */
const char *render_function(const struct site *site, struct short_name *name);

/* What the line called that made the call: "thrust::reduce" of a library of headers, or else the name
 * of the library's file. malloc'ed; NULL: nothing. */
char *render_through(const struct site *site);

/* "epoch 3", or "train:epoch 3" where it is in a domain, in quotes. malloc'ed; NULL: none. */
char *render_range(const struct trace_range *range);

/* The names of the trace's devices: "NVIDIA H100", "2 x NVIDIA H100, ...". malloc'ed, or NULL. */
char *render_devices(const struct trace *trace);

#endif

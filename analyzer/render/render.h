/*
 * Reports: what was found out about a trace, for people and for programs. renderers.def lists the
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

struct html_report;
struct page;
struct processes;
struct short_name;
struct trace_range;

/* Reports being written to a file. Initialize with the first two and zeros. */
struct rendering {
	FILE *out;
	size_t trace_count;	     /* that were asked for */
	size_t seen_count;	     /* md, csv: so many were begun */
	struct processes *processes; /* text: of several traces */
	json_t *reports;	     /* json: those that are made */
	struct html_report *html;    /* the page that is made */
};

/* The run with the fixes of these findings in. */
struct applied {
	const struct trace *trace;
	const struct analysis *analysis;
	const struct finding **findings;
	size_t count;
	struct whatif whatif;
};

struct renderer {
	const char *name;
	/* Before each trace, whether it can be read or not. */
	void (*begin)(struct rendering *rendering);
	/* all: folded findings too. */
	bool (*report)(struct rendering *rendering, const struct trace *trace,
		       const struct analysis *analysis, bool all);
	/* After the last trace. */
	bool (*end)(struct rendering *rendering);
	/* NULL: it has none. */
	bool (*whatif)(FILE *out, const struct applied *applied);
	bool shows_run; /* every operation, not a sample */
};

/* The renderer of that name, or NULL. */
const struct renderer *render_find(const char *name);

/* Whether a file that begins with these bytes, 512 where it has so many, is a report in that format. */
bool render_is_opening(const char *format, const char *bytes, size_t size);

extern const struct renderer renderer_text, renderer_json, renderer_md, renderer_csv, renderer_html;

/* Prints the report. all: folded findings too. */
bool render_text(FILE *out, const struct trace *trace, const struct analysis *analysis, bool all);

/* The same on a page. */
bool render_page(const struct page *page, const struct trace *trace,
		 const struct analysis *analysis, bool all);

/* The JSON Schema of what follows, as text. */
extern const char report_schema[];

/* The report as an object (design: JSON), which the caller releases. */
json_t *render_json(const struct trace *trace, const struct analysis *analysis, bool all);

bool render_whatif_text(FILE *out, const struct applied *applied);
json_t *render_whatif_json(const struct applied *applied);

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

/*
 * Reports: what was found out about a trace, for people and for programs.
 */
#ifndef STREAMTRACE_RENDER_H
#define STREAMTRACE_RENDER_H

#include "findings/analysis.h"
#include "findings/whatif.h"

#include <jansson.h>
#include <stdio.h>

/* Prints the report. all: folded findings too. */
void render_text(FILE *out, const struct trace *trace, const struct analysis *analysis, bool all);

/* The report as an object (design: JSON), which the caller releases. */
json_t *render_json(const struct trace *trace, const struct analysis *analysis, bool all);

/* "site" and "first_uses" in it. */
json_t *site_object(const struct site *site);
json_t *first_uses_array(const struct analysis *analysis);

/* The run with the fixes of these findings in. */
void render_whatif_text(FILE *out, const struct trace *trace, const struct analysis *analysis,
			const struct finding *const *findings, size_t count,
			const struct whatif *whatif);
json_t *render_whatif_json(const struct trace *trace, const struct analysis *analysis,
			   const struct finding *const *findings, size_t count,
			   const struct whatif *whatif);

/* "saxpy.cu:12", below the trace's working directory if it is there; or "libfoo.so+0x1234" where
 * there is no line. malloc'ed. */
char *render_place(const struct trace *trace, const struct site *site);

/* The names of the trace's devices: "NVIDIA H100", "2 x NVIDIA H100, ...". malloc'ed, or NULL. */
char *render_devices(const struct trace *trace);

#endif

/*
 * What reports say of a finding, in the same words and figures in each format. The caller frees each text. Texts of
 * the traced program are in it as they are: the caller escapes what its format would take for syntax. One thread.
 */
#ifndef STREAMTRACE_FINDING_TEXT_H
#define STREAMTRACE_FINDING_TEXT_H

#include "findings/analysis.h"

/* "pageable-copy at app.cu:12 in copy_all through thrust::copy". */
char *finding_text_name(const struct trace *trace, const struct finding *finding);

/* "saves 363 ms (20.1 %, range 350..364 ms): 49 times, 358 ms blocked". In a second line what the saving waits for,
 * if it is only beside other fixes. */
char *finding_text_saves(const struct analysis *analysis, const struct finding *finding);

/* "that is 16.3 ms allocating + 52.9 ms freeing". NULL: the saving is one time, or is no estimate. */
char *finding_text_terms(const struct analysis *analysis, const struct finding *finding);

/* What the fixes of other findings do to the saving: up to three sentences, a line each. NULL: nothing. */
char *finding_text_order(const struct analysis *analysis, const struct finding *finding);

/* "an event in its place: cudaStreamSynchronize at app.cu:35 alone orders ...", without a full stop. NULL: nothing of the kind
 * was seen. */
char *finding_text_order_needed(const struct trace *trace, const struct analysis *analysis,
				const struct finding *finding);

/* "nothing relied on it in this run (312 of 312 places watched)"; NULL: not so, or not watched. */
char *finding_text_unrelied(const struct analysis *analysis, const struct finding *finding);

/* "one buffer, 4 copies: app.cu:12 (3), app.cu:14 (1); one fix covers both", or of another cause "same loop in 2 lines,
 * one fix covers both: ...". NULL: it has only one line. */
char *finding_text_sites(const struct trace *trace, const struct finding *finding);

/* A row of evidence: "D2H copy of 67.1 MB blocked the host, in NVTX range "step"". before: the row above it, whose
 * text and range are not said again; NULL: none. */
char *finding_text_row(const struct evidence_row *row, const struct evidence_row *before);

#endif

/* What `streamtrace try` has stored of a finding in its trace (trials), as reports say it. One thread. */
#ifndef STREAMTRACE_TRIED_H
#define STREAMTRACE_TRIED_H

#include "findings/analysis.h"

#include <jansson.h>

/* A line for each of the finding and those that are joined to it that was tried, the last time it was: "as held-free, with
 * another fix: saves 40.2 ms ...". malloc'ed; NULL: none was. */
char *tried_text(const struct trace *trace, const struct finding *finding);

/* The same, an object each; null: none was. */
json_t *tried_json(const struct trace *trace, const struct finding *finding);

#endif

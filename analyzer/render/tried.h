/* What `streamtrace try` has stored of a finding in its trace (trials), as reports say it. One thread. */
#ifndef STREAMTRACE_TRIED_H
#define STREAMTRACE_TRIED_H

#include "findings/analysis.h"

#include <jansson.h>

/* What came out the last time the finding, or one that is joined to another, was tried: "as held-free, with 1 other fix: saves
 * 40.2 ms ...". malloc'ed; NULL: it was not. */
char *tried_text(const struct trace *trace, const struct finding *part);

/* An array with an object for each of the finding and those that are joined to it that was tried; null: none was. */
json_t *tried_json(const struct trace *trace, const struct finding *finding);

#endif

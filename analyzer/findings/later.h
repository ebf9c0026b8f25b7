/* Findings of a later pass (detect.h): which of them are worth it beside those that are shown. */
#ifndef STREAMTRACE_LATER_H
#define STREAMTRACE_LATER_H

#include "base/vector.h"
#include "findings/analysis.h"

typedef VECTOR(struct finding) finding_vector;

/* What is worth it becomes a finding of the analysis, and the rest is freed; whether any did. The array
 * of those found stays the caller's. */
bool later_weigh(struct analysis *analysis, finding_vector *found);

#endif

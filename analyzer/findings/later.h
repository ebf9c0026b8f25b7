/* Weighs findings of a later pass (detect.h) beside those that are shown. One thread. */
#ifndef STREAMTRACE_LATER_H
#define STREAMTRACE_LATER_H

#include "base/vector.h"
#include "findings/analysis.h"

typedef VECTOR(struct finding) finding_vector;

/* Adds to *findings those in *found that save enough beside them, and frees the others. Returns
 * whether any was added. The caller then frees only the array, by vector_free(). */
bool later_weigh(const struct analysis *analysis, struct findings *findings, finding_vector *found);

#endif

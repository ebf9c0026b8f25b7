/* Which line of a finding each of its instances is at. One thread. */
#ifndef STREAMTRACE_GATE_INSTANCE_LINES_H
#define STREAMTRACE_GATE_INSTANCE_LINES_H

#include "findings/analysis.h"

/* By index in part->instances: the index in part->sites of the instance's line. part: a finding of
 * the analysis, or one of its joined ones. The caller frees the array with free(). */
size_t *instance_lines_find(const struct analysis *analysis, const struct finding *part);

#endif

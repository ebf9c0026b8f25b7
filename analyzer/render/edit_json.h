/*
 * The JSON of a finding's call, and of its fix as a change of the source. The caller releases what it gets. One thread.
 */
#ifndef STREAMTRACE_EDIT_JSON_H
#define STREAMTRACE_EDIT_JSON_H

#include "findings/analysis.h"

#include <jansson.h>

/* Returns the call that took the longest, with what the trace has of its arguments. JSON null: the finding has none. */
json_t *finding_call_object(const struct trace *trace, const struct finding *finding);

/* Returns the edit of the finding at the index of findings.items. JSON null: edits were not asked for. */
json_t *finding_edit_object(const struct trace *trace, const struct analysis *analysis,
			    size_t index);

#endif

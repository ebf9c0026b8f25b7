/* Races, and what relies on waits, as JSON. The caller owns each value. Any thread. */
#ifndef STREAMTRACE_RACE_JSON_H
#define STREAMTRACE_RACE_JSON_H

#include "findings/analysis.h"

#include <jansson.h>

/* What needs an event once the fix is in; null: nothing of the kind was seen. */
json_t *finding_order_json(const struct trace *trace, const struct analysis *analysis,
			   const struct finding *finding);

/* An array of all races. */
json_t *races_json(const struct analysis *analysis);

#endif

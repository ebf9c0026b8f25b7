/* What a finding's fix would leave without an order. Any thread. */
#ifndef STREAMTRACE_RELIANCE_H
#define STREAMTRACE_RELIANCE_H

#include "findings/analysis.h"

/* Of what only a wait orders that the fix takes out, the one with the most pairs. NULL: nothing of the kind was seen; what the
 * host does with results is not looked at. */
const struct reliance *finding_reliance(const struct analysis *analysis,
					const struct finding *finding);

#endif

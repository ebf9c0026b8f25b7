/* What a finding's fix would leave without an order. Any thread. */
#ifndef STREAMTRACE_RELIANCE_H
#define STREAMTRACE_RELIANCE_H

#include "findings/analysis.h"

/* Of what only a wait orders that the fix takes out, the one with the most pairs. NULL: nothing of the kind was seen; what the
 * host does with results is not looked at. */
const struct reliance *finding_reliance(const struct analysis *analysis,
					const struct finding *finding);

/* What was watched behind the waits that a finding's fix takes out. */
struct unrelied {
	size_t places,
		watched; /* the host's memory of the copies that they covered, copy by copy */
};

/* Whether nothing was seen to rely on these waits: no access of the device, and the host neither touched nor gave back what was
 * watched. False also where nothing was watched. */
bool finding_is_unrelied(const struct analysis *analysis, const struct finding *finding,
			 struct unrelied *unrelied);

#endif

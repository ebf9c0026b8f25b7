/* Which copies a wait covers. Any thread. */
#ifndef STREAMTRACE_FIRST_USE_COVERING_H
#define STREAMTRACE_FIRST_USE_COVERING_H

#include "first_use/table.h"

/* Whether the copy is done when the wait ends. */
bool first_use_is_covered(const struct first_use_copy *copy, const struct first_use_wait *wait);

#endif

/* What a call that has returned means for watches. Call on its thread. */
#ifndef STREAMTRACE_FIRST_USE_AFTER_CALLS_H
#define STREAMTRACE_FIRST_USE_AFTER_CALLS_H

#include "api/functions.h"
#include "recorder/record.h"

#include <cupti.h>

struct caller; /* stack/caller.h */

/* Call after a copy that succeeded, between memory_queries_begin() and
 * memory_queries_end(). */
void first_use_after_copy(const CUpti_CallbackData *data, const struct record *arguments,
			  const struct caller *caller);
/* Call after a launch of a kernel that succeeded, between memory_queries_begin() and memory_queries_end(): watches the pinned
 * memory that the kernel was given, as a copy's source. */
void first_use_after_launch(const CUpti_CallbackData *data, const struct record *launch);
/* Call after another call that succeeded, with the lock held. */
void first_use_after_call(enum function function, const CUpti_CallbackData *data,
			  const struct record *arguments);

#endif

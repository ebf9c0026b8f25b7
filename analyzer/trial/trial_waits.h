/*
 * Whether the host relies on a synchronize that a trial drops, by what it could see behind it. Calculates only; one thread at a
 * time for each trace.
 *
 * libstrace_try.so keeps the order of streams, and leaves each wait that covers work which the host can see: copies of pinned
 * memory, host functions, graphs. What it cannot know is whether a kernel uses memory of the host, and what a library does
 * past the runtime.
 */
#ifndef STREAMTRACE_TRIAL_WAITS_H
#define STREAMTRACE_TRIAL_WAITS_H

#include "findings/analysis.h"

/* Why no synchronize of the run may be dropped, as the end of a sentence, malloc'ed; NULL: one may. */
char *trial_waits_unmet(const struct analysis *analysis);

/* Why this one stays: what the host can see of its work, as the end of a sentence, malloc'ed; NULL: nothing. */
char *trial_waits_visible(const struct analysis *analysis, const struct trace_call *wait);

/* Whether work of the run may have gone past libcudart.so: libstrace_try.so does not see it. */
bool trial_waits_has_unseen_work(const struct trace *trace);
/* Likewise, copies to or from memory of the host. */
bool trial_waits_has_unseen_copies(const struct trace *trace);

#endif

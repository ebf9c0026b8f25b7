/* Makes the model of one rank (paths.h) by replaying the rank's trace. One thread calls; the
 * replays use all processors. */
#ifndef STREAMTRACE_PATHS_MAKE_H
#define STREAMTRACE_PATHS_MAKE_H

#include "findings/analysis.h"
#include "job/paths.h"

/* A finding of the rank, and the names that the job's report has for its detector and line. Texts
 * are copied. */
struct paths_fix {
	const struct finding *finding;
	const char *id, *where;
};

/* The rank's model, with a group for each of the fixes, and a group without a name for the fixes of
 * all shown findings. member: the rank's id, different in each process of the job. If the analysis
 * is of a sample, a part of the run (part.h) is analysed instead; findings that the part does not
 * have are left out. Free the result with paths_free(). NULL: the trace has no collectives, the
 * analysis has no estimates, or no part or no replay could be made. */
struct paths *paths_make(const struct analysis *analysis, uint64_t member,
			 const struct paths_fix *fixes, size_t fix_count);

#endif

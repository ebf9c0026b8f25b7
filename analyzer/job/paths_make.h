/* The model of one rank (paths.h), from the replays of its trace. */
#ifndef STREAMTRACE_PATHS_MAKE_H
#define STREAMTRACE_PATHS_MAKE_H

#include "findings/analysis.h"
#include "job/paths.h"

/* A finding, as the job's report names its line. */
struct paths_fix {
	const struct finding *finding;
	const char *id, *where;
};

/* Of a trace with collectives that has estimates; NULL: there is none. The fixes of all shown findings go
 * into the group without a name. A rank's number is another one in each process of the job. Of a
 * sample another analysis is made, of a part of the run. On all processors. */
struct paths *paths_make(const struct analysis *analysis, uint64_t member,
			 const struct paths_fix *fixes, size_t fix_count);

#endif

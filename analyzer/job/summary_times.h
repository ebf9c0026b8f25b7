/* The rows of the summary's table of times, by word. One thread. */
#ifndef STREAMTRACE_JOB_SUMMARY_TIMES_H
#define STREAMTRACE_JOB_SUMMARY_TIMES_H

#include "job/summary.h"

/* Times of the process, or of one of its devices. */
struct summary_times {
	int64_t wall_ns, untraced_ns, replayed_ns; /* of a device wall_ns alone */
	struct interval lost;
	struct summary_load load;
};

/* How many words there are, and each. */
size_t summary_time_count(void);
const char *summary_time_word(size_t index);

/* Where the time of that index is. */
int64_t *summary_time_at(struct summary_times *times, size_t index);

/* The least that it can be: 0, or -1 where it may not be known. */
int64_t summary_time_least(size_t index);

/* SIZE_MAX: a word that is not known. */
size_t summary_time_find(const char *word);

#endif

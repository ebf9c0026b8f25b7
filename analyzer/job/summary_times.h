/* The times of a summary, each with the word that its file has for it. Any thread. */
#ifndef STREAMTRACE_JOB_SUMMARY_TIMES_H
#define STREAMTRACE_JOB_SUMMARY_TIMES_H

#include "job/summary.h"

/* Times of the process, or of one of its devices. */
struct summary_times {
	int64_t wall_ns, untraced_ns, replayed_ns; /* a device has only wall_ns */
	struct stated lost;
	struct summary_load load;
};

/* How many times there are, and the word of each, for an index below that number. */
size_t summary_time_count(void);
const char *summary_time_word(size_t index);

/* Points to the time of that index in *times. */
int64_t *summary_time_at(struct summary_times *times, size_t index);

/* The least value of that time: 0, or -1 if -1 stands for "not known". */
int64_t summary_time_least(size_t index);

/* The index of the time with that word; SIZE_MAX: there is none. */
size_t summary_time_find(const char *word);

#endif

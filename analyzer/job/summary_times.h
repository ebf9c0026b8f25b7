/* The times of a summary in ns, each with the word by which the summary's file calls the time. Any
 * thread. */
#ifndef STREAMTRACE_JOB_SUMMARY_TIMES_H
#define STREAMTRACE_JOB_SUMMARY_TIMES_H

#include "job/summary.h"

/* Times of the process, or of one of its devices. */
struct summary_times {
	int64_t wall_ns, untraced_ns, replayed_ns; /* a device has only wall_ns */
	struct stated lost;
	struct summary_load load;
};

/* summary_time_count() returns how many times there are. Each index must be below that number.
 * summary_time_word() returns the word of a time; static. */
size_t summary_time_count(void);
const char *summary_time_word(size_t index);

/* A pointer to the time of that index in *times. */
int64_t *summary_time_at(struct summary_times *times, size_t index);

/* The least valid value of that time: 0, or -1 for the time of which -1 means "not known". */
int64_t summary_time_least(size_t index);

/* The index of the time with that word; SIZE_MAX: there is none. */
size_t summary_time_find(const char *word);

#endif

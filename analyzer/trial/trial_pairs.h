/*
 * The protocol of a trial, without programs and clocks: which run comes next, when it is decided, and what the times
 * say. Calculates only; any thread.
 *
 * Runs come in this order. TRIAL_CHECK_RUNS, two untouched and one with the fixes, whose times do not count: they fill the
 * caches, and all bytes of their results are compared. Then blocks of TRIAL_BLOCK, in the order of trial_is_fixed_at(); the
 * first one is the control, and is treated like those that follow.
 *
 * The first and second run of a block are a pair, and so are the fourth and third. What drifts at a constant rate adds
 * to one pair what it takes from the next. The untouched runs of each block are a pair of the control, too. Where the
 * control's interval is more than 0.5 % of the run away from 0, runs differ by something else than the fixes.
 *
 * The saving is the median of the pairs. Its interval is the bootstrap's: BOOTSTRAP_RESAMPLES medians of as many pairs,
 * drawn with repetition from a fixed seed, so that the same times give the same interval. The interval's ends are
 * those quantiles of them with which it is as wide as Student's for few pairs (T. Hesterberg, What Teachers Should
 * Know About the Bootstrap, 2014, section 5.3.1: expanded percentiles).
 */
#ifndef STREAMTRACE_TRIAL_PAIRS_H
#define STREAMTRACE_TRIAL_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	TRIAL_CHECK_RUNS = 3,
	TRIAL_LEAST_PAIRS =
		6, /* of 5 the least and the most are no 95 % interval of the median: 2 / 2^5 is over 5 % */
	TRIAL_CONFIDENCE_PERCENT = 95,
	BOOTSTRAP_RESAMPLES = 10000,
};

/* A run that ended as the untouched program does. */
struct trial_time {
	bool is_fixed;		/* with the fixes */
	int64_t start_ns;	/* first CUDA call to first operation enqueued */
	int64_t ns;		/* from there to the last CUDA call */
	int64_t set_up_ns;	/* what the fixes took to get ready; 0 untouched */
	int64_t late_set_up_ns; /* of it, within ns */
	int64_t wall_ns;	/* of the whole program */
};

/* All runs so far, in their order. */
struct trial_times {
	const struct trial_time *items;
	size_t count;
};

/* The median of pairs' differences, in ns, and its interval. pairs 0: all are 0. */
struct trial_interval {
	int64_t low_ns, estimate_ns, high_ns;
	size_t pairs;
};

/* Limits of a trial. */
struct trial_limits {
	int64_t time_ns; /* no run begins that would end later, if it took as long as the longest before */
	size_t runs;
	int64_t known_ns; /* how long a run takes as far as is known before the first one */
};

/* What the times say. The others of trial.h say why they say nothing. */
enum trial_finding {
	TRIAL_SAVES,	 /* the interval is above 0 */
	TRIAL_COSTS,	 /* the interval is below 0 */
	TRIAL_SAME,	 /* the interval contains 0 */
	TRIAL_FEW_PAIRS, /* fewer than TRIAL_LEAST_PAIRS */
	TRIAL_CONTROL,	 /* untouched runs differ from each other, in their order */
};

struct trial_figures {
	enum trial_finding finding;
	struct trial_interval saved;   /* untouched minus fixed, without what getting ready took */
	struct trial_interval control; /* untouched minus untouched */
	/* Medians: of untouched and fixed runs. */
	int64_t untouched_ns, fixed_ns, untouched_start_ns, fixed_start_ns, untouched_wall_ns,
		fixed_wall_ns, set_up_ns;
};

/* What to run next. */
enum trial_next { TRIAL_RUN_UNTOUCHED, TRIAL_RUN_FIXED, TRIAL_END };

/* elapsed_ns: since the trial began. TRIAL_END: a limit is reached, or trial_is_decided(). */
enum trial_next trial_next(const struct trial_times *times, const struct trial_limits *limits,
			   int64_t elapsed_ns);

/* Whether more pairs would not change what is said: there are TRIAL_LEAST_PAIRS, and the interval is either narrower
 * than a fifth of the saving, or within 0.5 % of the run of 0, which no report lists. Blocks must be whole. */
bool trial_is_decided(const struct trial_times *times);

struct trial_figures trial_figures_of(const struct trial_times *times);

/* The median of the count differences, which are reordered, with its interval. */
struct trial_interval trial_interval_of(int64_t *differences, size_t count);

#endif

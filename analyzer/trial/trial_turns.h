/*
 * Turns of a trial: stretches of one run with and without the fixes (facts/trial_page.h), whose times take the place of those of
 * whole runs. One process has the same start-up, clocks and memory for both, and a long program need not run 16 times. Calculates
 * only; any thread.
 *
 * A run has turns if its fixes can be switched, which memory that is registered and what is set for a whole run cannot; if it
 * captures no stream; and if one call site comes through most of the run's work, so often that TRIAL_TURNS_WANTED turns of it are
 * long enough.
 */
#ifndef STREAMTRACE_TRY_TURNS_H
#define STREAMTRACE_TRY_TURNS_H

#include "trial/trial_pairs.h"
#include "trial/trial_plan.h"

enum {
	TRIAL_TURNS_WANTED = 6 * TRIAL_BLOCK, /* the control, and 10 pairs */
	TRIAL_TURNS_LEAST = 4 * TRIAL_BLOCK,  /* the control, and TRIAL_LEAST_PAIRS */
};

struct trial_turns {
	size_t place;	 /* of the plan: its calls are counted */
	uint32_t calls;	 /* measured of a turn; 0: there are no turns */
	uint32_t warm;	 /* before them */
	size_t count;	 /* turns whose times are taken */
	uint64_t of_run; /* calls of the place in the recorded run: a turn's time is for as many */
};

struct trial_turns trial_turns_choose(const struct trial_plan *plan, const struct trace *trace);

/* Fills in the page of the run that has them. */
void trial_turns_fill(const struct trial_turns *turns, struct trial_page *page);

/* The next one of the page's turns as if it were a run: its time is what all calls of a run would take at its pace, the other times
 * are those of a run of its kind. */
struct trial_time trial_turns_time(const struct trial_turns *turns, const struct trial_page *page,
				   const struct trial_time *untouched,
				   const struct trial_time *fixed);

#endif

/*
 * Compares what the runs of a trial copied to the host, by the hashes of the copies in the order of their calls
 * (facts/trial_page.h). Calculates only; one thread.
 */
#ifndef STREAMTRACE_TRY_RESULTS_H
#define STREAMTRACE_TRY_RESULTS_H

#include "facts/trial_page.h"

#include <stdbool.h>
#include <stddef.h>

/* Zero-initialize it, and free it by trial_results_free(). The first run that is added must be untouched. */
struct trial_results {
	/* Of the first untouched run that has one; 0: not hashed. By page->hashes_all: hashes of some and of all bytes. */
	uint64_t *first[2];
	size_t count;
	unsigned char *marks; /* by copy: bits of enum result_mark */
	bool count_varies;    /* untouched runs have other numbers of copies */
	size_t fixed_most; /* the most copies that differ in number, plus one, in a fixed run; 0: none differs */
};

struct trial_comparison {
	size_t compared; /* copies that are the same in all untouched runs, and were hashed with the fixes, too */
	size_t unknown; /* copies without a hash on one side */
	size_t varying; /* that differ among these: nothing can be said of them */
	size_t different; /* the first copy, counted from 1, that fixed runs have otherwise; 0: none */
	bool count_varies; /* untouched runs make other numbers of copies */
};

/* Adds a run that ended. */
void trial_results_add(struct trial_results *results, const struct trial_page *page, bool is_fixed);

struct trial_comparison trial_results_compare(const struct trial_results *results);

void trial_results_free(struct trial_results *results);

#endif

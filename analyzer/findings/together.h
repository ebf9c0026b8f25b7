/*
 * Weighs the fixes of several findings together: a wait removed by one fix may move to another
 * call, so that only both fixes save time. One thread.
 */
#ifndef STREAMTRACE_TOGETHER_H
#define STREAMTRACE_TOGETHER_H

#include "findings/analysis.h"

/* Folds the findings that save too little, unless others save less without them, and weighs the
 * remaining ones beside the others. A few replays for each. Call only if
 * analysis->check.has_estimates. */
void together_fold(struct analysis *analysis);

/* Fills in what each shown finding saves in the order of the list, and to which finding its wait
 * moves: one replay for each of the first 32. Call after findings are ranked, and what they save
 * together is known. */
void together_order(struct analysis *analysis);

#endif

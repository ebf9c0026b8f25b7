/*
 * Weighs the fixes of several findings together: a wait removed by one fix may move to another
 * call, so that only both fixes save time. One thread.
 */
#ifndef STREAMTRACE_TOGETHER_H
#define STREAMTRACE_TOGETHER_H

#include "findings/analysis.h"

/* Folds the findings that save too little alone, unless the others save less without them. Weighs
 * such a finding beside the others if it saves more there; its pass is then 2. Makes a few replays
 * for each. Call only if analysis->check.has_estimates is true. */
void together_fold(struct analysis *analysis);

/* Sets in_order_ns, moves_to and moved_ns of the findings that are not folded, by one replay for
 * each of the first 32. in_order_ns of all others is -1. Call after the findings are ranked and
 * findings.replayed is set. */
void together_order(struct analysis *analysis);

#endif

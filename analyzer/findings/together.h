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
void together_fold(const struct analysis *analysis, struct findings *findings);

/* Returns what the fixes save one after the other, by index in analysis->findings.items; the caller
 * frees the array. Makes one replay for each of the first 32 findings that are not folded; saved_ns
 * of all others is -1. Call after analysis->findings is set. */
struct in_order *together_order(const struct analysis *analysis);

#endif

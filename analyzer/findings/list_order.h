/* The order of the list: the order in which fixes pay if they are made one after the other. One
 * thread calls; some replays use all processors. */
#ifndef STREAMTRACE_LIST_ORDER_H
#define STREAMTRACE_LIST_ORDER_H

#include "findings/analysis.h"

/* Sorts the findings: first the one that saves most alone, then always the one that saves most
 * beside those above it. Waits that a finding's fix needs gone (is_of_step) come before that
 * finding, unless they save little there. Beyond the first 16, and without estimates: by pass and saving. Folded
 * findings come last. If a finding of a later pass comes before one of an earlier pass, *replayed
 * becomes what it saves beside those above it; with none above it, its pass becomes 1. Sets
 * folded_count and folded_ns. */
void list_order_sort(const struct analysis *analysis, struct findings *findings);

#endif

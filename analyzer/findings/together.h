/*
 * What the fixes of several findings do together: a wait that one of them removes can go on in
 * another call, and then only both fixes save something.
 */
#ifndef STREAMTRACE_TOGETHER_H
#define STREAMTRACE_TOGETHER_H

#include "findings/analysis.h"

/* Folds the findings that save too little, unless others save less without them, and weighs those
 * that stay beside the others. A few replays each. The analysis has estimates. */
void together_fold(struct analysis *analysis);

/* Fills in what each of the shown findings saves in the order of the list, and where its wait goes
 * on: one replay each, of the first 32. Findings are ranked and what they save together is known. */
void together_order(struct analysis *analysis);

#endif

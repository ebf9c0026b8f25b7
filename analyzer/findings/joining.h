/* Joins findings whose waits hide each other: with one wait fixed the host waits as long in the
 * other. One thread. */
#ifndef STREAMTRACE_JOINING_H
#define STREAMTRACE_JOINING_H

#include "findings/analysis.h"

/* Joins findings that are not folded, two at a time, if alone they save under half of what both save.
 * Then, as long as all that are listed save under half of what all save together, joins the two that
 * miss most of it. Findings without edits stay as they are. Call after together_fold(). */
void joining_join(const struct analysis *analysis, struct findings *findings);

#endif

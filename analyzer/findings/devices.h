/*
 * Measures each device of a run by itself: its engines, and what the findings cost it. One thread.
 */
#ifndef STREAMTRACE_DEVICES_H
#define STREAMTRACE_DEVICES_H

#include "findings/analysis.h"
#include "model/span.h"

/* Fills in analysis->devices: names and loads, inside the windows of the recording. A copy between
 * two devices is work of both. */
void devices_measure(struct analysis *analysis);

/* Returns for each of analysis->devices the time from its first operation's start to its last one's
 * end, to be freed; for a sample the weighted sum over its windows. operations: times by index in
 * model->trace's operations; NULL: the traced ones. */
int64_t *devices_times(const struct model *model, const struct span *operations);

/* Fills in what the shown findings cost each device: if there are several, how much shorter its
 * time from first to last operation gets. Call after findings are ranked, and what they save
 * together is known. */
void devices_weigh(struct analysis *analysis);

#endif

/*
 * Each device of a run by itself: its engines, and what the findings cost it.
 */
#ifndef STREAMTRACE_DEVICES_H
#define STREAMTRACE_DEVICES_H

#include "findings/analysis.h"
#include "model/span.h"

/* Fills in the name and the engines of analysis->devices, within the windows of the recording. A copy
 * between two devices is work of both. */
void devices_measure(struct analysis *analysis);

/* From the first start of an operation to the last end, by index in analysis->devices, freed with free(); of a
 * sample the sum over its windows, by weight. operations: their times, by index in model->trace; NULL: as
 * they were. */
int64_t *devices_times(const struct model *model, const struct span *operations);

/* Fills in what the findings that are shown cost each device: of several, by how much shorter the time
 * from its first operation to its last gets. Findings are ranked, and what they save together is known. */
void devices_weigh(struct analysis *analysis);

#endif

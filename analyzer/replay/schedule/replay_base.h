/*
 * A base: the schedule of a replay without fixes, except for the streams that operations run in.
 * The base is built once. Fixes with the same streams change some of its tasks, and the schedule
 * with these changes runs.
 *
 * One thread builds and frees a base; in between any number of threads may use it at a time.
 */
#ifndef STREAMTRACE_REPLAY_BASE_H
#define STREAMTRACE_REPLAY_BASE_H

#include "replay/schedule/building.h"

struct replay_base;

/* Builds the base for the edits with the reader BASE (edits.def), such as streams. needs: for these
 * streams. The timeline and the needs must outlive the base, the edits need not. Free by
 * replay_base_free(), which leaves the needs. */
struct replay_base *replay_base_create(const struct timeline *timeline, const struct needs *needs,
				       const struct edits *edits);
void replay_base_free(struct replay_base *base);

size_t replay_base_task_count(const struct replay_base *base);
const struct needs *replay_base_needs(const struct replay_base *base);

/* Whether a replay with these edits can use a base: the edits change at most half of the tasks,
 * and only single tasks. False if added streams share hardware queues, because dropped kernels
 * leave their place in the queue to others. */
bool replay_base_allows(const struct edits *edits, const struct trace *trace);

/* Fills in *building: the base's schedule, and in building->memory what the edits change. The
 * caller must set timeline, edits and memory, and zero all else. The base must be for the edits'
 * streams, and outlive the use of *building. replay_base_leave() frees what was made for *building;
 * the base and the memory stay. */
void replay_base_enter(const struct replay_base *base, struct building *building);
void replay_base_leave(struct building *building);

#endif

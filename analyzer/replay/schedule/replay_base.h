/*
 * A base: the schedule of a replay without fixes, except for the streams that operations run in. It
 * is built once; fixes with the same streams change some of its tasks, and the schedule with these
 * changes runs.
 *
 * One thread builds it; then any number may use it at a time.
 */
#ifndef STREAMTRACE_REPLAY_BASE_H
#define STREAMTRACE_REPLAY_BASE_H

#include "replay/schedule/building.h"

struct replay_base;

/* Builds the base for the streams and is_best_case of the edits. needs: for these streams. The
 * timeline and the needs must outlive it, the edits need not. */
struct replay_base *replay_base_create(const struct timeline *timeline, const struct needs *needs,
				       const struct edits *edits);
void replay_base_free(struct replay_base *base);

size_t replay_base_task_count(const struct replay_base *base);
const struct needs *replay_base_needs(const struct replay_base *base);

/* Whether the other edits change only single tasks. False if added streams share hardware queues,
 * because dropped kernels leave these to others. */
bool replay_base_allows(const struct edits *edits, const struct trace *trace);

/* Fills in the rest of *building, whose timeline, edits and memory must be set: the base's
 * schedule, with what the edits change. The base must be for the edits' streams. Free by
 * replay_base_leave(). */
void replay_base_enter(const struct replay_base *base, struct building *building);
void replay_base_leave(struct building *building);

#endif

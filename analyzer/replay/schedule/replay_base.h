/*
 * The schedule of a replay without any fix but for the streams that operations run in, which is built
 * once: fixes with the same streams change some of its tasks, and what runs is that schedule with the
 * changes.
 *
 * One thread makes it; then any number at a time use it.
 */
#ifndef STREAMTRACE_REPLAY_BASE_H
#define STREAMTRACE_REPLAY_BASE_H

#include "replay/schedule/building.h"

struct replay_base;

/* In the streams of the edits, and with their is_best_case. needs: in the same streams. The timeline and
 * the needs must outlive it, the edits need not. */
struct replay_base *replay_base_create(const struct timeline *timeline, const struct needs *needs,
				       const struct edits *edits);
void replay_base_free(struct replay_base *base);

size_t replay_base_task_count(const struct replay_base *base);
const struct needs *replay_base_needs(const struct replay_base *base);

/* Whether what else the edits say changes single tasks, and not most of them: not where added streams
 * share hardware queues, which kernels that are dropped leave to others. */
bool replay_base_allows(const struct edits *edits, const struct trace *trace);

/* Fills in the rest of the building, whose timeline, edits and memory are given: the schedule of the base,
 * which is one in the streams of the edits, with what the edits change. Freed with replay_base_leave(). */
void replay_base_enter(const struct replay_base *base, struct building *building);
void replay_base_leave(struct building *building);

#endif

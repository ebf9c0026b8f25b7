/*
 * The schedule of the replay without any fix, which is built once: fixes that leave operations in
 * their streams change some of its tasks, and what runs is that schedule with the changes.
 *
 * One thread makes it; then any number at a time use it.
 */
#ifndef STREAMTRACE_REPLAY_BASE_H
#define STREAMTRACE_REPLAY_BASE_H

#include "replay/building.h"

struct replay_base;

/* Of the replays with edits.is_best_case, or of those without. needs: in the streams of the trace.
 * The timeline and the needs must outlive it. */
struct replay_base *replay_base_create(const struct timeline *timeline, const struct needs *needs,
				       bool is_best_case);
void replay_base_free(struct replay_base *base);

/* Whether the edits change single tasks. Else operations come after others than before. */
bool replay_base_allows(const struct edits *edits, const struct trace *trace);

/* Fills in the rest of the building, whose timeline, edits and memory are given: the base's schedule,
 * with what the edits change. Freed with replay_base_leave(). */
void replay_base_enter(const struct replay_base *base, struct building *building);
void replay_base_leave(struct building *building);

#endif

/* Gathers what relies on a wait of the host, by its lines. One thread. */
#ifndef STREAMTRACE_RELIANCES_H
#define STREAMTRACE_RELIANCES_H

#include "base/memory.h"
#include "base/vector.h"
#include "races/races.h"

/* Zero-initialize it; reliances_move() frees it. */
struct reliances {
	VECTOR(struct reliance) found;
	struct map by_lines; /* indexes in found */
};

/* Counts a pair at its lines; the first pair of them is kept. */
void reliances_add(struct reliances *reliances, struct reliance pair);

/* Moves them to races, the most pairs first. */
void reliances_move(struct reliances *reliances, struct races *races);

#endif

/*
 * Levels of detail of a lane. A level divides the lane's time into equal bins. For each bin it has the share that
 * events fill, and the class that fills most of it. One thread at a time for each struct levels. Out of memory ends
 * the program.
 *
 *	struct levels *levels = levels_create(end_ns, wanted_bins);
 *	levels_add(levels, class, start_ns, end_ns);	(each event)
 *	count = levels_finish(levels);
 *	levels_bins(levels, level);			(each level below count)
 *	levels_free(levels);
 */
#ifndef STREAMTRACE_LEVELS_H
#define STREAMTRACE_LEVELS_H

#include <stddef.h>
#include <stdint.h>

/* What an event is. The class decides the event's colour. */
enum viewer_class {
	VIEWER_KERNEL,
	VIEWER_SET,
	VIEWER_COPY, /* inside a device */
	VIEWER_H2D,
	VIEWER_D2H,
	VIEWER_PEER,
	VIEWER_CALL,
	VIEWER_WAIT, /* the part of a call in which the host waited */
	VIEWER_FUNCTION,
	VIEWER_RANGE,
	VIEWER_READY, /* a host thread has no processor, being ready to run */
/* What a host thread does, in the order of enum host_state: VIEWER_STATE_RUNNING and so on. */
#define HOST_STATE(symbol, number, text) VIEWER_STATE_##symbol,
#include "facts/host_states.def"
#undef HOST_STATE
	VIEWER_CLASS_COUNT
};

/* Bins of level 0, the coarsest. Each next level has four times as many. */
#define LEVELS_FIRST_BINS 2048u

/* fill: 0 for an empty bin, 1 to 255 for one with events, 255 for a full one. class: the viewer_class that fills most
 * of the bin. */
struct level_bin {
	uint8_t fill, class;
};

/* Levels that are being made, or are made. */
struct levels;

/* Returns levels for times from 0 to end_ns, which the caller frees with levels_free(). The finest level has at
 * least wanted_bins bins, but never more than 2^23. */
struct levels *levels_create(int64_t end_ns, size_t wanted_bins);

/* Adds an event. What the event has outside of 0 to end_ns (of levels_create()) is left out. A long event takes no
 * more time to add than a short one. Call before levels_finish(). */
void levels_add(struct levels *levels, enum viewer_class class, int64_t start_ns, int64_t end_ns);

/* Makes the levels' bins. Call once, after the last levels_add(). Returns the number of levels; the last is the
 * finest. */
size_t levels_finish(struct levels *levels);

/* Returns the level's bins, LEVELS_FIRST_BINS << 2 * level of them. level 0 is the coarsest. Call after
 * levels_finish(). levels_free() frees the bins. */
const struct level_bin *levels_bins(const struct levels *levels, size_t level);

/* Frees the levels and their bins. */
void levels_free(struct levels *levels);

#endif

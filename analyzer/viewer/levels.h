/*
 * Levels of detail of a lane: how much of each of a number of equal times (bins) its events fill, and
 * with what. Any thread; out of memory ends the program.
 */
#ifndef STREAMTRACE_LEVELS_H
#define STREAMTRACE_LEVELS_H

#include <stddef.h>
#include <stdint.h>

/* What an event is, for its colour. Whatever a lane's events are, an engine runs those of some. */
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
	VIEWER_CLASS_COUNT
};

/* So many bins has the coarsest level; each one below has four times as many. */
#define LEVELS_FIRST_BINS 2048u

/* A bin: how full it is, up to 255 for full and never 0 where there is an event, and the
 * viewer_class that takes most of it. */
struct level_bin {
	uint8_t fill, class;
};

/* Being made. */
struct levels;

/* For times from 0 to end_ns, with at least wanted_bins in the finest level, up to 2^23. */
struct levels *levels_create(int64_t end_ns, size_t wanted_bins);

/* What of the span is outside of 0 to end_ns is left out. The time is the same for any span. */
void levels_add(struct levels *levels, enum viewer_class class, int64_t start_ns, int64_t end_ns);

/* How many levels there are; the last is the finest. Call it once, when all is added. */
size_t levels_finish(struct levels *levels);

/* LEVELS_FIRST_BINS << 2 * level bins, freed with the levels. */
const struct level_bin *levels_bins(const struct levels *levels, size_t level);

void levels_free(struct levels *levels);

#endif

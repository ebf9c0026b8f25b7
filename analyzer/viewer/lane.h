/*
 * A lane of a timeline: its events in chunks, and its levels of detail, packed.
 *
 * A chunk is CHUNK_EVENTS events, as six columns of unsigned numbers of 7 bits a byte, the lowest
 * first, the eighth bit set where more follow: start since the event before, duration, thing, amount,
 * link and id since the event before. The last two may fall: 2 * n, and -2 * n - 1 of
 * n below 0. A level is tiles of
 * LANE_TILE_BINS bins: the fill of each, then the class of each.
 *
 * A chunk of a replayed run can have a base: a chunk of the measured run, where all of its events are. It has
 * four columns then: where in the base the event is, since the event before; how much later it starts, since
 * the event before; how much longer it takes; and its amount. All but the last may fall. The rest is the
 * base's.
 *
 * One thread. Out of memory ends the program.
 */
#ifndef STREAMTRACE_LANE_H
#define STREAMTRACE_LANE_H

#include "viewer/levels.h"
#include "viewer/pack.h"

#include <jansson.h>

#define LANE_CHUNK_EVENTS 16384u
#define LANE_TILE_BINS	  2048u

/* Shorter chunks are worth no base. */
#define LANE_LEAST_BASED 1024u

struct lane_event {
	int64_t start_ns, end_ns; /* since the page's time 0; no end is before its start */
	int64_t wait_ns;	  /* of a call: so much of it, up to its end, was spent waiting */
	uint64_t amount;	  /* what a reader can be told of it: bytes */
	int64_t id, link; /* which it is, and which other one belongs to it; link < 0: none */
	uint32_t thing;	  /* what it is */
	/* Of a replayed run, where it is in the lane of the measured one, by start, from 1 on, and when;
	 * 0: not in this lane. */
	uint32_t place;
	int64_t base_start_ns, base_end_ns;
	enum viewer_class class;
};

typedef VECTOR(struct lane_event) lane_event_vector;

/* Where a lane goes. */
struct lane_packs {
	struct pack *first;  /* what the first look needs */
	struct pack *second; /* the rest */
};

/* So many events are drawn one by one: fewer need no levels. */
#define LANE_FEW_EVENTS 4096u

/* Packs the lane's events, which it sorts by start, and with more than LANE_FEW_EVENTS its levels, for
 * times from 0 to end_ns. Without has_events the levels only. Sets in the object:
 *   count, start_ns, end_ns, and busy_ns, the sum of the events' durations
 *   chunks   [block, offset, count, first start, last end, sum of durations, least id, greatest id] each;
 *            where a chunk has a base among those of the measured lane, its number comes behind that
 *   levels   an array of [block, offset] for each tile, or null for an empty one */
void lane_pack(json_t *object, lane_event_vector *events, int64_t end_ns, bool has_events,
	       const struct lane_packs *packs);

#endif

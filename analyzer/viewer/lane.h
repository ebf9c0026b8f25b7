/*
 * A lane of a timeline: its events in chunks, and its levels of detail, packed.
 *
 * A chunk is up to LANE_CHUNK_EVENTS events in six columns of numbers:
 *   start     minus the start of the event before
 *   duration
 *   thing
 *   amount    of a call: wait_ns
 *   link      minus the link of the event before
 *   id        minus the id of the event before
 * A number is stored with 7 bits a byte, the lowest bits first; the eighth bit is set if another byte
 * follows. A column whose numbers can be negative (link, id) stores 2 * n for n >= 0, and -2 * n - 1 for n < 0.
 *
 * A chunk of a replayed run can have a base: a chunk of the measured run that has the same events. Such a
 * chunk has four columns, and a reader takes the rest from the base:
 *   place     of the event in the base, minus the place of the event before
 *   shift     how much later it starts than in the base, minus the shift of the event before
 *   longer    how much longer it takes than in the base
 *   amount
 * All but the amount can be negative.
 *
 * A level is tiles of LANE_TILE_BINS bins. A tile has the fill of each bin, then the class of each bin, a byte
 * each. One thread. Out of memory ends the program.
 */
#ifndef STREAMTRACE_LANE_H
#define STREAMTRACE_LANE_H

#include "viewer/levels.h"
#include "viewer/pack.h"

#include <jansson.h>

#define LANE_CHUNK_EVENTS 16384u
#define LANE_TILE_BINS	  2048u

/* Fewer events that follow each other in one base do not make a chunk with a base. */
#define LANE_LEAST_BASED 1024u

struct lane_event {
	int64_t start_ns, end_ns; /* since the page's time 0; end_ns >= start_ns */
	int64_t wait_ns;	  /* of a call: its last wait_ns were spent waiting; else 0 */
	uint64_t amount;	  /* bytes, for the reader of the page */
	int64_t id,
		link; /* the event's own id, and the id of the event that belongs to it; < 0: none */
	uint32_t thing; /* index of the page's row that describes it (render/html_things.h) */
	/* Of a replayed run: the event's number, from 1 on, in the measured run's lane sorted by start, and its times
	 * there. place 0: the measured lane does not have it. */
	uint32_t place;
	int64_t base_start_ns, base_end_ns;
	enum viewer_class class;
};

typedef VECTOR(struct lane_event) lane_event_vector;

/* Where lane_pack() puts a lane's bytes. */
struct lane_packs {
	struct pack
		*first; /* what the page shows when it opens: small lanes, and level 0 of others */
	struct pack *second; /* the rest, which stands behind the page's program */
};

/* A lane of up to this many events gets no levels: the page draws them one by one. */
#define LANE_FEW_EVENTS 4096u

/* Packs a lane. Sorts the events by start. A lane of more than LANE_FEW_EVENTS gets levels, for times from 0 to
 * end_ns. has_events false: no chunks are packed. Sets in the object:
 *   count, start_ns, end_ns, and busy_ns, the sum of the events' durations
 *   chunks   a row each: [block, offset, count, first start, last end, sum of durations, least id, greatest id];
 *            of a chunk with a base, the base's number among the measured lane's chunks follows
 *   levels   a row a level: [block, offset] for each tile, null for an empty tile. Missing: no levels */
void lane_pack(json_t *object, lane_event_vector *events, int64_t end_ns, bool has_events,
	       const struct lane_packs *packs);

#endif

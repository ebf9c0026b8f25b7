/*
 * A lane of a timeline: its events in chunks, and its levels of detail, packed.
 *
 * A chunk is up to LANE_CHUNK_EVENTS events in six columns of numbers:
 *   start     minus the start of the event before
 *   duration
 *   thing
 *   amount    a call's wait_ns, any other event's amount (struct lane_event)
 *   link      minus the link of the event before
 *   id        minus the id of the event before
 * The first event of a chunk has a start of 0, and its link and id are stored whole. A number is stored with 7
 * bits a byte, the lowest bits first; the eighth bit is set if another byte of the number follows. A column whose
 * numbers can be negative (link, id) stores 2 * n for n >= 0, and -2 * n - 1 for n < 0.
 *
 * A chunk of a replayed run can have a base: a chunk of the measured run that has the same events. Such a
 * chunk has four columns, and a reader takes the rest from the base:
 *   place     of the event in the base, minus the place of the event before
 *   shift     how much later it starts than in the base, minus the shift of the event before
 *   longer    how much longer it takes than in the base
 *   amount
 * The first event's place is stored minus that of the base's first event, its shift whole. The numbers of all these
 * columns but the amount can be negative.
 *
 * A level (levels.h) is stored as tiles of LANE_TILE_BINS bins. A tile has the fill of each bin, then the class of
 * each bin, a byte each. Times are in ns. One thread. Out of memory ends the program.
 */
#ifndef STREAMTRACE_LANE_H
#define STREAMTRACE_LANE_H

#include "viewer/levels.h"
#include "viewer/pack.h"

#include <jansson.h>

#define LANE_CHUNK_EVENTS 16384u
#define LANE_TILE_BINS	  2048u

/* A chunk with a base has at least this many events, unless it is the lane's last. Each of them is in that base. */
#define LANE_LEAST_BASED 1024u

struct lane_event {
	int64_t start_ns, end_ns; /* since the page's time 0; end_ns >= start_ns */
	int64_t wait_ns;	  /* of a call: how long it waited, at its end; else 0 */
	uint64_t amount;	  /* bytes, for the reader of the page; 0: none */
	int64_t id,
		link; /* the event's own id, and the id of the event that belongs to it; < 0: none */
	uint32_t thing; /* index of the page's row that describes it (render/html_things.h) */
	/* Of a replayed run. place: the event's number, from 1 on, in the measured run's lane sorted by start; 0:
	 * that lane lacks the event. base_start_ns, base_end_ns: the event's times in that lane. */
	uint32_t place;
	int64_t base_start_ns, base_end_ns;
	enum viewer_class class;
};

typedef VECTOR(struct lane_event) lane_event_vector;

/* Where lane_pack() puts a lane's bytes. */
struct lane_packs {
	struct pack
		*first; /* what the page shows when it opens: small lanes, and level 0 of others */
	struct pack *second; /* chunks and further levels of large lanes */
};

/* A lane of up to this many events gets no levels: the page draws them one by one. */
#define LANE_FEW_EVENTS 4096u

/* Packs a lane, and copies its bytes into packs. Sorts the events by start, in place; they stay the caller's. A lane
 * of more than LANE_FEW_EVENTS gets levels, for times from 0 to end_ns. has_events false: chunks stays empty. Sets
 * in the object:
 *   chunks   a row each: [block, offset, count, first start, last end, sum of durations, least id, greatest id].
 *            The row of a chunk with a base ends with the base's number among the measured lane's chunks.
 *            lane_shorten_rows() makes other rows of these
 *   count, start_ns, end_ns, and busy_ns, the sum of the events' durations: only if has_events is false
 *   levels   a row a level: [block, offset] for each tile, JSON null for an empty tile. A lane without levels does
 *            not have the member */
void lane_pack(json_t *object, lane_event_vector *events, int64_t end_ns, bool has_events,
	       const struct lane_packs *packs);

/* Makes differences of what the rows of chunks have in full, so that they take less room on a page of many lanes. Call
 * once for a run, with the array of its lanes. A row is then [block, offset, count, first start, last end, gaps, least
 * id, greatest id, base if there is one]: offset, first start and least id minus those of the row before, in the order
 * of the lanes; last end minus first start, and gaps what of that is no sum of durations; greatest id minus least. */
void lane_shorten_rows(json_t *lanes);

#endif

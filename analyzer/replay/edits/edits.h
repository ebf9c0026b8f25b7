/*
 * Edits: what fixes change in a run. Detectors' apply() makes them; a replay (timeline.h) and a
 * bound (bound.h) apply them. edits.def is their table. Operations, calls and host functions must
 * belong to the model's trace. One thread.
 */
#ifndef STREAMTRACE_EDITS_H
#define STREAMTRACE_EDITS_H

#include "base/minmax.h"
#include "base/vector.h"
#include "model/model.h"
#include "model/order.h"

/* The edits of an operation, call or host function: bit EDIT_NAME for each row of edits.def. */
typedef uint32_t edit_mask;

enum edit_index {
#define EDIT_BIT(NAME, readers) EDIT_INDEX_##NAME,
#include "replay/edits/edits.def"
	EDIT_COUNT
};
_Static_assert(EDIT_COUNT <= 8 * sizeof(edit_mask), "edit_mask has a bit for each edit");

enum edit {
#define EDIT_BIT(NAME, readers) EDIT_##NAME = UINT32_C(1) << EDIT_INDEX_##NAME,
#include "replay/edits/edits.def"
};

#define NO_RECORD UINT32_MAX /* the stream waits for no event */

struct edits {
#define EDIT_ARRAY(type, field, count, readers) type *field;
#define EDIT_RUN(type, field, readers)		type field;
#include "replay/edits/edits.def"
	VECTOR(struct order_added) added;
};

/* Returns edits that change nothing. The model must outlive them, and be the one passed to all
 * other functions. Free by edits_free(), which frees the arrays, too. */
struct edits *edits_create(const struct model *model);
void edits_free(struct edits *edits);

/* Which time counts if an edit is made twice: the last one, the shorter one, or the sum of both.
 * is_set: the edit was made before, with before_ns. */
static inline int64_t edits_last(bool is_set, int64_t before_ns, int64_t ns)
{
	return ns;
}

static inline int64_t edits_shorter(bool is_set, int64_t before_ns, int64_t ns)
{
	return is_set ? min_ns(before_ns, ns) : ns;
}

/* The most that one call's sum may be: the sum over many calls must fit into an int64_t. */
#define EDITS_SUM_MOST_NS 10000000000

static inline int64_t edits_sum(bool is_set, int64_t before_ns, int64_t ns)
{
	return min_ns((is_set ? before_ns : 0) + min_ns(ns, EDITS_SUM_MOST_NS), EDITS_SUM_MOST_NS);
}

/* The functions of the rows: edits_pin(edits, model, operation), edits_set_duration(edits, model,
 * operation, ns), edits_narrow_wait(edits, model, call, operation) and so on. */
#define EDIT(on, NAME, function, also, readers)                                                    \
	static inline void function(struct edits *edits, const struct model *model,                \
				    const struct trace_##on *on)                                   \
	{                                                                                          \
		edits->on##s[on - model->trace->on##s] |= EDIT_##NAME | (also);                    \
	}
#define EDIT_NS(on, NAME, function, also, field, combine, readers)                                 \
	static inline void function(struct edits *edits, const struct model *model,                \
				    const struct trace_##on *on, int64_t ns)                       \
	{                                                                                          \
		size_t index = (size_t)(on - model->trace->on##s);                                 \
                                                                                                   \
		if (!edits->field)                                                                 \
			edits->field =                                                             \
				memory_array(model->trace->on##_count, sizeof(*edits->field));     \
		edits->field[index] =                                                              \
			combine(edits->on##s[index] & EDIT_##NAME, edits->field[index], ns);       \
		edits->on##s[index] |= EDIT_##NAME | (also);                                       \
	}
#define EDIT_OF(on, NAME, function, also, field, other, readers)                                   \
	static inline void function(struct edits *edits, const struct model *model,                \
				    const struct trace_##on *on, const struct trace_##other *to)   \
	{                                                                                          \
		size_t index = (size_t)(on - model->trace->on##s);                                 \
                                                                                                   \
		if (!edits->field)                                                                 \
			edits->field =                                                             \
				memory_array(model->trace->on##_count, sizeof(*edits->field));     \
		edits->field[index] = (uint32_t)(to - model->trace->other##s);                     \
		edits->on##s[index] |= EDIT_##NAME | (also);                                       \
	}
#include "replay/edits/edits.def"

/* The operation is launched as a node of a graph. between_ns: the time from the end of a node to
 * the start of the next; one value for all graphs. */
static inline void edits_make_node(struct edits *edits, const struct model *model,
				   const struct trace_operation *operation, int64_t between_ns)
{
	edits_mark_node(edits, model, operation);
	edits->between_nodes_ns = between_ns;
}

/* The stream that the operation (index in model.operations) runs in: an index in trace.streams or
 * one of edits_add_stream(). edits_move() makes the operation run in another stream. */
static inline uint32_t edits_stream_of(const struct edits *edits, const struct model *model,
				       size_t operation)
{
	return edits->streams ? edits->streams[operation]
			      : (uint32_t)(model->operations[operation].operation->form->stream -
					   model->trace->streams);
}
void edits_move(struct edits *edits, const struct model *model, size_t operation, uint32_t stream);

/* Adds a stream for work of its parent (an index in trace.streams). Returns the new stream's index,
 * for edits_move(), which must move the operations. */
uint32_t edits_add_stream(struct edits *edits, const struct model *model, uint32_t parent,
			  enum stream_flag flag);

/* The wait's stream waits for the event's record of `earlier` instead of the wait's own; earlier
 * NULL: the stream does not wait. */
void edits_wait_for_earlier(struct edits *edits, const struct model *model,
			    const struct trace_event_wait *wait,
			    const struct trace_event_wait *earlier);

/* The index of the first edit from `from` on in edits->operations, edits->calls or
 * edits->host_functions, which has `count` elements; count: there is none. */
size_t edits_next(const edit_mask *edits, size_t from, size_t count);

/* A hash of edits and of the rates of pinned copies (model.pinned_copies). If either differs, the
 * keys differ, except with a chance of about 2^-128. Edits that make the same changes by other
 * means may have different keys. */
struct edits_key {
	uint64_t first, second;
};
struct edits_key edits_key_of(const struct edits *edits, const struct model *model);

/* A key, and a copy, of only those edits that have the reader BASE in edits.def, and of the added
 * streams. Free the copy by edits_free(). */
struct edits_key edits_base_key_of(const struct edits *edits, const struct model *model);
struct edits *edits_copy_base(const struct edits *edits, const struct model *model);

/* Whether both edits make the same changes. */
bool edits_equal(const struct edits *a, const struct edits *b, const struct model *model);

#endif

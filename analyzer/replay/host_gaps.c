#include "replay/host_gaps.h"

#include "base/minmax.h"
#include "base/thresholds.h"
#include "base/vector.h"
#include "trace/collectives.h"

#include <stdlib.h>

struct walking {
	const struct timeline *timeline; /* or NULL */
	VECTOR(struct idle_piece) pieces;
};

/* The call before the gap that has the piece: of its thread, or one that handed it work. A thread that
 * only made the GPU busy before the piece did not hold up this one. NULL: there is none. */
static const struct trace_call *gap_since(const struct timeline *timeline,
					  const struct idle_piece *piece)
{
	const struct trace_call *since;

	if (!piece->from || piece->from->form->thread_id == piece->call->form->thread_id)
		return piece->from;
	since = timeline ? timeline_call_before(timeline, piece->call) : NULL;
	return since && since->end_ns <= piece->span.start_ns ? since : NULL;
}

static void take_piece(void *context, const struct idle_piece *piece)
{
	struct walking *walking = context;
	struct idle_piece taken = *piece;

	if (piece->cause != IDLE_HOST_WORK || collective_is_call_of_nccl(piece->call))
		return;
	taken.from = gap_since(walking->timeline, piece);
	if (taken.from && piece->call->start_ns - taken.from->end_ns >= SEQUENCE_WORK_NS)
		*vector_add(&walking->pieces) = taken;
}

static const struct trace_call *last_call(const struct trace *trace)
{
	const struct trace_call *last = NULL;

	for (size_t i = 0; i < trace->call_count; i++)
		if (!last || trace->calls[i].end_ns > last->end_ns)
			last = &trace->calls[i];
	return last;
}

static void walk_end(const struct trace *trace, struct walking *walking)
{
	const struct trace_call *last = last_call(trace), *from = NULL;
	int64_t idle_ns = 0;

	for (size_t i = 0; i < trace->operation_count; i++)
		idle_ns = max_ns(idle_ns, trace->operations[i].end_ns);
	for (size_t i = 0; last && last->end_ns > idle_ns && i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];

		if (call->form->thread_id != last->form->thread_id)
			continue;
		if (from && call->start_ns > max_ns(idle_ns, from->end_ns))
			take_piece(walking,
				   &(struct idle_piece){
					   .span = {max_ns(idle_ns, from->end_ns), call->start_ns},
					   .cause = IDLE_HOST_WORK,
					   .from = from,
					   .call = call});
		if (!from || call->end_ns > from->end_ns)
			from = call;
	}
}

struct host_gaps host_gaps_find(const struct model *model, const struct timeline *timeline,
				const struct evidence *evidence)
{
	struct walking walking = {.timeline = timeline};
	struct idle_walk *walk = idle_walk_create(model, timeline, evidence);

	idle_walk_each(walk, IDLE_ALL_DEVICES, (struct span){0, INT64_MAX}, take_piece, &walking);
	idle_walk_free(walk);
	walk_end(model->trace, &walking);
	return (struct host_gaps){walking.pieces.items, walking.pieces.count};
}

void host_gaps_free(struct host_gaps gaps)
{
	free(gaps.pieces);
}

#include "detectors/host/host_gaps.h"

#include "base/minmax.h"
#include "base/thresholds.h"
#include "trace/collectives.h"

struct walking {
	const struct observed *observed;
	idle_function piece;
	void *context;
};

/* The call before the gap that has the piece: of its thread, or one that handed it work. A thread that
 * only made the GPU busy before the piece did not hold up this one. NULL: there is none. */
static const struct trace_call *gap_since(const struct observed *observed,
					  const struct idle_piece *piece)
{
	const struct trace_call *since;

	if (!piece->from || piece->from->form->thread_id == piece->call->form->thread_id)
		return piece->from;
	since = observed->timeline ? timeline_call_before(observed->timeline, piece->call) : NULL;
	return since && since->end_ns <= piece->span.start_ns ? since : NULL;
}

static void take_piece(void *context, const struct idle_piece *piece)
{
	const struct walking *walking = context;
	struct idle_piece taken = *piece;

	if (piece->cause != IDLE_HOST_WORK || collective_is_call_of_nccl(piece->call))
		return;
	taken.from = gap_since(walking->observed, piece);
	if (taken.from && piece->call->start_ns - taken.from->end_ns >= SEQUENCE_WORK_NS)
		walking->piece(walking->context, &taken);
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

void host_gaps_each(const struct observed *observed, idle_function piece, void *context)
{
	struct walking walking = {observed, piece, context};
	struct idle_walk *walk = idle_walk_create(observed);

	idle_walk_each(walk, IDLE_ALL_DEVICES, (struct span){0, INT64_MAX}, take_piece, &walking);
	idle_walk_free(walk);
	walk_end(observed->model->trace, &walking);
}

#include "detectors/waits/function_looks.h"

#include "base/thresholds.h"
#include "detectors/evidence/host_place.h"

struct adding {
	struct function_looks *looks;
	const struct host_record *record;
	const struct trace_call *call, *next;
	struct span before, behind; /* the function's end */
};

static void note_place(const struct adding *adding, const struct trace_host_state *state)
{
	const struct trace_site *look = host_site_of(adding->record, state);

	if (!adding->looks->place.site && host_site_is_own(adding->record, look))
		adding->looks->place = host_place_between(look, adding->call->form->site,
							  adding->next->form->site);
}

static void add_piece(void *context, const struct host_piece *piece)
{
	const struct adding *adding = context;
	const struct trace_host_state *state = piece->state;

	if (piece->kind != HOST_SEEN || state->state != HOST_STATE_THREAD || host_is_lock(state))
		return;
	if (host_has_look_in(state, adding->before)) {
		adding->looks->before++;
		note_place(adding, state);
	}
	if (host_has_look_in(state, adding->behind))
		adding->looks->behind++;
}

void function_looks_add(struct function_looks *looks, const struct model *model,
			const struct trace_call *call, const struct trace_call *next,
			const struct trace_host_function *function)
{
	struct adding adding = {looks,
				model->host,
				call,
				next,
				{call->end_ns, function->end_ns},
				{function->end_ns, next->start_ns}};

	if (model->host)
		host_record_each(model->host, call->form->thread_id,
				 (struct span){call->end_ns, next->start_ns}, add_piece, &adding);
}

bool function_looks_are_wait(const struct function_looks *looks)
{
	return looks->before >= REPEAT_LEAST_TIMES && looks->before > looks->behind;
}

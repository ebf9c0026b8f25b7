#include "detectors/waits/host_reads.h"

/* So much of the work between the two calls. */
static void leave_out(const struct model *model, const struct trace_call *before,
		      const struct trace_call *call, int64_t work_ns, struct edits *edits)
{
	edits_set_work(edits, model, call, max_ns(0, host_read_gap_ns(before, call) - work_ns));
}

void host_read_drop(const struct model *model, const struct instance *instance,
		    const struct host_read_work *work, enum doubt doubt, struct edits *edits)
{
	struct host_read read = host_read_of(instance);
	const struct trace_call *copy = read.copy->call;

	edits_drop_operation(edits, model, instance->operation);
	edits_drop_call(edits, model, copy);
	/* What the host does between the calls is a part of the read, too. */
	if (read.awaited) {
		edits_drop_call(edits, model, read.awaited);
		edits_drop_work(edits, model, copy);
	}
	if (instance->call != copy) {
		edits_drop_call(edits, model, instance->call);
		if (!read.is_behind_others)
			edits_drop_work(edits, model, instance->call);
	}
	if (doubt != DOUBT_DROP)
		return;
	if (read.before)
		leave_out(model, read.before, host_read_first_call(&read), work->before_ns, edits);
	if (read.next)
		leave_out(model, instance->call, read.next, work->behind_ns, edits);
}

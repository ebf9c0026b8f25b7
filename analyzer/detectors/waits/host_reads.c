#include "detectors/waits/host_reads.h"

#include "base/median.h"
#include "base/memory.h"
#include "base/thresholds.h"

#include <stdlib.h>

struct host_read_work host_read_work_around(const struct instance *instances, size_t count)
{
	int64_t *before = memory_array(count, sizeof(*before));
	int64_t *behind = memory_array(count, sizeof(*behind));
	int64_t *between = memory_array(count, sizeof(*between));
	struct host_read_work work = {.least_ns = INT64_MAX};
	size_t known = 0;

	for (size_t i = 0; i < count; i++) {
		const struct trace_call *call = instances[i].call;
		struct host_read read = host_read_of(&instances[i]);

		if (read.told) {
			work.least_ns =
				min_ns(work.least_ns,
				       host_read_gap_ns(read.before, read.first) +
					       max_ns(0, call->start_ns - read.told->end_ns));
			continue;
		}
		between[known] = read.between_ns;
		before[known] = host_read_gap_ns(read.before, host_read_first_call(&read));
		behind[known++] = host_read_gap_ns(call, read.next);
	}
	work.before_ns = min_ns(median_ns(before, known), SEQUENCE_WORK_NS);
	work.behind_ns = min_ns(median_ns(behind, known), SEQUENCE_WORK_NS);
	/* What a framework does for a call is behind the call before and before the call itself. The
	 * read divides one such time into two: without it the longer one stays. */
	work.around_ns = min_ns(min_ns(work.before_ns, work.behind_ns), median_ns(between, known));
	free(before);
	free(behind);
	free(between);
	return work;
}

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
	if (read.before)
		leave_out(model, read.before, host_read_first_call(&read),
			  doubt == DOUBT_DROP ? work->before_ns : work->around_ns, edits);
	if (doubt == DOUBT_DROP && read.next)
		leave_out(model, instance->call, read.next, work->behind_ns, edits);
}

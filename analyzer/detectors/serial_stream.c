/*
 * WHAT: independent copies and kernels in one stream: it runs them one after the other.
 * EVIDENCE: an operation was enqueued, its engine was free and what it needs was done, yet it
 *   started only when the operation before it in its stream, on another engine, had ended.
 * COST: the time between those two moments.
 * FALSE POSITIVES: a copy into a buffer that an earlier kernel still reads: independent in its
 * data, but a fix needs a second buffer (the fix says so when the copies share their target).
 */
#include "detector.h"

#include <stdio.h>

static void find(const struct model *model, struct instances *found)
{
	for (size_t i = 0; i < model->operation_count; i++) {
		const struct model_operation *place = &model->operations[i];
		struct model_wait wait = model_held_by_stream(model, place);

		if (wait.span.end_ns > wait.span.start_ns)
			instance_add(found,
				     (struct instance){.span = wait.span,
						       .reach = wait.reach,
						       .reach_of_both = wait.reach_of_both,
						       .site_call = place->operation->call,
						       .operation = place->operation,
						       .cause = place->stream.holder,
						       .reuses_buffer = place->reuses_buffer});
	}
}

static void describe(const struct model *model, const struct instance *instance, char *text,
		     size_t size)
{
	char waiter[160], holder[160], stream[32];

	snprintf(text, size, "%s was held by %s before it in %s",
		 describe_operation(model, instance->operation, waiter, sizeof(waiter)),
		 describe_operation(model, instance->cause, holder, sizeof(holder)),
		 describe_stream(instance->operation, stream, sizeof(stream)));
}

const struct detector detector_serial_stream = {
	.id = "serial-stream",
	.title = "Independent copies and kernels wait for each other in one stream",
	.fix = "Spread the chunks over streams[i % 4] from cudaStreamCreate(): then the\n"
	       "copy of one chunk runs beside the kernel of another.",
	.fix_shared_buffer =
		"Spread the chunks over streams[i % 4] from cudaStreamCreate(), each on\n"
		"a device buffer of its own: these copies all write to the same one.",
	.edit = {.frees_stream = true},
	.find = find,
	.describe = describe,
};

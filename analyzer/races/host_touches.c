#include "races/host_touches.h"

#include "base/memory.h"
#include "base/thresholds.h"
#include "ptx/kernel_uses.h"
#include "races/chunks.h"

#include <stdlib.h>
#include <string.h>

struct touches {
	const struct observed *observed;
	const struct host_orders *host;
	int64_t *
		ready_ns; /* by index in trace.operations: only its engine can have delayed it since */
	struct map callback_threads; /* that run host functions: streams order what they do */
	struct chunks chunks;
};

/* The driver's own code, which the program's calls run. */
static bool is_of_driver(const struct trace_site *site)
{
	const char *module = site && site->depth ? site->frames[0].module : NULL;
	const char *slash = module ? strrchr(module, '/') : NULL;

	return module && strncmp(slash ? slash + 1 : module, "libcuda", 7) == 0;
}

/* A kernel may wait for a word that the host writes. */
static bool is_for_kernel(const struct trace_copy_watch *watch)
{
	return watch->copy->form->kind == OPERATION_KERNEL && watch->kind == FIRST_USE_WRITTEN &&
	       watch->watched_bytes <= FLAG_MOST_BYTES;
}

/* A kernel's argument reaches up to the next address that the program uses. */
static bool is_beyond(const struct touches *touches, const struct trace_copy_watch *watch)
{
	return watch->copy->form->kind == OPERATION_KERNEL &&
	       watch->touch_address >= chunks_end(&touches->chunks, watch->address, UINT64_MAX);
}

/* USE_ bits, of what the kernel does with the memory of this argument. */
static uint8_t kernel_uses_of(const struct trace *trace, const struct trace_copy_watch *watch)
{
	const struct trace_arguments *arguments = watch->copy->call->form->arguments;
	const struct kernel_uses *known = trace_kernel_uses(trace, watch->copy->form->name);
	uint8_t uses = 0;

	if (!known || !arguments)
		return USE_UNKNOWN;
	for (size_t i = 0; i < arguments->count; i++)
		if (arguments->items[i].address == watch->address)
			uses |= kernel_uses_at(known, arguments->items[i].parameter,
					       arguments->items[i].offset_bytes);
	return uses;
}

/* CUDA's own releases are calls of the trace. */
static bool is_conflict(const struct trace_copy_watch *watch)
{
	switch (watch->kind) {
	case FIRST_USE_READ:
		return !watch->is_source;
	case FIRST_USE_WRITTEN:
	case FIRST_USE_SYSTEM_CALL:
		return true;
	case FIRST_USE_FREED:
		return watch->site != NULL;
	default:
		return false;
	}
}

/* Whether the copy had not begun, may have waited for the host, and finds the memory there: behind something that it can have told to go on, or for
 * no cause that is seen. */
static bool may_be_held(const struct touches *touches, const struct trace_copy_watch *watch)
{
	const struct trace_operation *copy = watch->copy;
	const int64_t ready_ns =
		touches->ready_ns[copy - touches->observed->model->trace->operations];

	if (watch->end_ns >= copy->start_ns || watch->kind == FIRST_USE_FREED)
		return false;
	return host_orders_has_signal(touches->host, watch->end_ns, copy->start_ns) ||
	       (copy->start_ns - ready_ns > HELD_LEAST_NS && watch->end_ns >= ready_ns);
}

/* Only a read as short as a flag can be a poll. */
static bool may_be_poll(const struct trace_copy_watch *watch)
{
	return !watch->is_source && watch->kind == FIRST_USE_READ &&
	       watch->copy->form->size_bytes <= FLAG_MOST_BYTES;
}

/* The copy was done, as far as the clocks tell. False: the host can have known. */
static bool judge_later(const struct touches *touches, const struct trace_copy_watch *watch,
			struct race *race)
{
	const int64_t from_ns = watch->copy->end_ns - CLOCKS_APART_NS, until_ns = watch->end_ns;

	if (host_orders_may_know(touches->host, from_ns, until_ns))
		return false;
	race->certainty = RACE_POSSIBLE;
	race->luck = host_orders_luck(touches->host, watch->copy, until_ns);
	if (!race->luck)
		return !host_orders_has_luck(touches->host, from_ns, until_ns);
	race->certainty = RACE_BY_LUCK;
	/* A blocking copy behind it in its stream is a wait. */
	return strstr(race->luck->form->function->name, "Async") || !race->luck->operation ||
	       race->luck->operation->form->kind != OPERATION_COPY ||
	       race->luck->operation->form->stream != watch->copy->form->stream;
}

static bool judge_touch(const struct touches *touches, const struct trace_copy_watch *watch,
			struct race *race)
{
	const bool is_kernel = watch->copy->form->kind == OPERATION_KERNEL;
	const uint8_t uses = is_kernel ? kernel_uses_of(touches->observed->model->trace, watch) : 0;

	if (!is_conflict(watch) || is_for_kernel(watch) || is_beyond(touches, watch) ||
	    is_of_driver(watch->site) || (is_kernel && !uses) ||
	    map_find(&touches->callback_threads, watch->thread_id) != MAP_NONE)
		return false;
	*race = (struct race){.certainty = RACE_CERTAIN,
			      .first = watch->copy,
			      .touch = watch,
			      .first_writes = is_kernel ? uses & (USE_WRITE | USE_UNKNOWN)
							: !watch->is_source,
			      .second_writes = watch->kind != FIRST_USE_READ};
	if (watch->copy->end_ns - watch->end_ns <= CLOCKS_APART_NS)
		return judge_later(touches, watch, race);
	/* Which of the bytes a kernel uses is not known. */
	if (is_kernel || may_be_held(touches, watch) || may_be_poll(watch))
		race->certainty = RACE_POSSIBLE;
	return true;
}

static struct touches prepare_touches(const struct observed *observed,
				      const struct host_orders *host)
{
	const struct model *model = observed->model;
	const struct trace *trace = model->trace;
	struct touches touches = {.observed = observed, .host = host, .chunks = chunks_find(trace)};

	touches.ready_ns = memory_array(trace->operation_count, sizeof(*touches.ready_ns));
	for (size_t i = 0; i < model->operation_count; i++)
		touches.ready_ns[model->operations[i].operation - trace->operations] =
			model_ordered_ns(model, &model->operations[i]);
	for (size_t i = 0; i < trace->host_function_count; i++) {
		const uint32_t thread_id = trace->host_functions[i].thread_id;

		if (map_find(&touches.callback_threads, thread_id) == MAP_NONE)
			map_add(&touches.callback_threads, thread_id, i);
	}
	return touches;
}

void host_touches_each(const struct observed *observed, const struct host_orders *host,
		       void (*take)(void *context, struct race race), void *context)
{
	const struct trace *trace = observed->model->trace;
	struct touches touches;
	struct race race;

	if (!trace->copy_watch_count)
		return;
	touches = prepare_touches(observed, host);
	for (size_t i = 0; i < trace->copy_watch_count; i++)
		if (judge_touch(&touches, &trace->copy_watches[i], &race))
			take(context, race);
	map_free(&touches.callback_threads);
	chunks_free(&touches.chunks);
	free(touches.ready_ns);
}

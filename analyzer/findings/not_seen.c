#include "findings/not_seen.h"

#include "base/format.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "base/thresholds.h"
#include "findings/failures.h"

#include <math.h>
#include <stdlib.h>

#include <string.h>

void not_seen_add(struct not_seen_list *list, char *what, char *why)
{
	list->items = memory_shrink(list->items, list->count + 1, sizeof(*list->items));
	list->items[list->count++] = (struct not_seen){.what = what, .why = why};
}

void not_seen_free(struct not_seen_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free(list->items[i].what);
		free(list->items[i].why);
	}
	free(list->items);
}

static bool has_cupti(const struct trace *trace)
{
	const char *cupti = trace_metadata(trace, "cupti");

	return !cupti || strcmp(cupti, "on") == 0;
}

/* ": calls failed from cudaMemcpy on (cudaErrorIllegalAddress)", or nothing: why records
 * have no time; malloc'ed. */
static char *untimed_cause(const struct failed_calls *failed)
{
	char *name, *cause;

	if (!failed->first)
		return memory_format("%s", "");
	name = failures_name(failed->first);
	cause = memory_format(": calls failed from %s on (%s)", failed->first->form->function->name,
			      name);
	free(name);
	return cause;
}

static void append_loss(struct not_seen_list *list, const struct failed_calls *failed,
			const struct trace_loss *loss, int64_t count)
{
	const char *detail = loss->detail ? loss->detail : "";
	bool is_untimed = strcmp(loss->kind, "untimed") == 0;
	char *cause = is_untimed ? untimed_cause(failed) : memory_format("%s", "");

	not_seen_add(list, memory_format("%s", loss->kind),
		     memory_format("%lld %s%s%s%s%s", (long long)count, loss->text,
				   *detail ? " (" : "", detail, *detail ? ")" : "", cause));
	free(cause);
}

/* One row a kind and detail: a loss comes once for each time it was noticed. */
static void append_losses(struct not_seen_list *list, const struct trace *trace,
			  const struct failed_calls *failed)
{
	size_t i, k;

	for (i = 0; i < trace->loss_count; i++) {
		const struct trace_loss *loss = &trace->losses[i];
		const char *detail = loss->detail ? loss->detail : "";
		int64_t count = 0;
		bool is_first = true;

		for (k = 0; k < trace->loss_count; k++) {
			const struct trace_loss *other = &trace->losses[k];

			if (strcmp(other->kind, loss->kind) != 0 ||
			    strcmp(other->detail ? other->detail : "", detail) != 0)
				continue;
			is_first = is_first && k >= i;
			count += other->count;
		}
		/* The reason why CUPTI does not work is reported once. */
		if (is_first &&
		    (has_cupti(trace) || strcmp(detail, trace_metadata(trace, "cupti")) != 0))
			append_loss(list, failed, loss, count);
	}
}

static bool has_loss(const struct trace *trace, const char *kind)
{
	size_t i;

	for (i = 0; i < trace->loss_count; i++)
		if (strcmp(trace->losses[i].kind, kind) == 0)
			return true;
	return false;
}

/* The runtime's errors that mean that no call can succeed. */
static const char *failure_text(int result)
{
	static const struct {
		int result;
		const char *text;
	} texts[] = {
		{3, "CUDA could not start (for example in a process forked after CUDA was used)"},
		{35, "the driver is missing, or older than the CUDA runtime"},
		{46, "all GPUs are in use or unavailable"},
		{100, "no GPU, or none visible to the program"},
		{802, "the GPUs are not ready (is the fabric manager running?)"},
		{803, "the driver and its user-mode libraries do not match"},
		{804, "forward compatibility of CUDA is not supported on this GPU"},
	};
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (texts[i].result == result)
			return texts[i].text;
	return NULL;
}

char *not_seen_failure(const struct trace *trace)
{
	const struct trace_call *first = trace->calls;
	const char *text;
	char *name, *reason;
	size_t i;

	for (i = 0; i < trace->call_count; i++)
		if (!failures_has_failed(&trace->calls[i]))
			return NULL;
	if (!trace->call_count || trace->operation_count)
		return NULL;
	text = failure_text(first->form->result);
	name = failures_name(first);
	reason =
		memory_format("no CUDA call succeeded (first: %s, error %d): %s",
			      first->form->function->name, first->form->result, text ? text : name);
	free(name);
	return reason;
}

static void append_operations(struct not_seen_list *list, const struct trace *trace,
			      const struct failed_calls *failed)
{
	size_t unmatched = trace->operation_count - trace->matched_operations;
	struct format format;

	char *cause = untimed_cause(failed);

	if (trace->untimed_operations && !has_loss(trace, "untimed"))
		not_seen_add(list, memory_format("untimed"),
			     memory_format("%s GPU records have no time%s",
					   format_count(&format, trace->untimed_operations),
					   cause));
	free(cause);
	if (unmatched)
		not_seen_add(list, memory_format("unmatched"),
			     memory_format("%s GPU operations have no matching call%s",
					   format_count(&format, unmatched),
					   trace->window_count ? ": made before the window" : ""));
}

/* Events and queries that no wrapper sees come from CUPTI's driver callbacks, unless these were
 * switched off or the library was older. */
static void append_past_wrappers(struct not_seen_list *list, const struct trace *trace)
{
	const char *events = trace_metadata(trace, "events");
	struct format past, all;
	size_t count = 0, i;

	if (events && strcmp(events, "all") == 0)
		return;
	for (i = 0; i < trace->operation_count; i++)
		count += trace->operations[i].call &&
			 trace->operations[i].call->form->via_driver_callback;
	if (count)
		not_seen_add(
			list, memory_format("events and queries"),
			memory_format("%s of %s operations were not issued through the wrappers "
				      "(static cudart, a library or the driver API): events and "
				      "queries issued there are not in the trace (%s)",
				      format_count(&past, count),
				      format_count(&all, trace->operation_count),
				      events ? "STREAMTRACE_EVENTS=0"
					     : "recorded by an older libstrace.so"));
}

static bool is_called(const struct trace *trace, const char *name)
{
	size_t i;

	for (i = 0; i < trace->function_count; i++)
		if (strcmp(trace->functions[i].name, name) == 0)
			return true;
	return false;
}

static void append_managed_memory(struct not_seen_list *list, const struct trace *trace)
{
	const char *managed = trace_metadata(trace, "managed_memory");

	if (managed && strcmp(managed, "on") != 0 &&
	    (is_called(trace, "cudaMallocManaged") || is_called(trace, "cuMemAllocManaged")))
		not_seen_add(
			list, memory_format("managed memory"),
			memory_format("page faults and migrations were not recorded: %s", managed));
}

/* Whether memory moved to the device during the kernel; adds its bytes. *next: of migrations, behind
 * those of the kernels before. */
static bool has_moved(const struct trace *trace, const struct trace_operation *kernel, size_t *next,
		      uint64_t *bytes)
{
	const struct trace_migration *migrations = trace->migrations;
	size_t count = trace->migration_count;
	bool has_moved = false;

	while (*next < count && migrations[*next].start_ns < kernel->start_ns)
		(*next)++;
	for (; *next < count && migrations[*next].start_ns < kernel->end_ns; (*next)++) {
		if (migrations[*next].kind != MIGRATION_TO_DEVICE)
			continue;
		has_moved = true;
		if (__builtin_add_overflow(*bytes, migrations[*next].bytes, bytes))
			*bytes = UINT64_MAX;
	}
	return has_moved;
}

/* Kernels wait for the memory that their page faults move, and count as busy meanwhile. What
 * several kernels may have waited for counts for the first. */
static void append_migrations(struct not_seen_list *list, const struct trace *trace)
{
	struct format moved, time, kernels;
	int64_t kernels_ns = 0;
	uint64_t bytes = 0;
	size_t count = 0, next = 0;

	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *kernel = &trace->operations[i];

		if (kernel->form->kind != OPERATION_KERNEL ||
		    !has_moved(trace, kernel, &next, &bytes))
			continue;
		count++;
		kernels_ns += kernel->end_ns - kernel->start_ns;
	}
	if (count)
		not_seen_add(
			list, memory_format("managed memory"),
			memory_format("%s moved to the GPU on page faults of %s kernel%s, which "
				      "took %s in all with that: lines where it happens again and "
				      "again are managed-fault. cudaMemPrefetchAsync() before the "
				      "launch moves it without faults",
				      format_bytes(&moved, bytes), format_count(&kernels, count),
				      count == 1 ? "" : "s", format_time(&time, kernels_ns)));
}

/* Also Nsight Systems records graphs so, unless it is told otherwise. */
static void append_whole_graphs(struct not_seen_list *list, const struct trace *trace)
{
	struct format format;
	size_t count = 0;

	for (size_t i = 0; i < trace->operation_count; i++)
		count += trace->operations[i].form->is_graph;
	if (count)
		not_seen_add(list, memory_format("graphs"),
			     memory_format("%s launch%s of a graph, recorded as one operation "
					   "each: what its nodes wait for is not seen "
					   "(STREAMTRACE_GRAPHS=nodes records them)",
					   format_count(&format, count), count == 1 ? "" : "es"));
}

static void append_first_uses(struct not_seen_list *list, const struct trace *trace)
{
	const char *state = trace_metadata(trace, "first_use");

	if (state && strcmp(state, "on") != 0)
		not_seen_add(list, memory_format("first uses"), memory_format("%s", state));
}

static void append_watches(struct not_seen_list *list, const struct trace *trace)
{
	const char *state = trace_metadata(trace, "races");
	size_t parts = 0, given_up = 0;
	struct format some, all;

	if (state && strcmp(state, "on") != 0)
		not_seen_add(list, memory_format("races"), memory_format("%s", state));
	for (size_t i = 0; i < trace->copy_watch_count; i++) {
		const struct trace_copy_watch *watch = &trace->copy_watches[i];

		parts += watch->copy->form->kind == OPERATION_COPY &&
			 watch->watched_bytes < watch->copy->form->size_bytes;
		given_up += watch->kind == FIRST_USE_GIVEN_UP;
	}
	if (parts)
		not_seen_add(
			list, memory_format("races"),
			memory_format("%s of %s watches of copies' host memory left out its "
				      "first or last bytes, which share a page with other data",
				      format_count(&some, parts),
				      format_count(&all, trace->copy_watch_count)));
	if (given_up)
		not_seen_add(
			list, memory_format("races"),
			memory_format("%s of %s watches of copies' host memory ended early: the "
				      "program changed its protection, launched a graph, or passed "
				      "it to the Linux kernel in a way that is not followed",
				      format_count(&some, given_up),
				      format_count(&all, trace->copy_watch_count)));
}

static void append_cut_texts(struct not_seen_list *list, const struct trace *trace)
{
	size_t count = trace_cut_texts(trace);
	struct format format;

	if (count)
		not_seen_add(list, memory_format("long texts"),
			     memory_format("%s had more than 64 KB, of which the rest was left out",
					   format_count(&format, count)));
}

static bool is_metadata(const struct trace *trace, const char *key, const char *value)
{
	const char *found = trace_metadata(trace, key);

	return found && strcmp(found, value) == 0;
}

static bool was_never_started(const struct trace *trace)
{
	return is_metadata(trace, "start", "paused") && !trace->window_count;
}

char *not_seen_nothing(const struct trace *trace)
{
	const char *steps = trace_metadata(trace, "steps");

	if (trace->call_count || trace->operation_count || trace->untimed_operations)
		return NULL;
	if (was_never_started(trace))
		return memory_format("STREAMTRACE_START=paused and no window was opened");
	if (steps && !trace->window_count)
		return memory_format("none was made in the steps %s", steps);
	if (trace->loss_count)
		return memory_format("%lld %s", (long long)trace->losses[0].count,
				     trace->losses[0].text);
	if (!has_cupti(trace))
		return memory_format("%s", trace_metadata(trace, "cupti"));
	if (is_metadata(trace, "end", "running"))
		return memory_format("the program was still running, or was killed before its "
				     "first calls were written");
	return memory_format("the program made none that waits or enqueues work%s",
			     trace->window_count ? " while it was recorded" : "");
}

/* Such a trace is whole when the device's part is over, and the program goes on. */
static bool is_of_watch_mode(const struct trace *trace)
{
	return trace->incident_count && trace->incidents[0].device_end_ns >= 0;
}

void not_seen_collect(struct not_seen_list *list, const struct trace *trace,
		      const struct failed_calls *failed)
{
	const char *cupti = trace_metadata(trace, "cupti");
	const char *python = trace_metadata(trace, "python");
	char *failure = not_seen_failure(trace);

	if (trace->unread)
		not_seen_add(list, memory_format("part of the file"),
			     memory_format("%s", trace->unread));
	if (was_never_started(trace))
		not_seen_add(list, memory_format("window"),
			     memory_format("STREAMTRACE_START=paused and no window was opened: "
					   "nothing was recorded"));
	if (failure)
		not_seen_add(list, memory_format("GPU operations"), failure);
	else if (!has_cupti(trace))
		not_seen_add(list, memory_format("GPU operations"), memory_format("%s", cupti));
	append_losses(list, trace, failed);
	append_operations(list, trace, failed);
	append_past_wrappers(list, trace);
	append_managed_memory(list, trace);
	append_migrations(list, trace);
	append_whole_graphs(list, trace);
	append_first_uses(list, trace);
	append_watches(list, trace);
	append_cut_texts(list, trace);
	if (python && strncmp(python, "on", 2) != 0)
		not_seen_add(list, memory_format("Python lines"), memory_format("%s", python));
	if (trace_metadata(trace, "unknown_options"))
		not_seen_add(list, memory_format("environment"),
			     memory_format("unknown variable or invalid value: %s",
					   trace_metadata(trace, "unknown_options")));
	if (is_metadata(trace, "end", "running") && !is_of_watch_mode(trace))
		not_seen_add(list, memory_format("end of run"),
			     memory_format("the program was still running or was killed: the last "
					   "events may be missing"));
}

/* times: the run's operations to those of the sample that was seen. */
static const char *count_text(struct format *text, size_t count, double times)
{
	return format_count(text, (size_t)llround(times * (double)count));
}

static void append_unknown_kernels(struct not_seen_list *list, const struct model *model,
				   double times)
{
	const char *state = trace_metadata(model->trace, "launch_arguments");
	const struct model_seen *seen = &model->seen;
	struct format part, all;

	if (state && strcmp(state, "on") != 0)
		not_seen_add(list, memory_format("kernel arguments"),
			     memory_format("%s: each kernel is assumed to depend on all earlier "
					   "writes in its stream",
					   state));
	else if (seen->unseen_kernels)
		not_seen_add(
			list, memory_format("kernel arguments"),
			memory_format("not all known for %s of %s kernels: they are assumed to "
				      "depend on all earlier writes in their stream",
				      count_text(&part, seen->unseen_kernels, times),
				      count_text(&all, seen->kernels, times)));
}

static void append_pointers(struct not_seen_list *list, const struct model_seen *seen, double times)
{
	struct format part, all;

	if (seen->unknown_arguments)
		not_seen_add(
			list, memory_format("memory of unknown origin"),
			memory_format("%s of %s kernel pointers point to memory whose allocation "
				      "is not in the trace: kernels with equal pointers are "
				      "assumed to share it, others not",
				      count_text(&part, seen->unknown_arguments, times),
				      count_text(&all, seen->arguments + seen->unknown_arguments,
						 times)));
	if ((double)seen->inner_arguments > POOLED_SHARE * (double)seen->arguments)
		not_seen_add(
			list, memory_format("buffers in one allocation"),
			memory_format(
				"%s of %s kernel pointers point into pooled allocations (caching "
				"allocator, chunks of one buffer): such a kernel is assumed to use "
				"everything from there to the end of the allocation",
				count_text(&part, seen->inner_arguments, times),
				count_text(&all, seen->arguments, times)));
}

void not_seen_reach(struct not_seen_list *list, const struct model *model,
		    const struct trace *whole)
{
	double times = (double)whole->operation_count /
		       (double)max_ns(1, (int64_t)model->trace->operation_count);

	append_unknown_kernels(list, model, times);
	append_pointers(list, &model->seen, times);
}

#include "detectors/waits/function_waits.h"

#include "base/median.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "base/mix.h"
#include "base/thresholds.h"
#include "base/vector.h"
#include "detectors/waits/function_looks.h"

#include <stdio.h>
#include <stdlib.h>

/* A call that enqueued a host function, and what followed. */
struct step {
	const struct trace_call *call, *next; /* next: of the thread */
	const struct trace_host_function *function;
	const struct trace_operation *cause;	 /* the last work that the function waited for */
	const struct trace_operation *operation; /* that the thread enqueued next */
	size_t line;
};

/* Steps of one call site and thread. */
struct step_line {
	size_t count; /* with the steps in which nothing shows a wait */
	size_t begin; /* where the next step's work begins, an index in trace.operations */
	VECTOR(int64_t)
	waited, after;		     /* of each step with a wait: until the function's end, and
					* from there to the next call; in ns */
	struct function_looks looks; /* of these steps */
};

struct step_search {
	const struct model *model;
	struct map functions; /* calls to the host functions that they enqueued, by index */
	struct map lines_at;
	VECTOR(struct step_line) lines;
	VECTOR(struct step) steps; /* in which a wait shows */
	/* By index in trace.operations, of all that started before: when the last one ended, and how
	 * many brought results. */
	int64_t *busy_until_ns;
	uint32_t *results;
};

static void note_operations(struct step_search *search)
{
	const struct model *model = search->model;
	size_t count = model->trace->operation_count;
	int64_t busy_ns = INT64_MIN;
	uint32_t results = 0;

	search->busy_until_ns = memory_array(count, sizeof(*search->busy_until_ns));
	search->results = memory_array(count, sizeof(*search->results));
	for (size_t i = 0; i < count; i++) {
		const struct trace_operation *operation = &model->trace->operations[i];

		search->busy_until_ns[i] = busy_ns;
		search->results[i] = results;
		busy_ns = max_ns(busy_ns, operation->end_ns);
		results += model_result_bytes(model, operation) != 0;
	}
}

static size_t find_line(struct step_search *search, const struct trace_call *call)
{
	uint64_t key = mix((uint64_t)(uintptr_t)call->form->site, call->form->thread_id);
	size_t found = map_find(&search->lines_at, key);

	if (found == MAP_NONE) {
		found = search->lines.count;
		*vector_add(&search->lines) = (struct step_line){0};
		map_set(&search->lines_at, key, found);
	}
	return found;
}

/* The operation of the step that ended last before the function: in another stream than the
 * function's if that stream waited for an event. */
static const struct trace_operation *find_cause(const struct step_search *search,
						const struct trace_host_function *function,
						size_t begin, size_t end)
{
	const struct trace_operation *operations = search->model->trace->operations, *last = NULL;

	for (size_t i = begin; i < end; i++)
		if (operations[i].end_ns <= function->start_ns &&
		    (!last || operations[i].end_ns >= last->end_ns))
			last = &operations[i];
	return last;
}

/* Whether the step shows a wait: the function ended before the thread's next call, the device had
 * nothing to do from then on, and the step brought no result. */
static bool is_wait(const struct step_search *search, struct step *step, size_t begin, size_t end)
{
	const struct trace_host_function *function = step->function;

	if (!function || function->end_ns <= step->call->end_ns ||
	    function->end_ns > step->next->start_ns ||
	    search->busy_until_ns[end] > function->end_ns)
		return false;
	if (begin > end || search->results[end] != search->results[begin])
		return false;
	step->cause = find_cause(search, function, begin, end);
	return step->cause != NULL;
}

static void judge_step(struct step_search *search, const struct trace_call *call,
		       const struct trace_call *next)
{
	const struct trace *trace = search->model->trace;
	size_t at = map_find(&search->functions, (uint64_t)(call - trace->calls)), begin, end;
	struct step step = {.call = call, .next = next, .line = find_line(search, call)};
	struct step_line *line = &search->lines.items[step.line];

	step.function = at == MAP_NONE ? NULL : &trace->host_functions[at];
	step.operation = model_next_of_thread(search->model, call);
	if (!step.operation)
		return;
	end = (size_t)(step.operation - trace->operations);
	begin = line->begin;
	line->begin = end;
	line->count++;
	if (!is_wait(search, &step, begin, end))
		return;
	*vector_add(&line->waited) = step.function->end_ns - call->end_ns;
	*vector_add(&line->after) = next->start_ns - step.function->end_ns;
	function_looks_add(&line->looks, search->model, call, next, step.function);
	*vector_add(&search->steps) = step;
}

#define OTHER_CALL (SIZE_MAX - 1)

static void find_steps(struct step_search *search)
{
	const struct trace *trace = search->model->trace;
	struct map last = {0}; /* threads to their last calls, if these enqueued a host function */

	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];
		size_t before = map_find(&last, call->form->thread_id);

		if (before != MAP_NONE && before != OTHER_CALL) {
			if (call->end_ns <= trace->calls[before].end_ns)
				continue; /* the driver's inside the runtime's */
			judge_step(search, &trace->calls[before], call);
		}
		if (call->form->function->class == CLASS_HOST_FUNCTION && call->form->site)
			map_set(&last, call->form->thread_id, i);
		else if (before != MAP_NONE)
			map_set(&last, call->form->thread_id, OTHER_CALL);
	}
	map_free(&last);
}

/* Whether the thread slept for as long, as far as the kernel counted it. A thread that works
 * meanwhile does not sleep. */
static bool has_slept(const struct trace *trace, uint32_t thread_id, int64_t least_ns)
{
	for (size_t i = 0; i < trace->thread_times_count; i++) {
		const struct trace_thread_times *times = &trace->thread_times[i];

		if (times->thread_id == thread_id)
			return times->end_ns - times->start_ns - times->cpu_ns - times->ready_ns >=
			       least_ns;
	}
	return false;
}

/* The time that the thread needs at least from a function's end to its next call. Short ones are
 * rare, but for a thread that the function's end sets going. Sorts the times. */
static int64_t find_short_ns(int64_t *after, size_t count)
{
	sort_ns(after, count);
	return after[count / TURNS_ODD_ONE_IN];
}

/* A thread that works for longer than the function takes may have worked before its end, too. Sorted
 * times. */
static bool is_short_beside_wait(const struct step_line *line)
{
	return line->after.items[line->after.count / 2] <=
	       median_ns(line->waited.items, line->waited.count);
}

/* The longest time behind a function's end of a step of the line that waits; -1: the line does not
 * wait. Sorts the line's times. */
static int64_t find_most_after_ns(struct step_line *line, const struct trace *trace,
				  uint32_t thread_id)
{
	size_t count = line->after.count;
	int64_t short_ns, waited_ns = 0;

	if (count < LOOP_LEAST_STEPS || (double)count < FUNCTION_WAIT_SHARE * (double)line->count)
		return -1;
	short_ns = find_short_ns(line->after.items, count);
	for (size_t i = 0; i < count; i++)
		waited_ns += line->waited.items[i];
	if (line->after.items[count / 2] >= TURNS_MIDDLE_PART * short_ns ||
	    (!is_short_beside_wait(line) && !function_looks_are_wait(&line->looks)) ||
	    !has_slept(trace, thread_id, waited_ns))
		return -1;
	return TURNS_MIDDLE_PART * short_ns;
}

static void take_step(const struct step *step, struct host_place place, struct instances *found)
{
	struct span reach = {step->call->end_ns, step->next->start_ns};

	instance_add(found, (struct instance){
				    .span = {step->call->end_ns, step->function->end_ns},
				    .reach = reach,
				    .reach_of_both = reach,
				    .site_call = step->call,
				    .place = place,
				    .call = step->next,
				    .operation = step->operation,
				    .cause = step->cause,
				    .host_function = step->function,
			    });
}

static void take_lines(struct step_search *search, struct instances *found)
{
	const struct trace *trace = search->model->trace;
	int64_t *most_ns = memory_array(search->lines.count, sizeof(*most_ns));

	for (size_t i = 0; i < search->steps.count; i++) {
		const struct step *step = &search->steps.items[i];

		if (!most_ns[step->line])
			most_ns[step->line] =
				find_most_after_ns(&search->lines.items[step->line], trace,
						   step->call->form->thread_id);
		if (step->next->start_ns - step->function->end_ns <= most_ns[step->line])
			take_step(step, search->lines.items[step->line].looks.place, found);
	}
	free(most_ns);
}

void function_waits_find(const struct observed *observed, struct instances *found)
{
	const struct trace *trace = observed->model->trace;
	struct step_search search = {.model = observed->model};

	for (size_t i = 0; i < trace->host_function_count; i++)
		if (trace->host_functions[i].call)
			map_set(&search.functions,
				(uint64_t)(trace->host_functions[i].call - trace->calls), i);
	if (search.functions.count) {
		note_operations(&search);
		find_steps(&search);
		take_lines(&search, found);
	}
	for (size_t i = 0; i < search.lines.count; i++) {
		vector_free(&search.lines.items[i].waited);
		vector_free(&search.lines.items[i].after);
	}
	free(search.busy_until_ns);
	free(search.results);
	vector_free(&search.lines);
	vector_free(&search.steps);
	map_free(&search.lines_at);
	map_free(&search.functions);
}

static int64_t after_ns_of(const struct instance *instance)
{
	return max_ns(0, instance->call->start_ns - instance->host_function->end_ns);
}

/* From the function's end on the thread wakes up, and works; how long it takes to wake up is not
 * seen. The estimate takes the work for what the short ones of these times are, the low end for all
 * of each, the high end for none. */
void function_waits_fix(const struct observed *observed, const struct instance *instances,
			size_t count, enum doubt doubt, struct edits *edits)
{
	int64_t *after = memory_array(count, sizeof(*after)), short_ns = 0;
	size_t known = 0, last = 0;

	for (size_t i = 0; i < count; i++) {
		if (!instances[i].host_function)
			continue;
		after[known++] = after_ns_of(&instances[i]);
		last = i;
	}
	if (known && doubt != DOUBT_DROP)
		short_ns = doubt == DOUBT_KEEP ? INT64_MAX : find_short_ns(after, known);
	for (size_t i = 0; i < last; i++)
		if (instances[i].host_function)
			edits_set_work(edits, observed->model, instances[i].call,
				       min_ns(short_ns, after_ns_of(&instances[i])));
	free(after);
}

void function_waits_describe(const struct observed *observed, const struct instance *instance,
			     char *text, size_t size)
{
	char cause[160];
	struct format waited, after;

	snprintf(text, size,
		 "the host waited %s for a host function behind %s; its next call, %s, came %s "
		 "later",
		 format_time(&waited, instance->span.end_ns - instance->span.start_ns),
		 describe_cause(observed->model, instance->cause, cause, sizeof(cause)),
		 instance->call->form->function->name, format_time(&after, after_ns_of(instance)));
}

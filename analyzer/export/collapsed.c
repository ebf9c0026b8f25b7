/*
 * Host stacks while the GPU was idle because of the host, as FlameGraph's stackcollapse scripts
 * write them: a line a stack, "thread;outermost frame;...;innermost frame N". N: microseconds in
 * which no GPU was busy.
 *
 * Evidence: looks at the threads (replay/host_idle.h). The last frame of a thread that did not run
 * is what it did instead, in brackets. Of a thread that ran, the time without a processor is as the
 * kernel counted it, and the time of page faults is estimated: their number, times the time of one.
 * The stack [not looked at] has the rest of the idle time of IDLE_HOST_WORK: the lines of a trace
 * add up to all of it, rounded to microseconds.
 */
#include "base/minmax.h"
#include "base/vector.h"
#include "export/exporters.h"
#include "model/model.h"
#include "model/rates.h"
#include "render/figures.h"
#include "render/host_text.h"
#include "trace/short_name.h"
#include "trace/texts.h"

#include <stdlib.h>
#include <string.h>

#define NS_OF_US 1000

/* Time of a thread in one stack. */
struct stack {
	const struct trace_host_state *state; /* the first that was found so */
	const char *instead; /* of a running thread: what kept it from running; or NULL */
	int64_t ns;
};

struct line {
	char *text;
	int64_t ns;
};

/* The lines of a trace in the making. */
struct collapsing {
	struct host_texts texts;
	double fault_ns; /* what a page fault takes */
	VECTOR(struct stack) stacks;
	VECTOR(struct line) lines;
	VECTOR(char) text; /* of the next line */
};

static void add_stack(struct collapsing *collapsing, const struct trace_host_state *state,
		      const char *instead, int64_t ns)
{
	if (ns > 0)
		*vector_add(&collapsing->stacks) = (struct stack){state, instead, ns};
}

static void add_part(struct collapsing *collapsing, const struct host_idle_part *part)
{
	const struct trace_host_state *state = part->state;
	int64_t ns = trace_recorded_between(collapsing->texts.trace, part->span.start_ns,
					    part->span.end_ns);
	int64_t ready_ns = 0, faults_ns = 0;

	if (state->state == HOST_STATE_RUNNING) {
		double all_ns = host_faults_in(state, part->span) * collapsing->fault_ns;

		ready_ns = min_ns(ns, host_ready_ns_in(state, part->span));
		if (all_ns > 0)
			faults_ns =
				all_ns < (double)(ns - ready_ns) ? (int64_t)all_ns : ns - ready_ns;
	}
	add_stack(collapsing, state, "without a processor", ready_ns);
	add_stack(collapsing, state, "page faults", faults_ns);
	add_stack(collapsing, state, NULL, ns - ready_ns - faults_ns);
}

static int compare_pointers(const void *a, const void *b)
{
	return ((uintptr_t)a > (uintptr_t)b) - ((uintptr_t)a < (uintptr_t)b);
}

/* Equal ones make one line. */
static int compare_stacks(const void *a, const void *b)
{
	const struct stack *x = a, *y = b;
	int order = (x->state->thread_id > y->state->thread_id) -
		    (x->state->thread_id < y->state->thread_id);

	if (!order)
		order = (x->state->state > y->state->state) - (x->state->state < y->state->state);
	if (!order)
		order = compare_pointers(x->state->site, y->state->site);
	if (!order)
		order = compare_pointers(x->state->name, y->state->name);
	return order ? order : compare_pointers(x->instead, y->instead);
}

/* A frame ends at a semicolon. */
static void add_text(struct collapsing *collapsing, const char *text)
{
	for (; *text; text++)
		*vector_add(&collapsing->text) = (char)(*text == ';' ? ',' : *text);
}

/* function and place may be NULL or empty. */
static void add_frame(struct collapsing *collapsing, const char *function, const char *place)
{
	const bool has_function = function && *function, has_place = place && *place;

	add_text(collapsing, has_function ? function : has_place ? place : "unknown");
	if (has_function && has_place) {
		add_text(collapsing, " (");
		add_text(collapsing, place);
		add_text(collapsing, ")");
	}
	*vector_add(&collapsing->text) = ';';
}

static void add_line(struct collapsing *collapsing, const char *function, const char *file,
		     int line)
{
	const struct site site = {.file = file ? trace_text_package_path(file) : NULL,
				  .line = line};
	char *place = file ? trace_text_site(collapsing->texts.trace, &site) : NULL;

	add_frame(collapsing, function, place);
	free(place);
}

static void add_native(struct collapsing *collapsing, const struct trace_frame *frame)
{
	const char *slash = frame->module ? strrchr(frame->module, '/') : NULL;
	struct short_name name;
	const char *function =
		frame->function ? trace_demangle(collapsing->texts.trace, frame->function) : NULL;

	if (function)
		function = short_name(&name, function, SHORT_NAME_FUNCTION);
	if (frame->file)
		add_line(collapsing, function, frame->file, frame->line);
	else
		add_frame(collapsing, function, slash ? slash + 1 : frame->module);
}

/* From the outermost frame, which is behind frames[first], to frames[end]. Of frames in a row of which
 * only their module is known there is one. */
static void add_natives(struct collapsing *collapsing, const struct trace_frame *frames, int first,
			int end)
{
	for (int i = first; i-- > end;) {
		const struct trace_frame *outer = i + 1 < first ? &frames[i + 1] : NULL;

		if (!outer || outer->function || outer->file || frames[i].function ||
		    frames[i].file || outer->module != frames[i].module)
			add_native(collapsing, &frames[i]);
	}
}

/* The frames of Python's code stand in place of the interpreter's, and of all frames between
 * these. */
static void add_frames(struct collapsing *collapsing, const struct trace_site *site)
{
	int inner = site->depth, outer = site->depth;

	for (int i = site->depth; site->python_depth && i-- > 0;)
		if (site->frames[i].module && site_is_interpreter(site->frames[i].module)) {
			outer = outer == site->depth ? i + 1 : outer;
			inner = i;
		}
	add_natives(collapsing, site->frames, site->depth, outer);
	for (int i = site->python_depth; i-- > 0;)
		add_line(collapsing, site->python_frames[i].function, site->python_frames[i].file,
			 site->python_frames[i].line);
	add_natives(collapsing, site->frames, inner, 0);
}

/* "[waiting for input: pipe]"; nothing of a thread that ran. */
static void add_state(struct collapsing *collapsing, const struct stack *stack)
{
	const struct trace_host_state *state = stack->state;
	const struct host_texts *texts = &collapsing->texts;

	if (state->state == HOST_STATE_RUNNING && !stack->instead)
		return;
	add_text(collapsing, "[");
	add_text(collapsing, stack->instead
				     ? stack->instead
				     : host_state_text(texts, host_doing_of(texts->record, state)));
	if (state->name && *state->name) {
		add_text(collapsing, ": ");
		add_text(collapsing, state->name);
	}
	add_text(collapsing, "];");
}

/* Takes the text. */
static void end_line(struct collapsing *collapsing, int64_t ns)
{
	struct line line = {.ns = ns};
	size_t size;

	collapsing->text.items[collapsing->text.count - 1] = '\0'; /* the last semicolon */
	vector_move(&collapsing->text, line.text, size);
	(void)size;
	*vector_add(&collapsing->lines) = line;
}

static void add_process(struct collapsing *collapsing, const struct exporting *exporting)
{
	char *process = exporting->part_count > 1 ? figures_process(collapsing->texts.trace) : NULL;

	if (process)
		add_frame(collapsing, process, NULL);
	free(process);
}

static void add_lines(struct collapsing *collapsing, const struct exporting *exporting)
{
	vector_sort(&collapsing->stacks, compare_stacks);
	for (size_t i = 0, next; i < collapsing->stacks.count; i = next) {
		const struct stack *stack = &collapsing->stacks.items[i];
		char *thread = trace_text_thread(collapsing->texts.trace, stack->state->thread_id);
		int64_t ns = 0;

		for (next = i; next < collapsing->stacks.count &&
			       !compare_stacks(stack, &collapsing->stacks.items[next]);
		     next++)
			ns += collapsing->stacks.items[next].ns;
		add_process(collapsing, exporting);
		add_frame(collapsing, thread, NULL);
		if (stack->state->site)
			add_frames(collapsing, stack->state->site);
		add_state(collapsing, stack);
		end_line(collapsing, ns);
		free(thread);
	}
}

static int compare_lines(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	return strcmp(x->text, y->text);
}

/* Each line ends where its sum of ns ends, in whole microseconds. */
static void write_lines(struct collapsing *collapsing, FILE *out)
{
	int64_t all_ns = 0, all_us = 0;

	vector_sort(&collapsing->lines, compare_lines);
	for (size_t i = 0; i < collapsing->lines.count; i++) {
		const struct line *line = &collapsing->lines.items[i];
		const bool is_last =
			i + 1 == collapsing->lines.count || compare_lines(line, line + 1);
		int64_t until_us;

		all_ns += line->ns;
		until_us = (all_ns + NS_OF_US / 2) / NS_OF_US;
		if (is_last && until_us > all_us) {
			fprintf(out, "%s %lld\n", line->text, (long long)(until_us - all_us));
			all_us = until_us;
		}
		free(line->text);
	}
}

static void write_collapsed(const struct exporting *exporting, FILE *out)
{
	const struct headline headline = headline_measure(exporting->trace);
	struct idle *idle = idle_build(exporting->observed, &headline);
	struct collapsing collapsing = {
		.texts = {exporting->trace, exporting->observed->model->host, false},
		.fault_ns = rates_fault_ns(exporting->trace)};
	int64_t left_ns = idle->all.rows[IDLE_HOST_WORK].ns;

	for (size_t i = 0; idle->all.host && i < idle->all.host->part_count; i++)
		add_part(&collapsing, &idle->all.host->parts[i]);
	for (size_t i = 0; i < collapsing.stacks.count; i++)
		left_ns -= collapsing.stacks.items[i].ns;
	add_lines(&collapsing, exporting);
	if (left_ns > 0) {
		add_process(&collapsing, exporting);
		add_frame(&collapsing, "[not looked at]", NULL);
		end_line(&collapsing, left_ns);
	}
	write_lines(&collapsing, out);
	vector_free(&collapsing.lines);
	vector_free(&collapsing.stacks);
	idle_free(idle);
}

const struct exporter exporter_collapsed = {.name = "collapsed",
					    .need = EXPORT_WAITS,
					    .joins = true,
					    .is_sum = true,
					    .refuse = trace_text_no_host_states,
					    .write = write_collapsed};

/*
 * Instances that are no waits, through grouping, weighing and rendering: a copy made twice (its fix
 * drops an operation and its call), a launch that takes longer than its kernel (its fix makes a
 * call shorter), a device that idles (no call, no operation, no fix). The detectors are made up.
 */
#include "findings/analysis.h"
#include "test_forms.h"
#include "cmocka_test.h"
#include "detectors/detector.h"
#include "findings/interval_private.h"
#include "findings/whatif_run.h"
#include "render/render.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAUNCH_NS 10 /* what a launch could take */
#define IDLE_NS	  200

enum { LAUNCH, COPY, SYNC, FUNCTIONS };

struct program {
	struct trace trace;
	struct trace_function functions[FUNCTIONS];
	struct trace_call calls[8];
	struct trace_operation operations[4];
	struct trace_stream stream;
	struct trace_context context;
	struct trace_site sites[FUNCTIONS];
	struct trace_frame frames[FUNCTIONS];
};

static void find_copies(const struct observed *observed, struct instances *found)
{
	const struct model *model = observed->model;

	for (size_t i = 1; i < model->operation_count; i++) {
		const struct trace_operation *before = model->operations[i - 1].operation;
		const struct trace_operation *copy = model->operations[i].operation;

		if (copy->form->kind == OPERATION_COPY && before->form->kind == OPERATION_COPY &&
		    copy->call->form->src == before->call->form->src &&
		    copy->call->form->dst == before->call->form->dst)
			instance_add(found,
				     (struct instance){.span = {copy->start_ns, copy->end_ns},
						       .site_call = copy->call,
						       .operation = copy,
						       .cause = before});
	}
}

static void drop_copies(const struct observed *observed, const struct instance *instances,
			size_t count, enum doubt doubt, struct edits *edits)
{
	const struct model *model = observed->model;

	for (size_t i = 0; i < count; i++) {
		edits_drop_operation(edits, model, instances[i].operation);
		edits_drop_call(edits, model, instances[i].operation->call);
	}
}

static void find_launches(const struct observed *observed, struct instances *found)
{
	const struct model *model = observed->model;

	for (size_t i = 0; i < model->operation_count; i++) {
		const struct trace_operation *kernel = model->operations[i].operation;
		const struct trace_call *call = kernel->call;

		if (kernel->form->kind == OPERATION_KERNEL &&
		    call->end_ns - call->start_ns > kernel->end_ns - kernel->start_ns)
			instance_add(found,
				     (struct instance){.span = {call->start_ns, call->end_ns},
						       .site_call = call,
						       .call = call,
						       .operation = kernel});
	}
}

static void shorten_launches(const struct observed *observed, const struct instance *instances,
			     size_t count, enum doubt doubt, struct edits *edits)
{
	const struct model *model = observed->model;

	for (size_t i = 0; i < count; i++)
		edits_set_call_time(edits, model, instances[i].call, LAUNCH_NS);
}

static void find_idle(const struct observed *observed, struct instances *found)
{
	const struct model *model = observed->model;

	for (size_t i = 1; i < model->operation_count; i++) {
		struct span span = {model->operations[i - 1].operation->end_ns,
				    model->operations[i].operation->start_ns};

		if (span.end_ns - span.start_ns > IDLE_NS)
			instance_add(found, (struct instance){.span = span});
	}
}

static void describe(const struct observed *observed, const struct instance *instance, char *text,
		     size_t size)
{
	snprintf(text, size, "%s", instance->call ? "a call" : "no call");
}

static const struct detector copies = {.id = "copied-twice",
				       .title = "copies",
				       .fix = "drop\nit",
				       .find = find_copies,
				       .apply = drop_copies,
				       .describe = describe};
static const struct detector launches = {.id = "dear-launch",
					 .title = "launches",
					 .fix = "use\na graph",
					 .find = find_launches,
					 .apply = shorten_launches,
					 .describe = describe};
static const struct detector idle = {.id = "idle-device",
				     .title = "idle",
				     .fix = "no\nidea",
				     .find = find_idle,
				     .describe = describe};
static const struct detector *const made_up[] = {&copies, &launches, &idle, NULL};

static struct trace_call *add_call(struct program *program, int function, int64_t start_ns,
				   int64_t end_ns)
{
	struct trace_call *call = &program->calls[program->trace.call_count++];

	*call = (struct trace_call){.start_ns = start_ns,
				    .end_ns = end_ns,
				    .form = call_form((struct trace_call_form){
					    .function = &program->functions[function],
					    .site = &program->sites[function],
					    .stream_handle = program->stream.handle,
					    .has_stream = true})};
	return call;
}

static void add_operation(struct program *program, struct trace_call *call, int64_t start_ns,
			  int64_t end_ns)
{
	struct trace_operation *operation = &program->operations[program->trace.operation_count++];
	bool is_kernel = call->form->function == &program->functions[LAUNCH];

	*operation = (struct trace_operation){
		.start_ns = start_ns,
		.end_ns = end_ns,
		.call = call,
		.form = operation_form((struct trace_operation_form){
			.stream = &program->stream,
			.is_async = true,
			.kind = is_kernel ? OPERATION_KERNEL : OPERATION_COPY,
			.engine = is_kernel ? ENGINE_COMPUTE : ENGINE_H2D,
			.src_kind = MEMORY_PINNED,
			.dst_kind = MEMORY_DEVICE,
			.size_bytes = is_kernel ? 0 : 100})};
	call->operation = operation;
	form_of_call(call)->src = is_kernel ? 0 : 0x10000;
	form_of_call(call)->dst = is_kernel ? 0 : 0x90000;
}

/* Two times the same copy, 200 in all; a launch of 300; 600 of the host's own work. */
static void make(struct program *program)
{
	*program = (struct program){
		.functions = {{"cudaLaunchKernel", CLASS_LAUNCH},
			      {"cudaMemcpyAsync", CLASS_COPY},
			      {"cudaStreamSynchronize", CLASS_STREAM_SYNC}},
		.stream = {.context_id = 1,
			   .id = 13,
			   .flag = STREAM_NON_BLOCKING,
			   .handle = 0x100,
			   .created_ns = INT64_MIN,
			   .destroyed_ns = INT64_MAX},
		.context = {1, 0, 7},
	};
	for (int i = 0; i < FUNCTIONS; i++) {
		program->frames[i] = (struct trace_frame){
			.module = "app", .offset = (uint64_t)i, .file = "app.cu", .line = 10 + i};
		program->sites[i] =
			(struct trace_site){.id = i, .depth = 1, .frames = &program->frames[i]};
	}
	program->trace = (struct trace){.path = "made up",
					.functions = program->functions,
					.function_count = FUNCTIONS,
					.calls = program->calls,
					.operations = program->operations,
					.streams = &program->stream,
					.stream_count = 1,
					.contexts = &program->context,
					.context_count = 1,
					.sites = program->sites,
					.site_count = FUNCTIONS};
	add_call(program, SYNC, 0, 1);
	add_operation(program, add_call(program, COPY, 1, 2), 2, 102);
	add_operation(program, add_call(program, COPY, 2, 3), 102, 202);
	add_call(program, SYNC, 3, 203);
	add_operation(program, add_call(program, LAUNCH, 203, 503), 503, 513);
	add_call(program, SYNC, 503, 514);
	add_operation(program, add_call(program, LAUNCH, 1114, 1115), 1115, 1165);
	add_call(program, SYNC, 1115, 1166);
}

static const struct finding *finding_of(const struct analysis *analysis,
					const struct detector *detector)
{
	const struct finding *found = NULL;

	for (size_t i = 0; i < analysis->findings.count; i++)
		if (analysis->findings.items[i].detector == detector) {
			assert_null(found);
			found = &analysis->findings.items[i];
		}
	assert_non_null(found);
	return found;
}

static void assert_lost(struct interval lost, int64_t low_ns, int64_t estimate_ns, int64_t high_ns)
{
	assert_int_equal(lost.low_ns, low_ns);
	assert_int_equal(lost.estimate_ns, estimate_ns);
	assert_int_equal(lost.high_ns, high_ns);
}

TEST(test_findings)
{
	struct program program;
	struct analysis *analysis;
	const struct finding *finding;

	make(&program);
	analysis = analysis_run_with(&program.trace, made_up);
	assert_int_equal(analysis->check.replayed_ns, 1166);
	assert_int_equal(analysis->findings.count, 3);

	/* The copy and its call go, of which the synchronize had waited for the copy. */
	finding = finding_of(analysis, &copies);
	assert_int_equal(finding->count, 1);
	assert_int_equal(finding->blocked_ns, 100);
	assert_int_equal(finding->site.line, 10 + COPY);
	assert_lost(*finding->replayed, 100, 100, 100);

	/* The call goes down to LAUNCH_NS. */
	finding = finding_of(analysis, &launches);
	assert_int_equal(finding->count, 1);
	assert_int_equal(finding->site.line, 10 + LAUNCH);
	assert_string_equal(finding->evidence[0].text, "a call");
	assert_lost(*finding->replayed, 290, 290, 290);

	/* No edit, so nothing is saved for sure: at most the time from 202 to 1165 without the
	 * host's own work and the last kernel. */
	finding = finding_of(analysis, &idle);
	assert_int_equal(finding->count, 2);
	assert_int_equal(finding->instance_count, 2);
	assert_null(finding->site.file);
	assert_string_equal(finding->evidence[0].text, "no call");
	assert_int_equal(finding->evidence[0].start_ns, 513);
	assert_int_equal(finding->blocked_ns, 301 + 602);
	assert_lost(*finding->replayed, 0, 0, 963 - 600 - 50);

	assert_int_equal(analysis->findings.lost.estimate_ns, 390);
	analysis_free(analysis);
}

/* Whoever prints them. */
TEST(test_rendered)
{
	struct program program;
	struct analysis *analysis;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	json_t *json;

	make(&program);
	analysis = analysis_run_with(&program.trace, made_up);
	render_text(out, &program.trace, analysis, true);
	fclose(out);
	assert_non_null(strstr(text, "app.cu:11"));
	free(text);
	json = render_json(&program.trace, analysis, true);
	assert_int_equal(json_array_size(json_object_get(json, "findings")), 3);
	json_decref(json);
	analysis_free(analysis);
}

RUN_TESTS(NULL, NULL)

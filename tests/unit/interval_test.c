/*
 * What holds of the estimates for any trace: low <= estimate <= high, the high end is no less than
 * what the edits save in a replay though never more than the run, no edit makes the replay longer
 * than the trace, and the same trace gives the same bytes.
 *
 * The traces are of random programs with all that detectors search: copies of pageable and pinned
 * memory, synchronous ones, the default stream, synchronizes, allocations and frees, host
 * functions, from two lines each. Streams, engines, the barrier and the thread of the host
 * functions take their turns as CUDA has them. Times are ns.
 */
#include "findings/analysis.h"
#include "test_forms.h"
#include "cmocka_test.h"
#include "detectors/detector.h"
#include "replay/edits/bound.h"
#include "render/render.h"
#include "findings/interval_private.h"
#include "findings/finding.h"
#include "findings/whatif_run.h"

#include <stdlib.h>
#include <string.h>

#define MOST	    64
#define STREAMS	    4
#define NULL_STREAM (STREAMS - 1)
#define BUFFERS	    6

enum { LAUNCH, COPY_ASYNC, COPY, DEVICE_SYNC, STREAM_SYNC, MALLOC, FREE, HOST_FUNCTION, FUNCTIONS };

static const struct trace_function functions[FUNCTIONS] = {
	[LAUNCH] = {"cudaLaunchKernel", CLASS_LAUNCH},
	[COPY_ASYNC] = {"cudaMemcpyAsync", CLASS_COPY},
	[COPY] = {"cudaMemcpy", CLASS_COPY},
	[DEVICE_SYNC] = {"cudaDeviceSynchronize", CLASS_DEVICE_SYNC},
	[STREAM_SYNC] = {"cudaStreamSynchronize", CLASS_STREAM_SYNC},
	[MALLOC] = {"cudaMalloc", CLASS_ALLOC},
	[FREE] = {"cudaFree", CLASS_FREE},
	[HOST_FUNCTION] = {"cudaLaunchHostFunc", CLASS_HOST_FUNCTION},
};

struct program {
	struct trace trace;
	struct trace_function functions[FUNCTIONS];
	struct trace_call calls[MOST];
	struct trace_operation operations[MOST];
	struct trace_host_function host_functions[MOST];
	struct trace_stream streams[STREAMS];
	struct trace_context context;
	struct trace_site sites[2 * FUNCTIONS];
	struct trace_frame frames[2 * FUNCTIONS];
	unsigned int seed;
	int64_t now_ns, all_ns;
	int64_t streams_ns[STREAMS], engines_ns[ENGINE_COUNT], host_engine_ns;
};

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int below(struct program *program, int limit)
{
	return (int)((unsigned int)rand_r(&program->seed) % (unsigned int)limit);
}

static void begin(struct program *program, unsigned int seed)
{
	*program = (struct program){.seed = seed, .context = {1, 0, NULL_STREAM}};
	memcpy(program->functions, functions, sizeof(functions));
	for (uint32_t i = 0; i < STREAMS; i++)
		program->streams[i] =
			(struct trace_stream){.context_id = 1,
					      .id = i,
					      .flag = i == 0		 ? STREAM_NON_BLOCKING
						      : i == NULL_STREAM ? STREAM_NULL
									 : STREAM_BLOCKING,
					      .handle = i == NULL_STREAM ? 0 : 0x100 + i,
					      .created_ns = INT64_MIN,
					      .destroyed_ns = INT64_MAX};
	for (size_t i = 0; i < 2 * FUNCTIONS; i++) {
		program->frames[i] = (struct trace_frame){
			.module = "app", .offset = i, .file = "app.cu", .line = (int)i + 1};
		program->sites[i] = (struct trace_site){
			.id = (int64_t)i, .depth = 1, .frames = &program->frames[i]};
	}
	program->trace = (struct trace){.path = "random",
					.functions = program->functions,
					.function_count = FUNCTIONS,
					.calls = program->calls,
					.operations = program->operations,
					.host_functions = program->host_functions,
					.streams = program->streams,
					.stream_count = STREAMS,
					.contexts = &program->context,
					.context_count = 1,
					.sites = program->sites,
					.site_count = (size_t)2 * FUNCTIONS};
}

static struct trace_call *add_call(struct program *program, int function, int stream,
				   int64_t took_ns)
{
	struct trace_call *call = &program->calls[program->trace.call_count++];

	*call = (struct trace_call){
		.start_ns = program->now_ns,
		.end_ns = program->now_ns + took_ns,
		.form = call_form((struct trace_call_form){
			.function = &program->functions[function],
			.site = &program->sites[2 * function + below(program, 2)],
			.stream_handle = program->streams[stream].handle,
			.has_stream = function != DEVICE_SYNC && function != MALLOC &&
				      function != FREE})};
	program->now_ns = call->end_ns;
	return call;
}

/* When what is enqueued now could begin, for its stream and the barrier. */
static int64_t ordered_ns(const struct program *program, int stream)
{
	int64_t at_ns = later(program->now_ns + 1, program->streams_ns[stream]);

	for (int i = 0; i < STREAMS; i++) {
		enum stream_flag flag = program->streams[i].flag,
				 own = program->streams[stream].flag;

		if ((flag == STREAM_NULL && own == STREAM_BLOCKING) ||
		    (flag == STREAM_BLOCKING && own == STREAM_NULL))
			at_ns = later(at_ns, program->streams_ns[i]);
	}
	return at_ns;
}

static void pass(struct program *program, int stream, int64_t end_ns)
{
	program->streams_ns[stream] = end_ns;
	program->all_ns = later(program->all_ns, end_ns);
}

static void enqueue(struct program *program, enum engine engine, int stream, bool is_async,
		    bool is_pinned)
{
	size_t index = program->trace.operation_count++;
	struct trace_operation *operation = &program->operations[index];
	int64_t start_ns = later(ordered_ns(program, stream), program->engines_ns[engine]);
	bool is_kernel = engine == ENGINE_COMPUTE;
	uint8_t host = is_pinned ? MEMORY_PINNED : MEMORY_PAGEABLE;
	uint64_t host_address = 0x100000 + 0x1000 * (uint64_t)below(program, BUFFERS);
	uint64_t device_address = 0x900000 + 0x1000 * (uint64_t)below(program, BUFFERS);
	struct trace_call *call;

	*operation = (struct trace_operation){
		.start_ns = start_ns,
		.end_ns = start_ns + 1 + below(program, 400),
		.form = operation_form((struct trace_operation_form){
			.stream = &program->streams[stream],
			.kind = is_kernel ? OPERATION_KERNEL : OPERATION_COPY,
			.engine = engine,
			.src_kind = engine == ENGINE_H2D ? host : MEMORY_DEVICE,
			.dst_kind = engine == ENGINE_D2H ? host : MEMORY_DEVICE,
			.is_async = is_async,
			.size_bytes = is_kernel ? 0 : 1 + (uint64_t)below(program, 4000)})};
	call = add_call(
		program,
		is_kernel  ? LAUNCH
		: is_async ? COPY_ASYNC
			   : COPY,
		stream,
		is_kernel || (is_async && is_pinned) ? 1 : operation->end_ns + 1 - program->now_ns);
	call->operation = operation;
	if (!is_kernel) {
		form_of_call(call)->src = engine == ENGINE_H2D ? host_address : device_address;
		form_of_call(call)->dst = engine == ENGINE_H2D ? device_address : host_address;
	}
	operation->call = call;
	program->engines_ns[engine] = operation->end_ns;
	pass(program, stream, operation->end_ns);
}

static void add_host_function(struct program *program, int stream)
{
	struct trace_host_function *function =
		&program->host_functions[program->trace.host_function_count++];
	int64_t start_ns = later(ordered_ns(program, stream), program->host_engine_ns);

	*function = (struct trace_host_function){
		.start_ns = start_ns,
		.end_ns = start_ns + 1 + below(program, 200),
		.stream = &program->streams[stream],
		.call = add_call(program, HOST_FUNCTION, stream, 1),
	};
	program->host_engine_ns = function->end_ns;
	pass(program, stream, function->end_ns);
}

/* The call returns 1 later than it would by itself, or than what it waits for ends. */
static void wait_until(struct program *program, int function, int stream, int64_t until_ns)
{
	struct trace_call *call = add_call(program, function, stream,
					   1 + later(0, until_ns - program->now_ns) +
						   (function == FREE ? below(program, 50) : 0));

	if (function == FREE)
		form_of_call(call)->dst = 0x900000 + 0x1000 * (uint64_t)below(program, BUFFERS);
}

static void allocate(struct program *program)
{
	struct trace_call *call = add_call(program, MALLOC, 0, 1 + below(program, 100));

	form_of_call(call)->dst = 0x900000 + 0x1000 * (uint64_t)below(program, BUFFERS);
	form_of_call(call)->size_bytes = 0x1000;
}

static void step(struct program *program)
{
	int stream = below(program, STREAMS), choice = below(program, 20);
	enum engine engine = (enum engine)below(program, 3);

	if (choice == 0)
		wait_until(program, DEVICE_SYNC, 0, program->all_ns);
	else if (choice == 1 && stream != NULL_STREAM)
		wait_until(program, STREAM_SYNC, stream, program->streams_ns[stream]);
	else if (choice == 2)
		wait_until(program, FREE, 0, program->all_ns);
	else if (choice == 3)
		allocate(program);
	else if (choice == 4)
		add_host_function(program, stream);
	else if (choice == 5 && engine != ENGINE_COMPUTE)
		enqueue(program, engine, NULL_STREAM, false, true);
	else
		enqueue(program, engine, stream, true, choice != 6);
	program->now_ns += below(program, 4) ? 0 : below(program, 20);
}

static int compare_operations(const void *a, const void *b)
{
	const struct trace_operation *x = a, *y = b;

	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return (x->call > y->call) - (x->call < y->call);
}

static int compare_functions(const void *a, const void *b)
{
	const struct trace_host_function *x = a, *y = b;

	return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

static void make(struct program *program, unsigned int seed)
{
	struct trace *trace = &program->trace;

	begin(program, seed);
	for (int i = 0; i < 40; i++)
		step(program);
	wait_until(program, DEVICE_SYNC, 0, program->all_ns);
	qsort(program->operations, trace->operation_count, sizeof(*program->operations),
	      compare_operations);
	for (size_t i = 0; i < trace->operation_count; i++)
		program->operations[i].call->operation = &program->operations[i];
	qsort(program->host_functions, trace->host_function_count, sizeof(*program->host_functions),
	      compare_functions);
}

static void assert_ordered(const struct analysis *analysis, struct interval lost)
{
	assert_true(lost.low_ns >= 0);
	assert_true(lost.low_ns <= lost.estimate_ns);
	assert_true(lost.estimate_ns <= lost.high_ns);
	assert_true(lost.high_ns <= analysis->headline.wall_ns);
}

/* What is shown is as well, and no narrower. */
static void assert_all_ordered(const struct analysis *analysis, struct interval lost,
			       struct stated stated)
{
	assert_ordered(analysis, lost);
	assert_ordered(analysis,
		       (struct interval){stated.low_ns, stated.estimate_ns, stated.high_ns});
	assert_true(stated.low_ns <= lost.low_ns && lost.high_ns <= stated.high_ns);
	assert_int_equal(stated.estimate_ns, lost.estimate_ns);
}

/* What the edits save in a replay, whatever the bound says. */
static int64_t replayed_saving(const struct analysis *analysis, const struct finding *finding)
{
	struct edits *edits = edits_create(analysis->observed.model);
	int64_t replayed_ns;
	bool can_lengthen;

	finding->detector->apply(&analysis->observed, finding->instances, finding->count,
				 DOUBT_WEIGH, edits);
	replayed_ns = timeline_replay(analysis->observed.timeline, edits);
	/* Work that moves to the stream of its data can be held up there; what is issued later comes later. */
	can_lengthen =
		bound_change_of(analysis->observed.model, edits).frees_barrier || edits->behind;
	edits_free(edits);
	if (!can_lengthen)
		assert_in_range(replayed_ns, 0, analysis->headline.wall_ns);
	return analysis->check.replayed_ns - replayed_ns;
}

struct tally {
	size_t replayed, findings, later, costly;
};

/* The list says what `whatif --apply` with the finding's number says, and all together save no less. */
static void assert_alone(const struct analysis *analysis, const struct finding *finding,
			 unsigned int seed)
{
	const struct finding *const alone[] = {finding};
	struct interval saved =
		whatif_saving(analysis, alone, 1, whatif_bound(analysis, alone, 1, false));
	struct interval weighed = whatif_weigh(analysis, alone, 1);
	int64_t alone_ns = saved.estimate_ns;
	int64_t all_ns = analysis->findings.replayed->estimate_ns;

	assert_memory_equal(&weighed, &saved, sizeof(saved));
	if (alone_ns != finding->replayed->estimate_ns)
		fail_msg("program %u: %s is said to save %lld ns, and saves %lld", seed,
			 finding->id, (long long)finding->replayed->estimate_ns,
			 (long long)alone_ns);
	if (all_ns < alone_ns && !finding_is_short(analysis, alone_ns - all_ns))
		fail_msg("program %u: all save %lld ns, %s alone %lld", seed, (long long)all_ns,
			 finding->id, (long long)alone_ns);
}

static void check(struct program *program, unsigned int seed, struct tally *tally)
{
	struct analysis *analysis = analysis_run(&program->trace);

	tally->replayed += analysis->check.has_estimates;
	assert_all_ordered(analysis, *analysis->findings.replayed, analysis->findings.lost);
	for (size_t i = 0; i < analysis->findings.count; i++) {
		const struct finding *finding = &analysis->findings.items[i];

		assert_all_ordered(analysis, *finding->replayed, finding->lost);
		tally->later += finding->pass > 1;
		tally->costly += finding->costs_ns > 0;
		if (finding->pass == 1 && !finding->is_folded && analysis->check.has_estimates)
			assert_alone(analysis, finding, seed);
		if (finding->is_folded || !analysis->check.has_estimates || finding->later_ns)
			continue;
		tally->findings++;
		if (replayed_saving(analysis, finding) > finding->replayed->high_ns)
			fail_msg("program %u: %s saves %lld ns in the replay, at most %lld", seed,
				 finding->id, (long long)replayed_saving(analysis, finding),
				 (long long)finding->replayed->high_ns);
	}
	analysis_free(analysis);
}

TEST(test_intervals)
{
	struct program program;
	struct tally tally = {0};

	for (unsigned int seed = 0; seed < 2000; seed++) {
		make(&program, seed);
		check(&program, seed, &tally);
	}
	/* Where engines would have done better in another order than that of the calls, the
	 * unedited replay misses the trace, and there are no estimates. */
	assert_in_range(tally.replayed, 1000, 2000);
	assert_in_range(tally.findings, 3000, 20000);
	assert_in_range(tally.later, 200, 20000);
	assert_in_range(tally.costly, 10, 2000);
}

static char *report(const struct program *program)
{
	struct analysis *analysis = analysis_run(&program->trace);
	json_t *json = render_json(&program->trace, analysis, true);
	char *text = json_dumps(json, JSON_INDENT(1));

	json_decref(json);
	analysis_free(analysis);
	return text;
}

TEST(test_same_bytes)
{
	struct program program;

	for (unsigned int seed = 0; seed < 50; seed++) {
		char *first, *second;

		make(&program, seed);
		first = report(&program);
		second = report(&program);
		assert_string_equal(first, second);
		free(first);
		free(second);
	}
}

RUN_TESTS(NULL, NULL)

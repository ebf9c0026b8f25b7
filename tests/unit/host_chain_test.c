/*
 * Whose work the time of threads was, in traces whose times are known by arithmetic. Times are in ns.
 */
#include "cmocka_test.h"
#include "test_forms.h"
#include "model/host_chain.h"
#include "trace/trace_private.h"

#include <stdio.h>
#include <string.h>

#define MOST 16

/* The program's thread and a framework's, which make calls; a library's and one of the program's, which
 * do not. */
enum { MAIN = 1, EXECUTOR, POOL, LOADER };

enum { WORK, WAIT, QUEUE, COMPILE, LOAD, LIBRARY, LENT, SITE_COUNT };

struct program {
	struct trace trace;
	struct trace_function function;
	struct trace_operation operation; /* of all calls */
	struct trace_call calls[MOST];
	struct trace_host_state states[MOST];
	struct trace_site sites[SITE_COUNT];
};

static const struct trace_python_frame python_frames[] = {
	[WORK] = {.file = "/home/u/train.py", .function = "main", .line = 10},
	[WAIT] = {.file = "/home/u/train.py", .function = "main", .line = 20},
	[LOAD] = {.file = "/home/u/load.py", .function = "load", .line = 50},
};
static const struct trace_python_frame queue_frames[] = {
	{.file = "/usr/lib/python3.12/queue.py", .function = "Queue.get", .line = 171},
	{.file = "/home/u/train.py", .function = "main", .line = 30},
};
static const struct trace_python_frame compile_frames[] = {
	{.file = "/v/lib/python3.12/site-packages/jax/_src/compiler.py",
	 .function = "f",
	 .line = 1},
	{.file = "/home/u/train.py", .function = "main", .line = 40},
};
static const struct trace_frame library_frames[] = {
	{.module = "/v/lib/python3.12/site-packages/xla.so", .is_library = true},
};

static struct trace_private private; /* has the names of functions */

static struct trace_site python_site(const struct trace_python_frame *frames, int depth)
{
	return (struct trace_site){.python_depth = depth, .python_frames = frames};
}

static void init(struct program *program)
{
	*program = (struct program){.function = {"cudaLaunchKernel", CLASS_LAUNCH}};
	program->sites[WORK] = python_site(&python_frames[WORK], 1);
	program->sites[WAIT] = python_site(&python_frames[WAIT], 1);
	program->sites[QUEUE] = python_site(queue_frames, 2);
	program->sites[COMPILE] = python_site(compile_frames, 2);
	program->sites[LOAD] = python_site(&python_frames[LOAD], 1);
	program->sites[LIBRARY] = (struct trace_site){.depth = 1, .frames = library_frames};
	program->sites[LENT] = python_site(&python_frames[WAIT], 1);
	program->sites[LENT].is_lent = true;
	program->trace = (struct trace){.functions = &program->function,
					.function_count = 1,
					.calls = program->calls,
					.host_states = program->states,
					.sites = program->sites,
					.site_count = SITE_COUNT,
					.private = &private};
	map_free(&private.described_map);
	private.described.count = 0;
}

/* In order of time. */
static void add_call(struct program *program, uint32_t thread_id, int site, int64_t start_ns)
{
	program->calls[program->trace.call_count++] = (struct trace_call){
		.start_ns = start_ns,
		.end_ns = start_ns + 1,
		.operation = &program->operation,
		.form = call_form((struct trace_call_form){.thread_id = thread_id,
							   .function = &program->function,
							   .site = &program->sites[site]})};
}

/* By thread, then by time. One look in 10 ns. */
static struct trace_host_state *add_state(struct program *program, uint32_t thread_id,
					  enum host_state state, int site, int64_t start_ns,
					  int64_t end_ns)
{
	struct trace_host_state *row = &program->states[program->trace.host_state_count++];

	*row = (struct trace_host_state){.start_ns = start_ns,
					 .end_ns = end_ns,
					 .faults = -1,
					 .object = -1,
					 .site = &program->sites[site],
					 .thread_id = thread_id,
					 .looks = (uint32_t)((end_ns - start_ns) / 10),
					 .state = state};
	return row;
}

/* Main and the executor make calls behind the 100 that are looked at. */
static void add_callers(struct program *program)
{
	add_call(program, MAIN, WORK, 200);
	add_call(program, MAIN, WORK, 210);
	add_call(program, EXECUTOR, LIBRARY, 220);
}

/* "0..10 line 20 by 3 (running), " */
struct listing {
	const struct host_record *record;
	char text[512];
};

static void list_piece(void *context, const struct host_piece *piece)
{
	struct listing *listing = context;
	const size_t at = strlen(listing->text);
	char what[64] = "unseen";

	if (piece->kind == HOST_SEEN || piece->kind == HOST_AWAITING) {
		const struct host_doing *doing = &listing->record->doings[piece->doing];

		snprintf(what, sizeof(what), "%s %d by %u%s",
			 doing->action == HOST_ACTION_COMPILING ? "compiling"
			 : doing->state == HOST_STATE_RUNNING	? "running"
			 : doing->state == HOST_STATE_THREAD	? "waiting"
								: "other",
			 doing->site.line, piece->state->thread_id,
			 piece->kind == HOST_AWAITING ? " for nobody known" : "");
		assert_int_equal(piece->at->thread_id == piece->state->thread_id,
				 piece->at == piece->state);
	}
	snprintf(listing->text + at, sizeof(listing->text) - at, "%s%lld..%lld %s", at ? ", " : "",
		 (long long)piece->span.start_ns, (long long)piece->span.end_ns, what);
}

static void expect_chain(const struct program *program, uint32_t thread_id, const char *expected)
{
	struct host_record *record = host_record_create(&program->trace);
	struct host_chains *chains = host_chains_create(record);
	struct listing listing = {.record = record};

	host_chains_each(chains, thread_id, (struct span){0, 100}, list_piece, &listing);
	assert_string_equal(listing.text, expected);
	host_chains_free(chains);
	host_record_free(record);
}

static void expect_head(const struct program *program, uint32_t thread_id, uint32_t head)
{
	struct host_record *record = host_record_create(&program->trace);
	struct host_chains *chains = host_chains_create(record);

	assert_int_equal(host_chains_head(chains, thread_id), head);
	host_chains_free(chains);
	host_record_free(record);
}

TEST(test_no_record_no_chains)
{
	assert_null(host_chains_create(NULL));
	assert_int_equal(host_chains_head(NULL, EXECUTOR), EXECUTOR);
	host_chains_free(NULL);
}

TEST(test_who_serves)
{
	struct program program;

	init(&program);
	add_callers(&program);
	add_state(&program, MAIN, HOST_STATE_RUNNING, WORK, 0, 100);
	add_state(&program, EXECUTOR, HOST_STATE_THREAD, LIBRARY, 0, 100);
	add_state(&program, POOL, HOST_STATE_THREAD, LIBRARY, 0, 100);
	expect_head(&program, EXECUTOR, MAIN);
	expect_head(&program, MAIN, MAIN);
	expect_head(&program, POOL, POOL); /* makes no calls */
	/* A lent line is not the thread's own code. */
	form_of_call(&program.calls[2])->site = &program.sites[LENT];
	expect_head(&program, EXECUTOR, MAIN);
	form_of_call(&program.calls[2])->site = &program.sites[WAIT];
	expect_head(&program, EXECUTOR, EXECUTOR);
	/* One that waits for input is fed by somebody else. */
	form_of_call(&program.calls[2])->site = &program.sites[LIBRARY];
	program.states[1].state = HOST_STATE_INPUT;
	expect_head(&program, EXECUTOR, EXECUTOR);
	/* But not if it does so while the program's thread waits for it. */
	program.states[0].state = HOST_STATE_THREAD;
	expect_head(&program, EXECUTOR, MAIN);
}

TEST(test_executor_waits_for_work)
{
	struct program program;

	init(&program);
	add_callers(&program);
	add_state(&program, MAIN, HOST_STATE_RUNNING, WORK, 0, 60);
	add_state(&program, MAIN, HOST_STATE_THREAD, COMPILE, 60, 100);
	add_state(&program, EXECUTOR, HOST_STATE_THREAD, LIBRARY, 20, 100);
	expect_chain(&program, EXECUTOR,
		     "0..20 running 10 by 1, 20..60 running 10 by 1, "
		     "60..100 compiling 40 by 1");
}

/* For the line that waits; else for itself. */
TEST(test_executor_works)
{
	struct program program;

	init(&program);
	add_callers(&program);
	add_state(&program, MAIN, HOST_STATE_RUNNING, WORK, 0, 60);
	add_state(&program, MAIN, HOST_STATE_THREAD, WAIT, 60, 100);
	add_state(&program, EXECUTOR, HOST_STATE_RUNNING, LIBRARY, 0, 100);
	expect_chain(&program, EXECUTOR, "0..60 running 0 by 2, 60..100 running 20 by 2");
	expect_chain(&program, MAIN, "0..60 running 10 by 1, 60..100 running 20 by 2");
}

/* Each is seen waiting for the other one. */
TEST(test_both_wait)
{
	struct program program;

	init(&program);
	add_callers(&program);
	add_state(&program, MAIN, HOST_STATE_THREAD, WAIT, 0, 100);
	add_state(&program, EXECUTOR, HOST_STATE_THREAD, LIBRARY, 0, 100);
	add_state(&program, POOL, HOST_STATE_RUNNING, LIBRARY, 30, 70);
	expect_chain(&program, EXECUTOR,
		     "0..30 running 20 by 2, 30..70 running 20 by 3, 70..100 running 20 by 2");
	expect_chain(&program, MAIN,
		     "0..30 waiting 20 by 1 for nobody known, "
		     "30..70 running 20 by 3, "
		     "70..100 waiting 20 by 1 for nobody known");
}

/* The line waits for a worker, whatever else runs. */
TEST(test_worker_is_awaited)
{
	struct program program;

	init(&program);
	add_callers(&program);
	add_state(&program, MAIN, HOST_STATE_THREAD, QUEUE, 0, 100);
	add_state(&program, EXECUTOR, HOST_STATE_THREAD, LIBRARY, 0, 100);
	add_state(&program, POOL, HOST_STATE_RUNNING, LIBRARY, 0, 100);
	expect_chain(&program, EXECUTOR, "0..100 waiting 30 by 1");
	program.states[0].site = &program.sites[WAIT];
	program.states[0].name = "mutex";
	expect_chain(&program, EXECUTOR, "0..100 waiting 20 by 1");
}

TEST(test_own_code_is_awaited)
{
	struct program program;

	init(&program);
	add_callers(&program);
	add_state(&program, MAIN, HOST_STATE_THREAD, WAIT, 0, 100);
	add_state(&program, EXECUTOR, HOST_STATE_THREAD, LIBRARY, 0, 100);
	add_state(&program, LOADER, HOST_STATE_RUNNING, LOAD, 0, 80);
	expect_chain(&program, MAIN,
		     "0..80 waiting 20 by 1, 80..100 waiting 20 by 1 for nobody known");
	/* A thread with own code waits in it: no framework's. */
	add_state(&program, LOADER, HOST_STATE_THREAD, LOAD, 80, 100);
	expect_chain(&program, LOADER, "0..80 running 50 by 4, 80..100 waiting 50 by 4");
}

/* A library's thread waits for input, and goes on within a look of the wait's end, or later. */
TEST(test_chain_ends_outside)
{
	struct program program;

	init(&program);
	add_callers(&program);
	add_state(&program, MAIN, HOST_STATE_THREAD, WAIT, 0, 100);
	add_state(&program, EXECUTOR, HOST_STATE_THREAD, LIBRARY, 0, 100);
	add_state(&program, POOL, HOST_STATE_INPUT, LIBRARY, 40, 110);
	expect_chain(&program, EXECUTOR, "0..40 running 20 by 2, 40..100 running 20 by 3");
	program.states[2].end_ns = 111;
	expect_chain(&program, EXECUTOR, "0..100 running 20 by 2");
}

/* Nobody runs the program's code. */
TEST(test_no_own_code)
{
	struct program program;

	init(&program);
	add_call(&program, EXECUTOR, LIBRARY, 200);
	add_state(&program, EXECUTOR, HOST_STATE_THREAD, LIBRARY, 0, 100);
	add_state(&program, POOL, HOST_STATE_RUNNING, LIBRARY, 0, 100);
	expect_chain(&program, EXECUTOR, "0..100 waiting 0 by 2");
}

/* A look at main brought only the library's frames: the line is that of its next call. */
TEST(test_stack_cut_off)
{
	struct program program;

	init(&program);
	add_callers(&program);
	add_state(&program, MAIN, HOST_STATE_RUNNING, LIBRARY, 0, 100);
	add_state(&program, EXECUTOR, HOST_STATE_THREAD, LIBRARY, 0, 100);
	expect_chain(&program, EXECUTOR, "0..100 running 10 by 1");
	expect_chain(&program, MAIN, "0..100 running 10 by 1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_record_no_chains),
		cmocka_unit_test(test_who_serves),
		cmocka_unit_test(test_executor_waits_for_work),
		cmocka_unit_test(test_executor_works),
		cmocka_unit_test(test_both_wait),
		cmocka_unit_test(test_worker_is_awaited),
		cmocka_unit_test(test_own_code_is_awaited),
		cmocka_unit_test(test_chain_ends_outside),
		cmocka_unit_test(test_no_own_code),
		cmocka_unit_test(test_stack_cut_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Which fixes are tried for findings of traces that are written by hand, and which are refused. Lines are the offsets of
 * their calls.
 */
#include "cmocka_test.h"
#include "build_trace.h"
#include "findings/analysis.h"
#include "trial/trial_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Five steps: a block is allocated, used by a kernel, and freed, which waits for the kernel. */
#define FREES                                                                                      \
	"UPDATE rounds SET times = 5, ms = 20;"                                                    \
	"INSERT INTO allocation VALUES (51000000, 1000000), (52000000, 1000000), "                 \
	"(61000000, 1000000);"                                                                     \
	"INSERT INTO call VALUES ('cudaMalloc', NULL, NULL, 70, 0, 1);"                            \
	"INSERT INTO operation VALUES ('kernel', NULL, 13, 73, 2, 2, 2, 15, NULL, NULL);"          \
	"INSERT INTO call VALUES ('cudaFree', NULL, NULL, 74, 4, 16);"                             \
	"UPDATE calls SET dst = 61000000 WHERE site_id IN (70, 74);"                               \
	"UPDATE calls SET size_bytes = 1000000 WHERE site_id = 70;"
#define ARGUMENTS                                                                                  \
	"INSERT INTO launch VALUES (6, 51000000, 61000000), (7, 51000000, 61000000), "             \
	"(8, 51000000, 61000000), (9, 51000000, 61000000), (10, 51000000, 61000000);"
/* Each step copies a result to the host, without a wait of its own. */
#define RESULTS                                                                                    \
	"INSERT INTO operation VALUES ('d2h', 'pinned', 14, 72, 3, 3, 3, 8, 11000000, 52000000);"
/* Two pageable copies, of which each waits for itself, and work of another stream. */
#define COPIES(direction)                                                                          \
	"INSERT INTO allocation VALUES (51000000, 1000000), (52000000, 1000000), "                 \
	"(61000000, 1000000);"                                                                     \
	"INSERT INTO operation VALUES"                                                             \
	" ('" direction "', 'pageable', 23, 10, 0, 10, 0, 10, 1000000, 51000000),"                 \
	" ('kernel', NULL, 23, 11, 10, 10, 10, 30, NULL, NULL),"                                   \
	" ('" direction "', 'pageable', 24, 10, 10, 20, 10, 20, 2000000, 52000000),"               \
	" ('kernel', NULL, 24, 11, 20, 20, 30, 50, NULL, NULL);"                                   \
	"INSERT INTO launch VALUES (2, 51000000, 61000000), (4, 52000000, 61500000);"

/* Two pageable copies in a stream, each for a kernel in another one. */
#define COPIES_FOR_STREAM(stream)                                                                  \
	"INSERT INTO allocation VALUES (51000000, 1000000), (52000000, 1000000), "                 \
	"(61000000, 1000000), (62000000, 1000000);"                                                \
	"INSERT INTO operation VALUES"                                                             \
	" ('h2d', 'pageable', " stream ", 10, 0, 10, 0, 10, 1000000, 51000000),"                   \
	" ('kernel', NULL, 23, 11, 10, 10, 10, 30, NULL, NULL),"                                   \
	" ('h2d', 'pageable', " stream ", 10, 10, 20, 10, 20, 2000000, 52000000),"                 \
	" ('kernel', NULL, 23, 11, 20, 20, 30, 50, NULL, NULL);"                                   \
	"INSERT INTO launch VALUES (2, 51000000, 61000000), (4, 52000000, 62000000);"
#define MADE_BY_MEMCPY                                                                             \
	"INSERT INTO made_by VALUES (10, 'cudaMemcpy');"                                           \
	"INSERT INTO metadata VALUES ('pinned_h2d_bytes_per_s', '1000000000'),"                    \
	" ('pinned_h2d_latency_ns', '0');"

struct planned {
	char *folder, *path;
	struct trace *trace;
	struct analysis *analysis;
	struct trial_plan plan;
	const struct trial_part *part; /* the first of the finding */
};

static void open_trace(struct planned *planned, const char *rows)
{
	char *prelude = read_file(PRELUDE_FILE, NULL), *error = NULL, *sql;

	planned->folder = make_folder();
	assert_true(asprintf(&planned->path, "%s/trace.db", planned->folder) > 0);
	assert_true(asprintf(&sql, "%s%s", prelude, rows) > 0);
	build_trace(planned->path, NULL, sql);
	planned->trace = trace_load(planned->path, &error);
	assert_non_null(planned->trace);
	free(sql);
	free(prelude);
}

/* The plan for the first `most` findings with this id, of which one must be there. */
enum { FINDINGS_MOST = 2 };
static struct planned make_plan_of(const char *rows, const char *id, size_t most)
{
	struct planned planned = {0};
	const struct finding *found[FINDINGS_MOST];
	size_t count = 0;

	open_trace(&planned, rows);
	planned.analysis = analysis_run(planned.trace);
	for (size_t i = 0; i < planned.analysis->findings.count && count < most; i++)
		if (!strcmp(planned.analysis->findings.items[i].id, id))
			found[count++] = &planned.analysis->findings.items[i];
	assert_true(count > 0);
	planned.plan = trial_plan_make(planned.analysis, found, count);
	planned.part = &planned.plan.parts.items[0];
	return planned;
}

static struct planned make_plan(const char *rows, const char *id)
{
	return make_plan_of(rows, id, 1);
}

static void close_plan(struct planned *planned)
{
	trial_plan_free(&planned->plan);
	analysis_free(planned->analysis);
	trace_close(planned->trace);
	remove_folder(planned->folder);
	free(planned->folder);
	free(planned->path);
}

static void check_refused(const char *rows, const char *id, const char *reason)
{
	struct planned planned = make_plan(rows, id);

	assert_int_equal(planned.part->fix, TRIAL_FIX_COUNT);
	assert_int_equal(planned.plan.places.count, 0);
	assert_int_equal(planned.plan.tried_count, 0);
	assert_int_equal(planned.part->left, planned.part->finding->instance_count);
	if (!strstr(planned.part->refusal, reason))
		fail_msg("%s", planned.part->refusal);
	close_plan(&planned);
}

static void check_tried(const char *rows, const char *id, enum trial_fix fix, uint64_t line)
{
	static struct trial_page page;
	struct planned planned = make_plan(rows, id);

	if (planned.part->refusal)
		fail_msg("%s", planned.part->refusal);
	assert_int_equal(planned.part->fix, fix);
	assert_int_equal(planned.plan.tried_count, 1);
	assert_true(trial_plan_fill(&planned.plan, true, &page));
	assert_int_equal(page.applies, 1);
	assert_int_equal(page.site_count, 1);
	assert_int_equal(page.sites[0].fix, fix);
	assert_string_equal(page.sites[0].module, "app");
	assert_int_equal(page.sites[0].offset, line);
	assert_true(trial_plan_fill(&planned.plan, false, &page));
	assert_int_equal(page.applies, 0);
	close_plan(&planned);
}

TEST(test_frees)
{
	check_tried(FREES ARGUMENTS, "free-sync", TRIAL_HELD_FREE, 74);
	check_refused(FREES, "free-sync", "launch arguments are not recorded");
}

static void check_unseen(const char *rows, bool has_unseen_work, bool has_unseen_copies)
{
	static struct trial_page page;
	struct planned planned = make_plan(rows, "free-sync");

	assert_int_equal(planned.part->fix, TRIAL_HELD_FREE);
	assert_true(trial_plan_fill(&planned.plan, true, &page));
	assert_int_equal(page.has_unseen_work, has_unseen_work);
	assert_int_equal(page.has_unseen_copies, has_unseen_copies);
	close_plan(&planned);
}

/* The library then marks all streams. */
TEST(test_frees_beside_work_that_is_not_seen)
{
	check_unseen(FREES ARGUMENTS, false, false);
	check_unseen(FREES ARGUMENTS "UPDATE calls SET api_path = 1 WHERE site_id = 73;", true,
		     false);
	check_unseen(FREES ARGUMENTS "INSERT INTO operation VALUES ('h2d', 'pageable', 14, 76, 17, "
				     "17, 17, 18, 9000000, 52000000);"
				     "UPDATE calls SET api_path = 1 WHERE site_id = 76;",
		     true, true);
}

/* What was linked statically, or called by a library through the driver. */
TEST(test_runtime_that_is_not_shared)
{
	check_refused(FREES ARGUMENTS "UPDATE calls SET api_path = 1;", "free-sync",
		      "nvcc -cudart shared");
}

TEST(test_frees_of_other_functions)
{
	check_refused(FREES ARGUMENTS "INSERT INTO made_by VALUES (74, 'cudaFreeHost');",
		      "free-sync", "only cudaFree can be tried");
}

/* The host may read the results once cudaFree() has returned: unless it waits for them, before or behind it. */
TEST(test_frees_that_the_host_relies_on)
{
	check_refused(FREES ARGUMENTS RESULTS, "alloc-in-loop",
		      "only cudaFree at app.cu:74 waits for the results of cudaMemcpyAsync at "
		      "app.cu:72");
	check_tried(FREES ARGUMENTS RESULTS
		    "INSERT INTO call VALUES ('cudaStreamSynchronize', 14, NULL, 75, 17, 17);",
		    "alloc-in-loop", TRIAL_HELD_FREE, 74);
	/* Of another stream. */
	check_refused(FREES ARGUMENTS RESULTS
		      "INSERT INTO call VALUES ('cudaStreamSynchronize', 15, NULL, 75, 17, 17);",
		      "alloc-in-loop",
		      "only cudaFree at app.cu:74 waits for the results of cudaMemcpyAsync at "
		      "app.cu:72");
	check_tried(FREES ARGUMENTS RESULTS
		    "UPDATE operations SET is_async = 0 WHERE copy_kind = 2;",
		    "alloc-in-loop", TRIAL_HELD_FREE, 74);
}

/* A recording with watched results shows when the host could read them: untouched until another wait than the free's covered
 * them, which ends the watch. */
#define WATCHED(kind, bytes, ms)                                                                   \
	"INSERT INTO copy_watches SELECT NULL, id, 0, dst, " bytes ", start_ns, " kind             \
	", start_ns + " ms " * 1000000, 100, NULL, NULL FROM calls WHERE site_id = 72;"

TEST(test_frees_before_results_are_read)
{
	static const char unknown[] =
		"only cudaFree at app.cu:74 waits for the results of cudaMemcpyAsync at app.cu:72";

	check_tried(FREES ARGUMENTS RESULTS WATCHED("7", "size_bytes", "14"), "alloc-in-loop",
		    TRIAL_HELD_FREE, 74);
	check_tried(FREES ARGUMENTS RESULTS WATCHED("4", "size_bytes", "12"), "alloc-in-loop",
		    TRIAL_HELD_FREE, 74);
	check_refused(FREES ARGUMENTS RESULTS WATCHED("7", "size_bytes", "12"), "alloc-in-loop",
		      unknown); /* covered by cudaFree */
	check_refused(FREES ARGUMENTS RESULTS WATCHED("7", "size_bytes - 1", "14"), "alloc-in-loop",
		      unknown);
	check_refused(FREES ARGUMENTS RESULTS WATCHED("1", "size_bytes", "14"), "alloc-in-loop",
		      "only the wait in cudaFree at app.cu:74 orders them");
}

/* The host may write what an asynchronous copy has read, likewise. */
TEST(test_frees_that_the_host_writes_behind)
{
	static const char copies[] =
		FREES ARGUMENTS "INSERT INTO operation VALUES ('h2d', 'pinned', 14, 72, 3, 3, 3, "
				"8, 11000000, 52000000);";
	char *waiting;

	check_refused(copies, "free-sync",
		      "only cudaFree at app.cu:74 waits until cudaMemcpyAsync at app.cu:72 has "
		      "read its source");
	assert_true(asprintf(&waiting,
			     "%sINSERT INTO call VALUES ('cudaStreamSynchronize', 14, NULL, 75, "
			     "17, 17);",
			     copies) > 0);
	check_tried(waiting, "free-sync", TRIAL_HELD_FREE, 74);
	free(waiting);
}

/* A copy that the program makes blocking has waited for the results before. */
TEST(test_frees_behind_a_blocking_copy)
{
	static const char copies[] =
		FREES ARGUMENTS "INSERT INTO operation VALUES ('d2h', 'pinned', 14, 72, 1, 1, 1, "
				"2, 11000000, 52000000),"
				" ('h2d', 'pinned', 14, 77, 1, 3, 2, 3, 12000000, 53000000);";
	char *blocking;

	check_refused(copies, "alloc-in-loop", "only cudaFree at app.cu:74 waits for the results");
	assert_true(asprintf(&blocking, "%sINSERT INTO made_by VALUES (77, 'cudaMemcpy');",
			     copies) > 0);
	check_tried(blocking, "alloc-in-loop", TRIAL_HELD_FREE, 74);
	free(blocking);
}

/* One kernel of five uses memory that nobody knows of. */
TEST(test_frees_beside_unknown_kernels)
{
	check_refused(FREES ARGUMENTS "DELETE FROM launch_arguments WHERE id = 8;"
				      "UPDATE calls SET arguments_id = NULL WHERE id = 8;",
		      "free-sync", "the memory of 1 kernels is not known");
}

/* A copy of another stream writes what the kernel has read: only the wait orders them. */
TEST(test_frees_that_a_stream_relies_on)
{
	check_refused(FREES ARGUMENTS "INSERT INTO operation VALUES ('h2d', 'pinned', 24, 76, 17, "
				      "17, 17, 18, 1000000, 51000000);",
		      "free-sync", "only the wait in cudaFree at app.cu:74 orders them");
}

TEST(test_copies)
{
	check_tried(COPIES("h2d"), "pageable-copy", TRIAL_PINNED_RING, 10);
	check_refused(COPIES("d2h"), "pageable-copy", "its results go to new memory");
	check_refused(COPIES("h2d") "INSERT INTO host_function VALUES (11, 60, 61);",
		      "pageable-copy", "a host function may write what it copies");
	check_refused(COPIES("h2d") "INSERT INTO devices (id, name) VALUES (1, 'other');"
				    "UPDATE operations SET device_id = 1 WHERE stream_id = 24;",
		      "pageable-copy", "what other devices do with its memory is not known");
	check_refused(COPIES("h2d") "UPDATE functions SET name = 'cudaMemcpy2DAsync' WHERE id = 1;",
		      "pageable-copy", "only cudaMemcpy and cudaMemcpyAsync can be tried");
}

/* Five steps with a pageable copy that always uses the same memory of the host. */
#define AGAIN(direction)                                                                           \
	"UPDATE rounds SET times = 5, ms = 40;"                                                    \
	"INSERT INTO allocation VALUES (51000000, 1000000), (61000000, 1000000);"                  \
	"INSERT INTO operation VALUES"                                                             \
	" ('" direction "', 'pageable', 23, 10, 0, 10, 0, 10, 1000000, 51000000),"                 \
	" ('kernel', NULL, 23, 11, 10, 10, 10, 30, NULL, NULL);"                                   \
	"INSERT INTO launch VALUES (6, 51000000, 61000000), (7, 51000000, 61000000), "             \
	"(8, 51000000, 61000000), (9, 51000000, 61000000), (10, 51000000, 61000000);"

TEST(test_copies_of_the_same_memory)
{
	check_tried(AGAIN("h2d"), "pageable-copy", TRIAL_PINNED_SOURCE, 10);
	check_tried(AGAIN("d2h"), "pageable-copy", TRIAL_PINNED_RESULT, 10);
	check_refused(AGAIN("h2d") "INSERT INTO host_function VALUES (11, 60, 61);",
		      "pageable-copy", "a host function may write what it copies");
}

/* Five steps: a kernel of 10 ms, of which 4 ms are page faults of 1 MB, and a movement of 2 ms back to the host behind it. */
#define FAULTS                                                                                     \
	"UPDATE rounds SET times = 5, ms = 20;"                                                    \
	"INSERT INTO operation VALUES ('kernel', NULL, 13, 73, 0, 0, 0, 10, NULL, NULL);"          \
	"INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 74, 0, 10);"                  \
	"INSERT INTO metadata VALUES ('managed_memory', 'on'), "                                   \
	"('pinned_h2d_bytes_per_s', '1000000000'), ('pinned_h2d_latency_ns', '0');"                \
	"INSERT INTO managed_memory (kind, start_ns, end_ns, address, value, flags) "              \
	"SELECT 1, start_ns + 1000000, start_ns + 5000000, 61000000, 1000000, 2 FROM operations "  \
	"UNION ALL SELECT 2, start_ns + 11000000, start_ns + 13000000, 61000000, 1000000, 2 "      \
	"FROM operations;"
#define FAULTING_ARGUMENTS                                                                         \
	"INSERT INTO allocation VALUES (61000000, 1000000);"                                       \
	"INSERT INTO launch VALUES (1, 61000000, 61000000), (2, 61000000, 61000000), "             \
	"(3, 61000000, 61000000), (4, 61000000, 61000000), (5, 61000000, 61000000);"

TEST(test_faults)
{
	struct planned planned = make_plan(FAULTS FAULTING_ARGUMENTS, "managed-fault");
	const struct stated saved = trial_plan_predict(&planned.plan, planned.analysis, NULL);

	/* Half of the faults, 2 ms, less 1 ms as a copy; what moves to the host still does. */
	assert_int_equal(saved.estimate_ns, 5 * 1000000);
	assert_int_equal(saved.high_ns, 5 * 4000000);
	close_plan(&planned);
	check_tried(FAULTS FAULTING_ARGUMENTS, "managed-fault", TRIAL_PREFETCH, 73);
	/* No wait is taken away, on which kernels of unknown arguments could rely. */
	check_tried(FAULTS FAULTING_ARGUMENTS "INSERT INTO operation VALUES ('kernel', NULL, 14, "
					      "76, 17, 17, 17, 18, NULL, NULL);",
		    "managed-fault", TRIAL_PREFETCH, 73);
}

TEST(test_faults_of_unknown_memory)
{
	check_refused(FAULTS, "managed-fault", "launch arguments are not recorded");
	check_refused(FAULTS FAULTING_ARGUMENTS "UPDATE calls SET api_path = 1;", "managed-fault",
		      "nvcc -cudart shared");
}

TEST(test_faults_of_a_graph)
{
	check_refused(FAULTS FAULTING_ARGUMENTS
		      "UPDATE calls SET function_id = (SELECT id FROM functions WHERE class = "
		      "'graph-launch') WHERE site_id = 73;",
		      "managed-fault", "not of graphs");
}

/* Five steps: a kernel, for which the host waits before it launches the next. */
#define WAITS                                                                                      \
	"UPDATE rounds SET times = 5, ms = 20;"                                                    \
	"INSERT INTO allocation VALUES (51000000, 1000000), (61000000, 1000000);"                  \
	"INSERT INTO operation VALUES ('kernel', NULL, 13, 73, 2, 2, 2, 15, NULL, NULL);"          \
	"INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 74, 4, 16);"                  \
	"INSERT INTO launch VALUES (1, 51000000, 61000000), (2, 51000000, 61000000), "             \
	"(3, 51000000, 61000000), (4, 51000000, 61000000), (5, 51000000, 61000000);"
/* Memory of the host, there from the start. */
#define PINNED(function)                                                                           \
	"INSERT INTO calls (id, thread_id, function_id, start_ns, end_ns, result, api_path, "      \
	"per_thread_stream, site_id, dst, size_bytes) SELECT 99, 100, id, 999000000, 999000001, "  \
	"0, 0, 0, 5, 11000000, 1000000 FROM functions WHERE name = '" function "';"

TEST(test_waits)
{
	check_tried(WAITS, "sync-in-loop", TRIAL_DROPPED_WAIT, 74);
	check_refused(WAITS "DELETE FROM launch_arguments WHERE id = 3;"
			    "UPDATE calls SET arguments_id = NULL WHERE id = 3;",
		      "sync-in-loop", "the memory of 1 kernels is not known");
}

/* What the host can see behind the wait: copies of pinned memory that it covers, and what kernels do with such memory. */
TEST(test_waits_that_the_host_relies_on)
{
	check_refused(WAITS "INSERT INTO operation VALUES ('h2d', 'pinned', 14, 72, 3, 3, 3, 8, "
			    "11000000, 52000000);",
		      "sync-in-loop",
		      "it waits for cudaMemcpyAsync at app.cu:72, whose memory the host may use");
	check_refused(WAITS PINNED("cudaMallocHost"), "sync-in-loop",
		      "no copy uses the memory of cudaMallocHost at app.cu:5");
	check_refused(WAITS PINNED("cudaHostRegister") "UPDATE launch_arguments SET address = "
						       "11000064 WHERE address = 51000000;",
		      "sync-in-loop",
		      "kernel copy at app.cu:73 uses memory of the host, which the host may read "
		      "or write");
	check_refused(WAITS "INSERT INTO allocations (time_ns, is_release, memory_kind, address, "
			    "size_bytes) VALUES (1, 0, 7, 71000000, 64);",
		      "sync-in-loop", "managed memory");
}

/* What goes past libcudart.so may be ordered by the wait alone, and libstrace_try.so does not see it. */
TEST(test_waits_beside_work_that_is_not_seen)
{
	check_refused(WAITS "INSERT INTO operation VALUES ('kernel', NULL, 14, 75, 17, 17, 17, "
			    "18, NULL, NULL);"
			    "UPDATE calls SET api_path = 1 WHERE site_id = 75;"
			    "INSERT INTO launch VALUES (11, 51000000, 61000000), (12, 51000000, "
			    "61000000), (13, 51000000, 61000000), (14, 51000000, 61000000), (15, "
			    "51000000, 61000000);",
		      "sync-in-loop", "kernel copy at app.cu:75 does not go through libcudart.so");
	check_refused(WAITS "UPDATE calls SET api_path = 1 WHERE site_id = 73;", "sync-in-loop",
		      "kernel copy at app.cu:73 does not go through libcudart.so");
	check_refused(WAITS "INSERT INTO functions (id, name, class) VALUES (90, 'cuMemFree', "
			    "'free');"
			    "INSERT INTO call VALUES ('cuMemFree', NULL, NULL, 75, 17, 17);"
			    "UPDATE calls SET api_path = 1 WHERE site_id = 75;",
		      "sync-in-loop", "cuMemFree at app.cu:75 does not go through libcudart.so");
}

TEST(test_waits_of_several_threads)
{
	check_refused(WAITS "INSERT INTO threads VALUES (101, 'other');"
			    "UPDATE calls SET thread_id = 101 WHERE id = 5;",
		      "sync-in-loop", "several threads enqueue work");
}

/* Eight steps: a copy of 32 MB takes 12 ms in its call, then comes a kernel that the host waits for. With the ring the call
 * takes what a core takes to copy as much: 4 ms at 8 GB/s, 8 at 4 GB/s, 1.07 at 30 GB/s. */
#define RING_STEPS                                                                                 \
	"INSERT INTO allocation VALUES (51000000, 1000000), (61000000, 1000000);"                  \
	"INSERT INTO metadata VALUES ('pinned_h2d_bytes_per_s', '50000000000');"                   \
	"UPDATE rounds SET times = 8, ms = 40;"                                                    \
	"INSERT INTO operation VALUES"                                                             \
	" ('h2d', 'pageable', 13, 30, 0, 12, 0, 12, 1000000, 51000000),"                           \
	" ('kernel', NULL, 13, 31, 12, 12, 12, 32, NULL, NULL);"                                   \
	"INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 33, 13, 32);"                 \
	"INSERT INTO launch VALUES (9, 51000000, 61000000), (10, 51000000, 61000000),"             \
	" (11, 51000000, 61000000), (12, 51000000, 61000000), (13, 51000000, 61000000),"           \
	" (14, 51000000, 61000000), (15, 51000000, 61000000), (16, 51000000, 61000000);"           \
	"UPDATE calls SET size_bytes = 32000000 WHERE site_id = 30;"                               \
	"UPDATE calls SET src = src + 40000000 * id WHERE site_id = 30;"                           \
	"UPDATE operations SET size_bytes = 32000000 WHERE kind = 2;"
TEST(test_prediction_of_a_ring)
{
	struct planned planned = make_plan(RING_STEPS, "pageable-copy");
	struct stated predicted = trial_plan_predict(&planned.plan, planned.analysis, NULL);

	assert_int_equal(predicted.low_ns, 8 * 4000000);
	assert_int_equal(predicted.estimate_ns, 8 * 8000000);
	assert_in_range(predicted.high_ns, 8 * 10933333, 8 * 10933335);
	close_plan(&planned);
}

/* The copies of half of the steps are on another line, where no call was changed. */
TEST(test_prediction_without_a_place)
{
	struct planned planned = make_plan_of(
		RING_STEPS "UPDATE calls SET site_id = 34 WHERE site_id = 30 AND start_ns >= "
			   "(SELECT min(start_ns) + 160000000 FROM calls);",
		"pageable-copy", FINDINGS_MOST);
	const bool is_made[] = {true, false};
	struct stated all, half;

	assert_int_equal(planned.plan.places.count, 2);
	all = trial_plan_predict(&planned.plan, planned.analysis, NULL);
	half = trial_plan_predict(&planned.plan, planned.analysis, is_made);
	assert_int_equal(all.estimate_ns, 8 * 8000000);
	assert_int_equal(half.estimate_ns, 4 * 8000000);
	close_plan(&planned);
}

/* Another stream reads what the copy brought: only that the host waited for the copy orders them, and the library lets
 * streams wait instead, as far as it sees them. */
TEST(test_copies_that_a_stream_relies_on)
{
	check_tried(COPIES_FOR_STREAM("7") MADE_BY_MEMCPY, "pageable-blocking", TRIAL_PINNED_RING,
		    10);
	check_refused(COPIES_FOR_STREAM("7") MADE_BY_MEMCPY
		      "UPDATE calls SET api_path = 1 WHERE site_id = 11;",
		      "pageable-blocking", "only the wait in cudaMemcpy at app.cu:10");
	check_refused(COPIES_FOR_STREAM("24"), "pageable-copy",
		      "only the wait in cudaMemcpyAsync at app.cu:10");
}

TEST(test_copies_whose_site_is_unknown)
{
	check_refused(COPIES("h2d") "UPDATE frames SET module_id = NULL;", "pageable-copy",
		      "call site is not known");
}

/* Of what no library can change. */
TEST(test_other_findings)
{
	check_refused("INSERT INTO operation VALUES"
		      " ('h2d', 'pinned', 13, 20, 0, 0, 0, 10, 1000000, 51000000),"
		      " ('kernel', NULL, 7, 21, 0, 0, 10, 30, NULL, NULL),"
		      " ('h2d', 'pinned', 14, 20, 0, 0, 30, 40, 2000000, 52000000),"
		      " ('kernel', NULL, 7, 21, 0, 0, 40, 60, NULL, NULL),"
		      " ('h2d', 'pinned', 13, 20, 0, 0, 60, 70, 3000000, 51000000);",
		      "default-stream", "its fix cannot be made in a running program");
}

RUN_TESTS(NULL, NULL)

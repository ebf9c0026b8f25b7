/* The model of a rank from its trace, and what a fix of one of two ranks brings both. */
#include "build_trace.h"
#include "cmocka_test.h"

#include "base/memory.h"
#include "detectors/detector.h"
#include "job/arrivals_make.h"
#include "job/joint.h"
#include "job/part.h"
#include "job/paths_make.h"
#include "job/rendezvous.h"
#include "replay/edits/edits.h"

#include <stdio.h>
#include <stdlib.h>

#define MS   INT64_C(1000000)
#define MOST 700

/* Steps of 20 ms from 1 s on: a kernel from 1 ms on (line 1), an all-reduce behind it in the same stream (line
 * 2) until 15 ms, which takes 1 ms, and the host's wait for that (line 3), behind which it works until the
 * step's end. The kernel takes 10 ms, or as long as is given: so much later the rank comes to the
 * all-reduce. */
static const char steps[] =
	"INSERT INTO strings VALUES (20, '_Z40ncclDevKernel_AllReduce_Sum_f32_RING_LL4args');"
	"INSERT INTO communicators VALUES (1, '00000000000000ab', %d, 2, 0, NULL, NULL);"
	"WITH RECURSIVE at(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM at WHERE n < %d - 1)"
	"INSERT INTO operation (what, stream, line, enter, leave, start, end)"
	" SELECT 'kernel', 23, line, 20 * n + at, 20 * n + at + 0.01, 20 * n + start, 20 * n + "
	"ends FROM at,"
	" (SELECT 1 line, 0 at, 1 start, 1 + %d ends"
	"  UNION ALL SELECT 2, 0.1, 1 + %d, 15) ORDER BY n, line;"
	"UPDATE operations SET name_id = 20 WHERE correlation_id %% 2 = 0;"
	"WITH RECURSIVE at(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM at WHERE n < %d - 1)"
	"INSERT INTO call (function, stream, line, enter, leave)"
	" SELECT 'cudaStreamSynchronize', 23, 3, 20 * n + 0.2, 20 * n + 15 FROM at;"
	"UPDATE calls SET start_ns = CAST(round(start_ns) AS INTEGER), end_ns = CAST(round(end_ns) "
	"AS INTEGER);"
	"INSERT INTO collectives SELECT id, 1, id / 2 - 1, 1, 4096, 7, NULL, 2300, 100, start_ns, "
	"end_ns, NULL,"
	" NULL FROM calls WHERE site_id = 2;";

/* sql: rows and changes of the rank's alone. */
static struct trace *make_changed_rank(int rank, int count, int kernel_ms, const char *sql)
{
	char *folder = make_folder(), path[256], *text, *error;
	char *prelude = read_file(PRELUDE_FILE, NULL);
	char *rows = memory_format(steps, rank, count, kernel_ms, kernel_ms, count);
	struct trace *trace;

	snprintf(path, sizeof(path), "%s/trace.db", folder);
	text = memory_format("%s%s%s", prelude, rows, sql);
	build_trace(path, NULL, text);
	trace = trace_load(path, &error);
	if (!trace)
		fail_msg("%s", error);
	remove_folder(folder);
	free(folder);
	free(prelude);
	free(rows);
	free(text);
	return trace;
}

static struct trace *make_rank(int rank, int count, int kernel_ms)
{
	return make_changed_rank(rank, count, kernel_ms, "");
}

/* The fix: kernels of the first line take 10 ms; at the high end 7. */
static void shorten(const struct observed *observed, const struct instance *instances, size_t count,
		    enum doubt doubt, struct edits *edits)
{
	const struct model *model = observed->model;

	(void)instances;
	(void)count;
	for (size_t i = 0; i < model->trace->operation_count && doubt != DOUBT_KEEP; i++)
		if (model->trace->operations[i].call->form->site->id == 1)
			edits_set_duration(edits, model, &model->trace->operations[i],
					   (doubt == DOUBT_DROP ? 7 : 10) * MS);
}

static struct paths *model_of(const struct trace *trace, uint64_t member)
{
	static const struct detector detector = {.id = "slow-kernel", .apply = shorten};
	struct finding finding = {.detector = &detector};
	const struct paths_fix fix = {&finding, "slow-kernel", "app.cu:1"};
	struct analysis *analysis = analysis_run(trace);
	struct paths *paths = paths_make(analysis, member, &fix, member ? 1 : 0);

	assert_true(analysis->check.has_estimates);
	assert_non_null(paths);
	analysis_free(analysis);
	return paths;
}

static struct joint replay(int count, int first_ms, int second_ms, struct paths **paths)
{
	struct trace *first = make_rank(0, count, first_ms);
	struct trace *second = make_rank(1, count, second_ms);
	struct joint joint;

	*paths = paths_merge(model_of(first, 0), model_of(second, 1));
	joint = joint_replay(*paths);
	trace_close(first);
	trace_close(second);
	return joint;
}

TEST(test_late_rank)
{
	enum { COUNT = 20 };
	struct paths *paths;
	struct joint joint = replay(COUNT, 10, 13, &paths);

	assert_int_equal(joint.events, COUNT);
	assert_int_equal(joint.incomplete, 0);
	assert_int_equal(joint.measured_ns, (COUNT - 1) * 20 * MS + 15 * MS);
	assert_int_equal(joint.traced_ns, joint.measured_ns);
	assert_true(joint.is_near);
	assert_int_equal(joint.group_count, 2); /* and the one of all that the report shows */
	assert_int_equal(joint.groups[1].saved.low_ns, 0);
	assert_int_equal(joint.groups[1].saved.estimate_ns, COUNT * 3 * MS);
	/* Three more save nothing: the other rank comes later. */
	assert_int_equal(joint.groups[1].saved.high_ns, COUNT * 3 * MS);
	joint_free(&joint);
	paths_free(paths);
	/* By itself the rank would save all 6. */
	joint = replay(COUNT, 12, 13, &paths);
	assert_int_equal(joint.groups[1].saved.estimate_ns, COUNT * 1 * MS);
	joint_free(&joint);
	paths_free(paths);
}

/* Each step's kernel sends to the other rank and receives from it. */
static struct trace *make_pair(int rank, int count, int kernel_ms)
{
	char *sql = memory_format(
		"UPDATE collectives SET operation = 9, size_bytes = 8000000, root_or_peer = %d, "
		"group_id = id;"
		"INSERT INTO collective_groups SELECT id, start_ns, end_ns FROM collectives;"
		"INSERT INTO collectives SELECT id + 10000, communicator_id, sequence, 10, "
		"size_bytes,"
		" datatype, root_or_peer, stream_handle, thread_id, start_ns, end_ns, group_id, "
		"site_id"
		" FROM collectives;",
		1 - rank);
	struct trace *trace = make_changed_rank(rank, count, kernel_ms, sql);

	free(sql);
	return trace;
}

TEST(test_send_and_receive)
{
	enum { COUNT = 20 };
	struct trace *first = make_pair(0, COUNT, 12), *second = make_pair(1, COUNT, 13);
	struct paths *paths = paths_merge(model_of(first, 0), model_of(second, 1));
	struct joint joint = joint_replay(paths);

	assert_int_equal(first->collective_count, 2 * COUNT);
	/* Both ways, and each rank's begin and end of the kernel. */
	assert_int_equal(paths->event_count, 2 * COUNT + 2 * 2 * COUNT);
	assert_int_equal(joint.events, 2 * COUNT);
	assert_int_equal(joint.incomplete, 0);
	assert_int_equal(joint.traced_ns, joint.measured_ns);
	assert_int_equal(joint.groups[1].saved.estimate_ns, COUNT * 1 * MS);
	joint_free(&joint);
	paths_free(paths);
	trace_close(first);
	trace_close(second);
}

/* Of more collectives the model has those in the middle, and says what all save. */
TEST(test_part_of_a_run)
{
	struct paths *paths;
	struct joint joint = replay(MOST, 10, 13, &paths);
	int64_t all_ns = (MOST - 1) * 3 * MS;

	assert_true(paths->is_part);
	assert_int_equal(joint.events, PATHS_MOST_KERNELS);
	assert_int_equal(joint.measured_ns, (PATHS_MOST_KERNELS - 1) * 20 * MS);
	assert_int_equal(joint.traced_ns, joint.measured_ns);
	assert_in_range(joint.groups[1].saved.estimate_ns, all_ns - 1000, all_ns + 1000);
	joint_free(&joint);
	paths_free(paths);
}

/* Who has nothing to wait for in a broadcast goes on; who is not its root waits for the others. */
TEST(test_broadcasts)
{
	static const char *const broadcasts =
		"UPDATE collectives SET operation = 2, root_or_peer = %d, size_bytes = %d";
	static const struct {
		int root, bytes;
		bool is_eager;
	} cases[] = {{0, 4096, true}, {1, 4096, false}, {0, 5 << 20, false}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *sql = memory_format(broadcasts, cases[i].root, cases[i].bytes);
		struct trace *trace = make_changed_rank(0, 20, 10, sql);
		struct rendezvous rendezvous = rendezvous_find(trace, 0);
		struct paths *paths = model_of(trace, 0);

		assert_int_equal(rendezvous.count, 20);
		assert_int_equal(rendezvous.are_eager[7], cases[i].is_eager);
		assert_true((rendezvous.events[7].transfer_ns == PATHS_NO_TRANSFER) ==
			    cases[i].is_eager);
		for (size_t k = 0; k < paths->traced.count; k++)
			assert_true(!cases[i].is_eager ||
				    paths->traced.items[k].from == PATHS_BEGIN);
		/* All the same by itself. */
		assert_int_equal(joint_end_ns(paths, &paths->traced, NULL), paths->end_ns);
		paths_free(paths);
		rendezvous_free(&rendezvous);
		trace_close(trace);
		free(sql);
	}
}

/* A part has the kernels that are taken of the run, at the same times. */
TEST(test_cut_part)
{
	struct trace *whole = make_rank(1, MOST + 300, 13);
	struct part *part = part_make(whole);
	const struct trace *trace = part_trace(part);
	struct rendezvous a = rendezvous_find(whole, 0), b = rendezvous_find(trace, 0);
	struct paths *of_whole = model_of(whole, 1), *of_part = model_of(trace, 1);

	assert_int_equal(trace->call_count, 3 * (PATHS_MOST_KERNELS + 2 * RENDEZVOUS_REACH) - 1);
	assert_int_equal(a.count, PATHS_MOST_KERNELS);
	assert_int_equal(b.count, PATHS_MOST_KERNELS);
	for (size_t i = 0; i < a.count; i++)
		assert_int_equal(whole->operations[a.kernels[i].operation].start_ns,
				 trace->operations[b.kernels[i].operation].start_ns);
	assert_int_equal(a.event_count, b.event_count);
	assert_memory_equal(a.events, b.events, a.event_count * sizeof(*a.events));
	assert_int_equal(of_whole->end_ns, of_part->end_ns);
	assert_int_equal(joint_end_ns(of_whole, &of_whole->untraced, NULL),
			 joint_end_ns(of_part, &of_part->untraced, NULL));
	assert_int_equal(joint_end_ns(of_whole, &of_whole->groups[1].estimate, NULL),
			 joint_end_ns(of_part, &of_part->groups[1].estimate, NULL));
	paths_free(of_whole);
	paths_free(of_part);
	rendezvous_free(&a);
	rendezvous_free(&b);
	part_free(part);
	trace_close(whole);
}

TEST(test_arrivals)
{
	struct trace *trace = make_rank(1, 3, 13);
	struct analysis *analysis = analysis_run(trace);
	struct summary summary = {0};
	const struct arrival *arrival;

	arrivals_make(trace, analysis->observed.model, &summary);
	assert_int_equal(summary.communicator_count, 1);
	assert_int_equal(summary.communicators[0].unique_id, 0xab);
	assert_int_equal(summary.communicators[0].rank, 1);
	assert_int_equal(summary.communicators[0].collectives, 3);
	assert_int_equal(summary.communicators[0].matched, 3);
	assert_int_equal(summary.arrival_count, 3);
	arrival = &summary.arrivals[1];
	assert_int_equal(arrival->sequence, 1);
	assert_int_equal(arrival->start_ns, 1034 * MS);
	assert_int_equal(arrival->end_ns, 1035 * MS);
	assert_int_equal(arrival->ready_ns, 1034 * MS);
	assert_int_equal(arrival->call_ns, 1020 * MS + MS / 10);
	free(summary.communicators);
	free(summary.arrivals);
	analysis_free(analysis);
	trace_close(trace);
}

RUN_TESTS(NULL, NULL)

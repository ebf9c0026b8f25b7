/* What a job's report says, by arithmetic. */
#include "cmocka_test.h"
#include "findings/advice.h"
#include "job/job_report.h"
#include "job_case.h"
#include "render/job_figures.h"

#include <stdlib.h>
#include <string.h>

static struct job *add(struct job *job, struct summary *summary)
{
	return job_merge(job, job_of_summary(summary));
}

/* Three ranks in five all-reduces, whose transfer takes 2 ms: rank 1 comes last to four of them, 6 ms
 * behind rank 0 and 3 ms behind rank 2; to the last one rank 0 does, 1 ms behind the others. */
static struct job *make_late(void)
{
	static const int64_t kernels_ms[3][2] = {{8, 2}, {2, 3}, {5, 3}};
	struct job *job = job_create();

	for (int64_t rank = 0; rank < 3; rank++) {
		struct summary *summary = job_case_summary(rank, 100 * MS);

		job_case_communicator(summary, 5, 3);
		for (uint32_t i = 0; i < 5; i++)
			job_case_arrival(summary, i, kernels_ms[rank][i == 4] * MS,
					 rank == 1 ? 4 * MS : 0);
		job = add(job, summary);
	}
	return job;
}

TEST(test_straggler)
{
	struct job *job = make_late();
	struct job_report *report = job_report_make(job);

	assert_int_equal(report->complete_count, 5);
	assert_int_equal(report->rows[0].waiting.waited_ns, 24 * MS);
	assert_int_equal(report->rows[1].waiting.waited_ns, 1 * MS);
	assert_int_equal(report->rows[2].waiting.waited_ns, 13 * MS);
	assert_int_equal(report->rows[0].waiting.transfer_ns, 10 * MS);
	assert_int_equal(report->rows[0].waiting.complete, 5);
	assert_int_equal(report->straggler_count, 2);
	assert_int_equal(job_report_row(report, report->stragglers[0].member), 1);
	assert_int_equal(report->stragglers[0].last_count, 4);
	assert_int_equal(report->stragglers[0].late_ns, 4 * (6 + 3) / 2 * MS);
	assert_int_equal(report->stragglers[0].alone_ns, 4 * 3 * MS);
	assert_int_equal(report->stragglers[0].launch_ns, 4 * 4 * MS);
	assert_int_equal(report->stragglers[1].late_ns, MS);
	job_report_free(report);
	job_free(job);
}

/* What all ranks came to is in sums, in whatever order they come; a communicator of two of three is done before
 * the third has come. */
TEST(test_settled)
{
	static const int64_t orders[][3] = {{0, 1, 2}, {2, 0, 1}, {1, 2, 0}};

	for (size_t i = 0; i < 3; i++) {
		struct job *job = job_create();
		struct job_report *report;

		for (size_t j = 0; j < 3; j++) {
			int64_t rank = orders[i][j];
			struct summary *summary = job_case_summary(rank, 100 * MS);

			if (rank) {
				job_case_communicator(summary, 4, 2);
				job_case_arrival(summary, 0, (rank + 1) * MS, 0);
				job_case_arrival(summary, 7, (rank + 2) * MS, 0);
			}
			job_case_communicator(summary, 5, 3);
			job_case_arrival(summary, 2, (rank + 3) * MS, 0);
			if (rank != 2)
				job_case_arrival(summary, 3, (rank + 3) * MS, 0);
			job_case_arrival(summary, 9, (rank + 3) * MS, 0);
			job_case_arrival(summary, 11, (rank + 3) * MS, 0);
			job = add(job, summary);
		}
		assert_int_equal(job->collectives.count, 1);
		assert_int_equal(job->collectives.done_count, 2);
		report = job_report_make(job);
		assert_int_equal(report->complete_count, 5);
		assert_int_equal(report->collective_count, 6);
		assert_int_equal(report->rows[2].waiting.complete, 5);
		assert_int_equal(report->rows[2].waiting.waited_ns, (1 + 1 + 2 + 2 + 2) * MS);
		assert_int_equal(report->rows[1].waiting.waited_ns, (1 + 1 + 1 + 1) * MS);
		assert_int_equal(report->rows[1].waiting.transfer_ns, (2 + 3 + 3 + 3 + 3 + 3) * MS);
		assert_int_equal(report->rows[0].waiting.seen, 4);
		assert_int_equal(report->stragglers[0].late_ns, 3 * (1 + 2) * MS / 2);
		job_report_free(report);
		job_free(job);
	}
}

/* A rank that is missing, or one that did not come to all: nobody is last. */
TEST(test_incomplete)
{
	struct summary *a = job_case_summary(0, 100 * MS), *b = job_case_summary(1, 100 * MS);
	struct job_report *report;
	struct job *job;

	job_case_communicator(a, 5, 3);
	job_case_communicator(b, 5, 3);
	job_case_arrival(a, 0, 8 * MS, 0);
	job_case_arrival(b, 0, 2 * MS, 0);
	/* The root of a broadcast sends, and waits for nobody. */
	job_case_arrival(a, 1, 1 * MS, 0);
	job_case_arrival(b, 1, 9 * MS, 0);
	a->arrivals[1].operation = b->arrivals[1].operation = COLLECTIVE_BROADCAST;
	a->ranks = b->ranks = 5;
	job = add(job_of_summary(a), b);
	report = job_report_make(job);
	assert_int_equal(report->collective_count, 1);
	assert_int_equal(report->complete_count, 0);
	assert_int_equal(report->straggler_count, 0);
	assert_int_equal(report->rows[0].waiting.waited_ns, 6 * MS);
	assert_int_equal(report->left_out_count, 1);
	assert_string_equal(report->left_out[0].who, "ranks 2-4");
	job_report_free(report);
	job_free(job);
}

/* Rank 2 is the slowest. What all have saves the job what it saves the slowest, as far as no other is slower
 * then; what another has saves nothing, or, if all wait for that one, all of it. */
static struct job *make_findings(void)
{
	struct job *job = job_create();

	for (int64_t rank = 0; rank < 4; rank++) {
		struct summary *summary = job_case_summary(rank, (rank == 2 ? 100 : 90) * MS);

		job_case_finding(summary, "wide-sync", "a.cu:1", (10 + 2 * rank) * MS);
		if (rank == 2) {
			job_case_finding(summary, "pageable-copy", "b.cu:2", 30 * MS);
			summary->lost = (struct stated){0, 44 * MS, 44 * MS};
		}
		if (rank == 3)
			job_case_finding(summary, "pageable-copy", "a.cu:1", 20 * MS);
		job = add(job, summary);
	}
	return job;
}

TEST(test_groups)
{
	struct job *job = make_findings();
	struct job_report *report = job_report_make(job);
	const struct job_group *first = &report->groups[0];

	assert_int_equal(report->group_count, 3);
	assert_int_equal(report->method, JOB_SLOWEST);
	/* Of the slowest 14 ms; the others then take 80, 78 and 74 ms. */
	assert_string_equal(first->id, "wide-sync");
	assert_int_equal(first->row_count, 4);
	assert_int_equal(first->saved.estimate_ns, 14 * MS);
	assert_int_equal(first->smallest_ns, 10 * MS);
	assert_int_equal(first->median_ns, 14 * MS);
	assert_int_equal(first->largest_ns, 16 * MS);
	assert_int_equal(first->most, 3);
	assert_int_equal(first->count, 12);
	assert_int_equal(first->blocked_ns, 2 * (10 + 12 + 14 + 16) * MS);
	/* 30 ms, but then the others are the slowest. */
	assert_string_equal(report->groups[1].where, "b.cu:2");
	assert_int_equal(report->groups[1].saved.estimate_ns, 10 * MS);
	assert_int_equal(report->groups[1].saved.high_ns, 45 * MS);
	assert_string_equal(report->groups[2].id, "pageable-copy");
	assert_int_equal(report->groups[2].saved.estimate_ns, 0);
	assert_int_equal(report->groups[2].saved.high_ns, 30 * MS);
	assert_false(report->groups[2].is_folded);
	assert_int_equal(report->lost.estimate_ns, 10 * MS);
	assert_int_equal(report->wall_ns, 100 * MS);
	assert_string_equal(report->rows[2].worst->id, "pageable-copy");
	job_report_free(report);
	job_free(job);
}

/* Two ranks whose tiny kernels (a.cu:1, 40 ms) need a step without waits. Their own reports list the read-back
 * first (b.cu:2, 10 ms); another wait (c.cu:3, 8 ms) only rank 0's does, if is_one; the delay of d.cu:4 (6 ms), which
 * is no wait, and e.cu:5 (0.4 to 0.6 of 100 ms: listed, but short) both do. */
static struct job *make_needed(bool is_one)
{
	static const char *const places[] = {"b.cu:2", "c.cu:3", "d.cu:4", "e.cu:5"};
	static const int64_t saved_us[] = {10000, 8000, 6000, 400};
	const char *of_step =
		advice_find("tiny-kernels", FRAMEWORK_PYTORCH, SITUATION_ANY)->relies_on;
	struct job *job = job_create();

	for (int64_t rank = 0; rank < 2; rank++) {
		struct summary *summary = job_case_summary(rank, 100 * MS);
		struct summary_finding *tiny;

		job_case_finding(summary, "tiny-kernels", "a.cu:1", 40 * MS);
		for (size_t i = 0; i < 4; i++)
			job_case_finding(summary, "readback-in-loop", places[i],
					 saved_us[i] * MS / 1000);
		tiny = &summary->findings[0];
		tiny->cost = arena_text(&summary->texts, "delayed");
		tiny->relies_on = arena_text(&summary->texts, of_step);
		summary->findings[3].cost = tiny->cost;
		/* 4: behind all others, which are 0 to 3. */
		tiny->number = 4;
		for (uint32_t i = 1; i < 5; i++)
			summary->findings[i].number = i - 1;
		if (is_one && rank == 1)
			summary->findings[2].number = 5;
		summary->lost = (struct stated){0, 64 * MS, 64 * MS};
		job = add(job, summary);
	}
	return job;
}

TEST(test_needed_first)
{
	static const char *const orders[2][5] = {
		{"b.cu:2", "c.cu:3", "a.cu:1", "d.cu:4", "e.cu:5"},
		{"b.cu:2", "a.cu:1", "c.cu:3", "d.cu:4", "e.cu:5"}};

	for (size_t is_one = 0; is_one < 2; is_one++) {
		struct job *job = make_needed(is_one);
		struct job_report *report = job_report_make(job);
		char *most = job_figures_most(report);

		assert_int_equal(report->group_count, 5);
		assert_int_equal(report->folded_count, 0);
		for (size_t i = 0; i < 5; i++)
			assert_string_equal(report->groups[i].where, orders[is_one][i]);
		assert_int_equal(report->groups[0].saved.estimate_ns, 10 * MS);
		assert_string_equal(most, "Most: tiny-kernels at a.cu:1 on both ranks (40.0 ms).");
		free(most);
		job_report_free(report);
		job_free(job);
	}
}

/* Two processes of a rank are in the order of their hosts: the second one comes last, and is found. */
TEST(test_twice_a_rank)
{
	struct job *job = job_create();
	struct job_report *report;

	for (int64_t i = 0; i < 4; i++) {
		struct summary *summary = job_case_summary(i < 2 ? 0 : i - 1, 100 * MS);

		summary->host = i == 1 ? "node1" : "node0";
		summary->process_id = 20 - i;
		job_case_communicator(summary, 5, 4);
		job_case_arrival(summary, 0, (i == 1 ? 1 : 9) * MS, 0);
		job = add(job, summary);
	}
	report = job_report_make(job);
	assert_int_equal(report->straggler_count, 1);
	assert_int_equal(job_report_row(report, report->stragglers[0].member), 1);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(job_report_row(report, report->rows[i].member->id), i);
	assert_int_equal(job_report_row(report, UINT64_C(1) << 32), SIZE_MAX);
	job_report_free(report);
	job_free(job);
}

/* Damaged files: one communicator has two ranks, as each of three processes says; of another they say different
 * numbers. Which of them are merged first changes nothing: only the third communicator counts. */
TEST(test_doubtful)
{
	static const int64_t orders[][3] = {{0, 1, 2}, {2, 0, 1}, {1, 2, 0}};

	for (size_t order = 0; order < 3; order++) {
		struct job *job = job_create();
		struct job_report *report;

		for (size_t i = 0; i < 3; i++) {
			int64_t rank = orders[order][i];
			struct summary *summary = job_case_summary(rank, 100 * MS);

			job_case_communicator(summary, 5, 2);
			job_case_arrival(summary, 0, (10 + rank) * MS, 0);
			job_case_communicator(summary, 6, rank == 2 ? 3 : 2);
			job_case_arrival(summary, 0, (10 + rank) * MS, 0);
			job_case_communicator(summary, 7, 3);
			job_case_arrival(summary, 0, (10 + rank) * MS, 0);
			job = add(job, summary);
		}
		report = job_report_make(job);
		assert_int_equal(report->complete_count, 1);
		assert_int_equal(report->collective_count, 1);
		assert_int_equal(report->straggler_count, 1);
		assert_int_equal(report->stragglers[0].last_count, 1);
		assert_int_equal(report->stragglers[0].late_ns, 3 * MS / 2);
		assert_int_equal(report->rows[2].waiting.waited_ns, 2 * MS);
		assert_int_equal(report->left_out_count, 1);
		assert_string_equal(report->left_out[0].who, "2 communicators");
		job_report_free(report);
		job_free(job);
	}
}

/* As often as a damaged file may say, on more ranks than that can be added up of. */
TEST(test_hostile_counts)
{
	struct job *job = job_create();
	struct job_report *report;

	for (int64_t rank = 0; rank < 6; rank++) {
		struct summary *summary = job_case_summary(rank, 100 * MS);

		job_case_finding(summary, "wide-sync", "a.cu:1", 20 * MS);
		summary->findings[0].count = INT64_MAX / 4;
		summary->findings[0].blocked_ns = INT64_MAX / 4;
		job = add(job, summary);
	}
	report = job_report_make(job);
	assert_int_equal(report->groups[0].count, INT64_MAX);
	assert_int_equal(report->groups[0].blocked_ns, INT64_MAX);
	job_report_free(report);
	job_free(job);
}

/* Two ranks of 100 ms. The second saves 30 ms of that alone; the first's host makes no call for 20 ms in which
 * its GPU is idle: so much of it may be waiting for the second. */
TEST(test_slack)
{
	struct summary *a = job_case_summary(0, 100 * MS), *b = job_case_summary(1, 100 * MS);
	struct job_report *report;
	struct job *job;

	a->load.idle_ns = a->load.idle_by_cause_ns[IDLE_HOST_WORK] = 20 * MS;
	job_case_finding(b, "pageable-copy", "b.cu:2", 30 * MS);
	b->lost = b->findings[0].lost;
	job = add(job_of_summary(a), b);
	report = job_report_make(job);
	assert_int_equal(report->groups[0].saved.low_ns, 0);
	assert_int_equal(report->groups[0].saved.estimate_ns, 20 * MS);
	assert_int_equal(report->groups[0].saved.high_ns, 45 * MS);
	assert_int_equal(report->lost.estimate_ns, 20 * MS);
	job_report_free(report);
	/* As long as it saves itself, it saves no more. */
	a->load.idle_by_cause_ns[IDLE_HOST_WORK] = 50 * MS;
	report = job_report_make(job);
	assert_int_equal(report->lost.estimate_ns, 30 * MS);
	job_report_free(report);
	job_free(job);
}

static void add_idle_line(struct summary *summary, const char *where, int64_t ns)
{
	size_t index = summary->idle_line_count++;

	summary->idle_lines =
		memory_shrink(summary->idle_lines, index + 1, sizeof(*summary->idle_lines));
	summary->idle_lines[index] = (struct summary_idle_line){
		.cause = IDLE_HOST_WORK, .where = where, .function = "cudaLaunchKernel", .ns = ns};
}

/* All ranks have 30 ms of one line, and of another rank 1 has 25 ms more: that is why it is late by 18 ms. */
TEST(test_late_cause)
{
	struct job *job = make_late();
	struct job_report *report;

	for (size_t i = 0; i < 3; i++) {
		add_idle_line(job->members[i].summary, "a.cu:1", 30 * MS);
		add_idle_line(job->members[i].summary, "a.cu:2", (i == 1 ? 27 : 2) * MS);
		job_case_finding(job->members[i].summary, "wide-sync", "a.cu:3", 20 * MS);
	}
	report = job_report_make(job);
	assert_null(report->late_cause.finding);
	assert_string_equal(report->late_cause.line->where, "a.cu:2");
	assert_int_equal(report->late_cause.more_ns, 25 * MS);
	job_report_free(report);
	/* A finding of its own says more, if it is a quarter of it. */
	job_case_finding(job->members[1].summary, "pageable-copy", "a.cu:4", 4 * MS);
	report = job_report_make(job);
	assert_null(report->late_cause.finding);
	job_report_free(report);
	job_case_finding(job->members[1].summary, "free-sync", "a.cu:5", 5 * MS);
	report = job_report_make(job);
	assert_string_equal(report->late_cause.finding->id, "free-sync");
	job_report_free(report);
	/* Of what is far longer it is not known that it is why. */
	job_case_finding(job->members[1].summary, "queue-full", "a.cu:6", 80 * MS);
	job->members[1].summary->idle_lines[1].ns = 200 * MS;
	report = job_report_make(job);
	assert_string_equal(report->late_cause.finding->id, "free-sync");
	job_report_free(report);
	job_free(job);
}

/* Another run's, a launcher's, and one whose self-check failed. */
TEST(test_left_out)
{
	struct summary *other = job_case_summary(1, MS), *launcher = job_case_summary(-1, MS);
	struct summary *a = job_case_summary(0, MS), *b = job_case_summary(1, MS);
	struct job_report *report;
	struct job *job;

	other->run = "old";
	other->start_ns--;
	a->run = b->run = "new";
	b->has_estimates = false;
	launcher->operation_count = 0;
	job = add(add(add(add(job_of_unread("x.db", "is truncated"), a), b), other), launcher);
	report = job_report_make(job);
	assert_int_equal(report->row_count, 2);
	assert_int_equal(report->left_out_count, 4);
	assert_string_equal(report->left_out[0].who, "rank 1 (train.py 101)");
	assert_string_equal(report->left_out[0].why, "of another run (old): rank.1.db");
	assert_string_equal(report->left_out[1].who, "train.py 99");
	assert_string_equal(report->left_out[1].why, "no GPU work");
	assert_string_equal(report->left_out[2].who, "x.db");
	assert_string_equal(report->left_out[3].who, "rank 1");
	job_report_free(report);
	job_free(job);
}

/* A launcher's trace that could not be recorded is no launcher's without work. */
TEST(test_not_recorded)
{
	struct summary *unseen = job_case_summary(0, MS);
	struct job_report *report;
	struct job *job;

	unseen->operation_count = 0;
	job_case_note(unseen, "GPU operations", "cuptiSubscribe: CUPTI_ERROR_UNKNOWN (999)");
	job = add(job_create(), unseen);
	report = job_report_make(job);
	assert_int_equal(report->row_count, 0);
	assert_int_equal(report->limit_count, 0);
	assert_string_equal(report->left_out[0].why,
			    "no GPU operations: cuptiSubscribe: CUPTI_ERROR_UNKNOWN (999)");
	job_report_free(report);
	job_free(job);
}

static void check_limit(const struct job_report *report, size_t index, const char *what,
			const char *why, bool is_same, const char *rows)
{
	const struct job_limit *limit = &report->limits[index];
	char *name = job_rows_name(report, limit->rows, limit->row_count);

	assert_string_equal(limit->what, what);
	assert_string_equal(limit->why, why);
	assert_int_equal(limit->is_same, is_same);
	assert_string_equal(name, rows);
	free(name);
}

/* What is missing in a trace is said of its rank, once for all that lack it. */
TEST(test_limits)
{
	struct job *job = job_create();
	struct job_report *report;

	for (int64_t rank = 0; rank < 4; rank++) {
		struct summary *summary = job_case_summary(rank, MS);

		if (rank > 1)
			job_case_note(summary, "end of run", "was killed");
		job_case_note(summary, "call-lost", rank ? "9 events" : "5 events");
		if (rank == 2)
			job_case_note(summary, "call-lost", "7 events of another kind");
		job = add(job, summary);
	}
	report = job_report_make(job);
	assert_int_equal(report->limit_count, 3);
	check_limit(report, 0, "call-lost", "5 events", false, "all 4 ranks");
	check_limit(report, 1, "end of run", "was killed", true, "ranks 2-3");
	check_limit(report, 2, "call-lost", "7 events of another kind", true, "rank 2");
	job_report_free(report);
	job_free(job);
}

static void check_name(const struct job_report *report, const uint32_t *rows, size_t count,
		       const char *expected)
{
	char *name = job_rows_name(report, rows, count);

	assert_string_equal(name, expected);
	free(name);
}

TEST(test_names)
{
	static const uint32_t all[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
			      some[] = {0, 1, 2, 5, 7, 9, 11};
	struct job *job = job_create();
	struct job_report *report;

	for (int64_t rank = 0; rank < 12; rank++)
		job = add(job, job_case_summary(rank, MS));
	report = job_report_make(job);
	check_name(report, all, 12, "all 12 ranks");
	check_name(report, all + 3, 1, "rank 3");
	check_name(report, all + 3, 4, "ranks 3-6");
	check_name(report, some, 7, "ranks 0-2, 5, 7, 9 and 1 more");
	job_report_free(report);
	job_free(job);
}

RUN_TESTS(NULL, NULL)

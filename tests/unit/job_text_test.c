/* The report of a job of many ranks: which of them it lists. */
#include "cmocka_test.h"
#include "job_case.h"
#include "render/job.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

/* Rank n loses n ms of 100; nothing but the last two is half a percent of the job. */
static struct job *make_job(int64_t ranks)
{
	struct job *job = job_create();

	for (int64_t rank = 0; rank < ranks; rank++) {
		struct summary *summary = job_case_summary(rank, 100 * MS);

		summary->lost = (struct stated){0, rank * MS, rank * MS};
		summary->host = arena_text(&summary->texts, rank % 2 ? "a" : "b");
		if (rank + 1 == ranks)
			job_case_finding(summary, "pageable-copy", "a.cu:1", rank * MS);
		job = job_merge(job, job_of_summary(summary));
	}
	return job;
}

static char *print(const struct job *job, bool all)
{
	struct job_report *report = job_report_make(job);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_true(print_job_text(out, report, all));
	fclose(out);
	job_report_free(report);
	return text;
}

/* The line begins so, and the one before it. */
static void check_lines(const char *text, const char *before, const char *line)
{
	const char *found = strstr(text, before), *end = found ? strchr(found + 1, '\n') : NULL;

	if (!end || strncmp(end, line, strlen(line)) != 0)
		fail_msg("\"%s\" does not follow \"%s\" in:\n%s", line, before, text);
}

TEST(test_few)
{
	struct job *job = make_job(16);
	char *text = print(job, false);

	check_lines(text, "\n   0  b ", "\n   1  a ");
	check_lines(text, "\n  14  b ", "\n  15  a ");
	assert_null(strstr(text, "between"));
	assert_memory_equal(text, "16 ranks on 2 hosts: train.py, 100 ms recorded\n", 47);
	free(text);
	job_free(job);
}

/* As in the report of one process: "<" before a bound, and what to leave out. */
TEST(test_bounds_and_what_to_leave_out)
{
	struct job *job = job_create();
	char *text;

	for (int64_t rank = 0; rank < 2; rank++) {
		struct summary *summary = job_case_summary(rank, 100 * MS);

		summary->lost = (struct stated){0, 20 * MS, 20 * MS};
		job_case_finding(summary, "pageable-copy", "a.cu:1", 10 * MS);
		summary->findings[0].is_bound = true;
		job_case_finding(summary, "sync-in-loop", "a.cu:2", 10 * MS);
		summary->findings[1].is_bound = rank == 0;
		summary->findings[1].costs_ns = (4 + rank) * MS;
		job = job_merge(job, job_of_summary(summary));
	}
	text = print(job, true);
	assert_non_null(strstr(text, "  <10.0 ms "));
	assert_non_null(strstr(text, "saves the job at most 10.0 ms ("));
	assert_non_null(strstr(text, "   10.0 ms "));
	assert_non_null(strstr(text, "saves the job 10.0 ms ("));
	assert_non_null(strstr(text, "Leave it out on rank 1: with the fixes that its own "));
	assert_non_null(strstr(text, "it costs 5.00 ms."));
	assert_null(strstr(strstr(text, "Leave it out") + 1, "Leave it out"));
	free(text);
	job_free(job);
}

/* The ten that lose most, and the four that lose least. */
TEST(test_many)
{
	struct job *job = make_job(1000);
	char *text = print(job, false);

	check_lines(text, "\nrank  host", "\n 999  a ");
	check_lines(text, "\n 991  a ", "\n 990  b ");
	check_lines(text, "\n 990  b ", "\n ... ");
	check_lines(text, "\n ... ", "\n   3  a ");
	check_lines(text, "\n   1  a ", "\n   0  b ");
	assert_non_null(strstr(text, "986 others between"));
	free(text);
	text = print(job, true);
	assert_null(strstr(text, "between"));
	check_lines(text, "\n 500  b ", "\n 501  a ");
	free(text);
	job_free(job);
}

/* The command that is named can be run. */
TEST(test_own_report)
{
	struct job *job = make_job(2);
	char *text;

	job->members[1].summary->trace = "my job/a.db";
	text = print(job, false);
	assert_non_null(strstr(text, "alone: streamtrace report 'my job/a.db'\n"));
	free(text);
	job_free(job);
}

TEST(test_how_often)
{
	static const char *const words[] = {": 1 time, ", ": 2 times, "};
	struct job *job = make_job(2);

	for (size_t count = 1; count <= 2; count++) {
		char *text;

		job->members[1].summary->findings[0].count = count;
		text = print(job, false);
		assert_non_null(strstr(text, words[count - 1]));
		free(text);
	}
	job_free(job);
}

static void check_narrow(const char *text, size_t width)
{
	char *copy = strdup(text), *rest = copy, *line;

	while ((line = strsep(&rest, "\n")))
		if (mbstowcs(NULL, line, 0) > width)
			fail_msg("\"%s\" is wider than %zu", line, width);
	free(copy);
}

/* Columns are left out before a line is too long; the place keeps its end. */
TEST(test_narrow)
{
	struct job *job = make_job(2);
	char *text;

	job_case_finding(job->members[0].summary, "readback-in-loop",
			 "a/folder/of/much/deep/in/train.py:31", MS);
	setenv("COLUMNS", "60", 1);
	text = print(job, false);
	check_narrow(text, 60);
	check_lines(text, "\nrank     lost  largest finding", "\n   0     0 ns ");
	assert_non_null(strstr(text, "readback-in-loop  …ep/in/train.py:31"));
	assert_non_null(strstr(text, "readback-in-loop  …/deep/in/train.py:31  rank 0\n"));
	free(text);
	setenv("COLUMNS", "80", 1);
	text = print(job, false);
	check_lines(text, "\nrank  host    wall  GPU idle", "\n   0  b ");
	free(text);
	job_free(job);
}

/* Of which rank the words are where they differ; and a job of which nothing is known. */
TEST(test_limits)
{
	struct job *job = make_job(2);
	char *text;

	job_case_note(job->members[0].summary, "call-lost", "5 events were lost");
	job_case_note(job->members[1].summary, "call-lost", "6 events were lost");
	text = print(job, false);
	assert_non_null(strstr(text, "\n\nLimitations of these traces:\n  - both ranks: call-lost: "
				     "5 events were lost (of rank 0)\n"));
	free(text);
	job->members[0].summary->operation_count = job->members[1].summary->operation_count = 0;
	job_case_note(job->members[0].summary, "GPU operations", "no CUPTI");
	text = print(job, false);
	assert_string_equal(text, "2 processes without GPU operations\n"
				  "Lost overlap unknown: no trace has GPU operations\n\n"
				  "Left out or incomplete:\n"
				  "  - rank 0 (train.py 100): no GPU operations: no CUPTI\n"
				  "  - rank 1 (train.py 101): no GPU work\n");
	free(text);
	job_free(job);
}

int main(int argc, char **argv)
{
	setlocale(LC_ALL, "C.UTF-8");
	setenv("COLUMNS", "80", 1);

	return run_registered(argc, argv, NULL, NULL);
}

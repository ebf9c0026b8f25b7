/* What libstrace_try.so does in a program: fixes that change what waits, and nothing else. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmocka_test.h"
#include "facts/trial_page.h"
#include "preload_run.h"
#include "tests_beside.h"

enum { KERNEL_NS = 50000000 }; /* of trial_app.c */

static const char *preload = "LD_PRELOAD=" TRY_PATH;
static bool is_other_page;   /* the program is told of another one */
static bool has_unseen_work; /* as in the page */
static uint32_t warm_calls, turn_calls;

struct trial {
	struct trial_page *page;
	struct run run;
};

static const struct trial_site every[] = {
	{.fix = TRIAL_PINNED_RING},    {.fix = TRIAL_HELD_FREE},
	{.fix = TRIAL_POOL_THRESHOLD}, {.fix = TRIAL_STACK_LIMIT, .offset = 4096},
	{.fix = TRIAL_DROPPED_WAIT},   {.fix = TRIAL_PREFETCH},
};
static const struct trial_site places[] = {{.fix = TRIAL_PINNED_SOURCE},
					   {.fix = TRIAL_PINNED_RESULT}};
enum { SITES = sizeof(every) / sizeof(*every) };

/* Runs the scenario with sites, as the control (applies: 0) or with fixes. The caller calls end_trial(). */
static void run_with(struct trial *trial, const char *scenario, const struct trial_site *sites,
		     uint32_t count, uint32_t applies, const char *setting)
{
	const int file = memfd_create("trial", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	char name[96];
	struct stat status;
	const char *environment[] = {preload, name, setting, NULL};

	assert_true(file >= 0);
	assert_int_equal(ftruncate(file, sizeof(*trial->page)), 0);
	assert_int_equal(fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW), 0);
	trial->page = mmap(NULL, sizeof(*trial->page), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	assert_ptr_not_equal(trial->page, MAP_FAILED);
	trial->page->version = TRIAL_VERSION;
	trial->page->applies = applies;
	trial->page->has_unseen_work = trial->page->has_unseen_copies = has_unseen_work;
	trial->page->site_count = count;
	trial->page->warm_calls = warm_calls;
	trial->page->turn_calls = turn_calls;
	memcpy(trial->page->sites, sites, count * sizeof(*sites));
	assert_int_equal(fstat(file, &status), 0);
	snprintf(name, sizeof(name), "STREAMTRACE_TRY=/proc/%d/fd/%d:%llu", (int)getpid(), file,
		 (unsigned long long)status.st_ino + is_other_page);
	run_start(&trial->run, APP_PATH, scenario, false, environment);
	close(file);
}

static void end_trial(struct trial *trial)
{
	munmap(trial->page, sizeof(*trial->page));
	run_end(&trial->run);
}

/* What the program prints of itself, without what it says of waits. */
static void drop_waits(char *text)
{
	char *line, *next;

	while ((line = strstr(text, "waits "))) {
		next = strchr(line, '\n') + 1;
		memmove(line, next, strlen(next) + 1);
	}
}

/* Runs the scenario plain, as the control and with fixes: all print the same, and bring the same to the host. The
 * trial with fixes is left for the caller, its output whole. */
static void try_scenario(struct trial *fixed, const char *scenario, const char *setting)
{
	const char *const environment[] = {setting, NULL};
	struct trial control;
	struct run plain;
	char *out;

	run_start(&plain, APP_PATH, scenario, false, environment);
	run_with(&control, scenario, every, SITES, 0, setting);
	run_with(fixed, scenario, every, SITES, 1, setting);
	assert_int_equal(plain.status, 0);
	assert_int_equal(control.run.status, 0);
	if (fixed->run.status)
		fail_msg("with fixes: status %x: %s", (unsigned int)fixed->run.status,
			 fixed->run.err);
	assert_string_equal(control.run.out, plain.out);
	assert_string_equal(control.run.err, plain.err);
	assert_string_equal(fixed->run.err, plain.err);
	out = strdup(fixed->run.out);
	drop_waits(out);
	drop_waits(plain.out);
	assert_string_equal(out, plain.out);
	free(out);
	for (int i = 0; i < SITES; i++)
		assert_int_equal(control.page->sites[i].applied, 0);
	assert_int_equal(control.page->pinned_bytes + control.page->device_bytes, 0);
	assert_int_equal(control.page->result_count, fixed->page->result_count);
	if (strcmp(scenario, "storm") != 0)
		assert_memory_equal(control.page->results, fixed->page->results,
				    sizeof(control.page->results));
	end_trial(&control);
	run_end(&plain);
}

/* With memory registered in place the program prints the same as untouched. */
static void register_in_place(struct trial *trial, const char *scenario)
{
	struct run plain;
	char *out;

	run_start(&plain, APP_PATH, scenario, false, NULL);
	preload = "LD_PRELOAD=" TRY_PATH ":" TOUCH_PATH;
	run_with(trial, scenario, places, 2, 1, NULL);
	preload = "LD_PRELOAD=" TRY_PATH;
	if (trial->run.status)
		fail_msg("status %x: %s", (unsigned int)trial->run.status, trial->run.err);
	out = strdup(trial->run.out);
	drop_waits(out);
	drop_waits(plain.out);
	assert_string_equal(out, plain.out);
	free(out);
	run_end(&plain);
}

static const struct trial_site *ring_of(const struct trial *trial)
{
	return &trial->page->sites[0];
}

static const struct trial_site *held_of(const struct trial *trial)
{
	return &trial->page->sites[1];
}

static const struct trial_site *dropped_of(const struct trial *trial)
{
	return &trial->page->sites[4];
}

static void expect(const struct trial *trial, const char *line)
{
	if (!strstr(trial->run.out, line))
		fail_msg("no \"%s\" in:\n%s", line, trial->run.out);
}

static void expect_refusal(const char *scenario, const char *setting, enum trial_refusal refusal)
{
	struct trial trial;

	try_scenario(&trial, scenario, setting);
	assert_int_equal(ring_of(&trial)->refusals, 1u << refusal);
	end_trial(&trial);
}

TEST(test_a_copy_through_the_ring_does_not_wait)
{
	struct trial trial;

	try_scenario(&trial, "copies", NULL);
	expect(&trial, "waits blocking 0\n");
	expect(&trial, "waits per-thread 0\n");
	expect(&trial, "waits small 0\n");
	expect(&trial, "waits async 0\n");
	assert_null(strstr(trial.run.out, " 1\n"));
	assert_int_equal(ring_of(&trial)->applied, 15);
	assert_int_equal(ring_of(&trial)->calls, 30); /* those to the host, too */
	assert_int_equal(ring_of(&trial)->refusals, 0);
	assert_int_equal(trial.page->pinned_bytes, 32 << 20);
	assert_true(trial.page->set_up_ns > 0);
	assert_int_equal(trial.page->result_count, 15);
	assert_int_equal(trial.page->processes, 1);
	assert_true(trial.page->first_ns > 0 && trial.page->began_ns > trial.page->first_ns);
	assert_true(trial.page->last_ns > trial.page->began_ns);
	assert_true(trial.page->start_set_up_ns <= trial.page->set_up_ns);
	end_trial(&trial);
}

TEST(test_the_control_waits)
{
	struct trial trial;

	run_with(&trial, "copies", every, SITES, 0, NULL);
	expect(&trial, "waits blocking 1\n");
	expect(&trial, "waits per-thread 1\n");
	assert_int_equal(ring_of(&trial)->calls, 30);
	end_trial(&trial);
}

TEST(test_other_streams_stay_behind_a_blocking_copy)
{
	struct trial trial;

	try_scenario(&trial, "order", NULL);
	expect(&trial, "waits legacy 0\nlegacy ordered 1\n");
	expect(&trial, "waits per-thread 0\nper-thread ordered 1\n");
	end_trial(&trial);
}

TEST(test_errors_are_those_of_the_real_call)
{
	struct trial trial;

	try_scenario(&trial, "errors", NULL);
	assert_int_equal(ring_of(&trial)->applied, 1);
	end_trial(&trial);
}

TEST(test_what_the_ring_leaves_alone)
{
	expect_refusal("captured", NULL, TRIAL_REFUSED_CAPTURED);
	expect_refusal("not-pageable", NULL, TRIAL_REFUSED_NOT_PAGEABLE);
	expect_refusal("order", "FAKE_PINNED_BYTES=1", TRIAL_REFUSED_NO_MEMORY);
	expect_refusal("order", "FAKE_HOST_TABLES=1", TRIAL_REFUSED_COHERENT);
}

TEST(test_a_full_ring)
{
	expect_refusal("full", NULL, TRIAL_REFUSED_RING_FULL);
}

TEST(test_larger_than_a_slab)
{
	struct trial trial;

	try_scenario(&trial, "large", NULL);
	expect(&trial, "0\n");
	expect(&trial, "large: 0 right, last error 0\n");
	expect(&trial, "other: 0 right, last error 0\n");
	assert_int_equal(ring_of(&trial)->applied, 2);
	assert_int_equal(ring_of(&trial)->refusals, 0);
	assert_true(trial.page->pinned_bytes <= 64 << 20);
	end_trial(&trial);
}

TEST(test_results_are_hashed_once_they_are_there)
{
	_Atomic uint64_t *hashes;
	struct trial trial;

	try_scenario(&trial, "results", NULL);
	hashes = trial.page->results;
	assert_int_equal(trial.page->result_count, 8);
	assert_true(hashes[0] && hashes[0] == hashes[1]);
	assert_true(hashes[2] && hashes[2] != hashes[0]);
	assert_int_equal(hashes[3], 0);
	assert_true(hashes[4]);
	assert_int_equal(hashes[5], 0);
	assert_true(hashes[6] == hashes[2]);
	assert_int_equal(hashes[7], 0);
	end_trial(&trial);
}

TEST(test_a_held_block_is_handed_out_once_its_work_is_done)
{
	struct trial trial;

	try_scenario(&trial, "held", NULL);
	expect(&trial, "waits cudaFree 0\n");
	expect(&trial, "waits again-other\n");
	expect(&trial, "waits then-same\n");
	assert_int_equal(held_of(&trial)->applied, 4);
	assert_int_equal(held_of(&trial)->calls, 5);
	assert_int_equal(held_of(&trial)->refusals, 0);
	assert_true(trial.page->device_bytes > 0);
	end_trial(&trial);
}

TEST(test_the_host_runs_ahead_by_some_blocks)
{
	struct trial trial;

	try_scenario(&trial, "held-loop", NULL);
	expect(&trial, "waits blocks 4 kernels 8\n");
	assert_int_equal(held_of(&trial)->applied, 12);
	end_trial(&trial);
}

/* A dropped wait would bring an order of its own. */
static void hold_alone(struct trial *trial, const char *scenario)
{
	run_with(trial, scenario, &every[1], 1, 1, NULL);
	assert_int_equal(trial->run.status, 0);
	assert_int_equal(trial->page->sites[0].refusals, 0);
}

static void expect_held(const struct trial *trial, const char *name, bool is_barrier)
{
	char lines[128];

	snprintf(lines, sizeof(lines), "waits %s-other\nwaits %s-barrier %d\nwaits %s-then-same\n",
		 name, name, is_barrier, name);
	expect(trial, lines);
}

/* The block is not given out before its work is done, and other streams do not wait for that. */
TEST(test_marks_are_no_barrier_between_streams)
{
	struct trial trial;

	hold_alone(&trial, "marks");
	expect_held(&trial, "blocking", false);
	expect_held(&trial, "copied", false);
	expect_held(&trial, "per-thread", false);
	expect_held(&trial, "legacy", true); /* as without the fix */
	expect(&trial, "waits thread-other\n");
	expect(&trial, "waits ended-other\n");
	assert_int_equal(trial.page->sites[0].applied, 6);
	end_trial(&trial);
	hold_alone(&trial, "mixed");
	expect(&trial, "waits mixed-barrier 0\n");
	end_trial(&trial);
}

/* Any stream may have it. */
TEST(test_marks_of_unseen_work)
{
	struct trial trial;

	has_unseen_work = true;
	hold_alone(&trial, "marks");
	expect_held(&trial, "blocking", true);
	expect(&trial, "waits ended-other\n");
	end_trial(&trial);
	hold_alone(&trial, "unseen");
	has_unseen_work = false;
	expect(&trial, "waits unseen-other\n");
	end_trial(&trial);
}

TEST(test_blocks_of_other_streams_are_not_held)
{
	struct trial trial;

	try_scenario(&trial, "not-held", NULL);
	assert_int_equal(held_of(&trial)->applied, 0);
	assert_int_equal(held_of(&trial)->refusals,
			 1u << TRIAL_REFUSED_CAPTURED | 1u << TRIAL_REFUSED_OTHER_STREAM);
	end_trial(&trial);
}

TEST(test_held_blocks_make_room)
{
	struct trial trial;

	try_scenario(&trial, "room", "FAKE_DEVICE_BYTES=10485760");
	expect(&trial, "malloc 0\nlast 0\nmalloc 2\nlast 2\n");
	assert_int_equal(held_of(&trial)->applied, 3);
	assert_int_equal(trial.page->device_bytes, 9 << 20);
	end_trial(&trial);
}

TEST(test_what_ends_with_its_context)
{
	struct trial trial;

	try_scenario(&trial, "reset", NULL);
	expect(&trial, "waits former 0\n");
	assert_int_equal(ring_of(&trial)->applied, 2);
	assert_int_equal(held_of(&trial)->applied, 2);
	assert_int_equal(trial.page->pinned_bytes, 32 << 20); /* the former slab is gone */
	end_trial(&trial);
}

TEST(test_with_many_streams_nothing_is_held)
{
	struct trial trial;

	try_scenario(&trial, "many-streams", NULL);
	assert_int_equal(held_of(&trial)->applied, 0);
	assert_int_equal(held_of(&trial)->refusals, 1u << TRIAL_REFUSED_MANY_STREAMS);
	assert_int_equal(ring_of(&trial)->applied, 64);
	end_trial(&trial);
	register_in_place(&trial, "many-streams");
	assert_int_equal(trial.page->sites[0].applied, 63);
	end_trial(&trial);
}

TEST(test_another_program)
{
	struct trial trial;

	try_scenario(&trial, "exec", NULL);
	assert_true(ring_of(&trial)->applied == 4 && held_of(&trial)->applied == 1 &&
		    dropped_of(&trial)->applied == 1);
	end_trial(&trial);
	register_in_place(&trial, "exec");
	assert_true(trial.page->sites[0].applied == 3 && trial.page->sites[1].applied == 2);
	end_trial(&trial);
}

/* Streams, queries and clocks wait in the host's place. */
TEST(test_a_dropped_wait)
{
	struct trial trial;

	try_scenario(&trial, "dropped", NULL);
	expect(&trial, "waits stream 0\nstream ordered 1\n");
	expect(&trial, "waits device 0\ndevice ordered 1\n");
	expect(&trial, "waits ended 0\nwaits ended ordered 1\n");
	expect(&trial, "query 0\nelapsed 0 1\nwaits coarse 0\nclock 1\n");
	assert_null(strstr(trial.run.out, "waits stream 1\n"));
	assert_int_equal(dropped_of(&trial)->refusals, 1u << TRIAL_REFUSED_VISIBLE);
	end_trial(&trial);
}

TEST(test_what_is_released_behind_a_dropped_wait)
{
	struct trial trial;

	try_scenario(&trial, "released", NULL);
	expect(&trial, "free 0 1\npool 0 1\ntexture 0 1\nsurface 0 1\n");
	assert_int_equal(dropped_of(&trial)->applied, 4);
	assert_int_equal(dropped_of(&trial)->refusals, 0);
	end_trial(&trial);
}

TEST(test_a_stream_that_the_driver_ends)
{
	struct trial trial;

	try_scenario(&trial, "driver-ends", NULL);
	assert_int_equal(held_of(&trial)->applied, 1);
	assert_int_equal(dropped_of(&trial)->refusals, 0);
	end_trial(&trial);
}

static void expect_wait(const char *scenario, const char *setting, const char *line,
			enum trial_refusal refusal)
{
	struct trial trial;

	try_scenario(&trial, scenario, setting);
	expect(&trial, line);
	assert_int_equal(dropped_of(&trial)->refusals, 1u << refusal);
	end_trial(&trial);
}

TEST(test_waits_that_stay)
{
	expect_wait("visible", NULL, "result 1\nsource 1\n", TRIAL_REFUSED_VISIBLE);
	expect_wait("function", NULL, "function 1\n", TRIAL_REFUSED_VISIBLE);
	expect_wait("processes", NULL, "processes 1\n", TRIAL_REFUSED_OTHER_PROCESS);
	expect_wait("neighbour", NULL, "library 1\nneighbour 1\n", TRIAL_REFUSED_SHARED);
	expect_wait("threads", NULL, "waits threads 0\nmade up 1\nthreads 1\n",
		    TRIAL_REFUSED_OTHER_THREAD);
	expect_wait("managed", NULL, "managed 1\n", TRIAL_REFUSED_MANAGED);
	expect_wait("sequence", NULL, "sequence 1\n", TRIAL_REFUSED_CAPTURED);
	expect_wait("many-streams", NULL, "many 1\n", TRIAL_REFUSED_MANY_STREAMS);
	expect_wait("order", "FAKE_PAGEABLE_ACCESS=1", "", TRIAL_REFUSED_COHERENT);
}

TEST(test_settings_of_the_run)
{
	struct trial trial;

	try_scenario(&trial, "settings", NULL);
	expect(&trial, "waits stack 4096 threshold ffffffffffffffff\n");
	assert_int_equal(trial.page->sites[2].applied, 1);
	assert_int_equal(trial.page->sites[3].applied, 1);
	end_trial(&trial);
}

/* Counts as the program's time. */
TEST(test_work_that_is_left_in_the_end)
{
	struct trial trial;

	try_scenario(&trial, "tail", NULL);
	assert_true(trial.page->last_ns - trial.page->began_ns > KERNEL_NS / 2);
	end_trial(&trial);
}

/* It would last for an hour. The process ends soon, and the time of the last call is that of the launch. */
TEST(test_work_without_an_end)
{
	struct trial trial;

	run_with(&trial, "endless", every, SITES, 1, NULL);
	assert_int_equal(trial.run.status, 0);
	assert_true(trial.page->last_ns - trial.page->began_ns < KERNEL_NS * INT64_C(20));
	end_trial(&trial);
}

/* What another run left behind meets the page of this one. */
TEST(test_the_page_of_another_run)
{
	struct trial trial;

	is_other_page = true;
	run_with(&trial, "tail", every, SITES, 1, NULL);
	is_other_page = false;
	assert_int_equal(trial.run.status, 0);
	assert_int_equal(trial.page->processes, 0);
	end_trial(&trial);
}

TEST(test_forked_processes)
{
	struct trial trial;

	try_scenario(&trial, "fork", NULL);
	assert_int_equal(trial.page->processes, 2);
	assert_int_equal(ring_of(&trial)->applied, 2);
	assert_int_equal(trial.page->result_count, 1);
	end_trial(&trial);
	try_scenario(&trial, "late-fork", NULL);
	end_trial(&trial);
}

TEST(test_many_threads)
{
	struct trial trial;

	try_scenario(&trial, "storm", NULL);
	expect(&trial, "wrong 0, last 0\n");
	assert_int_equal(ring_of(&trial)->refusals, 0);
	assert_true(ring_of(&trial)->applied == 320 && held_of(&trial)->applied > 0);
	end_trial(&trial);
	register_in_place(&trial, "storm");
	expect(&trial, "wrong 0, last 0\n");
	assert_int_equal(trial.page->sites[0].applied, 312); /* not the first of each thread */
	end_trial(&trial);
}

/* The call site by its module and offset, as a trace of the scenario has them. which: its calls in the table. */
static struct trial_site find_site(enum trial_fix fix, const char *scenario, const char *which)
{
	struct trial_site site = {.fix = fix, .module = "trial_app"};
	struct run traced;

	run_start(&traced, APP_PATH, scenario, true, NULL);
	run_open(&traced);
	site.offset = (uint64_t)run_number(&traced,
					   "SELECT f.offset FROM calls c JOIN frames f USING "
					   "(site_id) JOIN functions n ON n.id = c.function_id"
					   " WHERE f.depth = 0 AND %s",
					   which);
	run_end(&traced);
	return site;
}

TEST(test_one_site)
{
	struct trial_site site =
		find_site(TRIAL_PINNED_RING, "site", "c.copy_kind = 1 AND c.size_bytes = 5243003");
	struct trial trial;

	run_with(&trial, "site", &site, 1, 1, NULL);
	assert_int_equal(trial.page->sites[0].calls, 1);
	assert_int_equal(trial.page->sites[0].applied, 1);
	end_trial(&trial);
	strcpy(site.module, "another");
	run_with(&trial, "site", &site, 1, 1, NULL);
	assert_int_equal(trial.page->sites[0].calls, 0);
	end_trial(&trial);
}

static void run_turns(struct trial *trial, const char *scenario)
{
	const struct trial_site sites[] = {
		find_site(TRIAL_HELD_FREE, scenario, "n.name = 'cudaFree'"),
		find_site(TRIAL_DROPPED_WAIT, scenario, "n.name = 'cudaStreamSynchronize'"),
	};

	warm_calls = 5;
	turn_calls = 10;
	run_with(trial, scenario, sites, 2, 0, NULL);
	warm_calls = turn_calls = 0;
}

#define TURN_A "waits turn 15 15\n"
#define TURN_B "waits turn 2 0\n" /* where it begins, and where what is measured does */

/* Fixes that are switched off and on: the control, A B B A and B A A B. */
TEST(test_turns)
{
	struct trial trial;

	run_turns(&trial, "turns");
	expect(&trial,
	       TURN_A TURN_A TURN_A TURN_A TURN_A TURN_B TURN_B TURN_A TURN_B TURN_A TURN_A TURN_B
	       "memory 0\n");
	assert_int_equal(trial.page->turn_count, 12);
	assert_int_equal(trial.page->sites[0].calls, 181);
	assert_int_equal(trial.page->sites[0].applied, 60);
	assert_int_equal(trial.page->sites[1].applied, 60);
	for (int i = 0; i < 12; i++)
		assert_true(trial.page->turns[i].ns > 0);
	end_trial(&trial);
}

/* Fixes are switched off and on while other threads are in calls that they are made in. */
TEST(test_turns_beside_other_threads)
{
	struct trial trial;

	run_turns(&trial, "turns-beside");
	expect(&trial, "wrong 0\nmemory 0\n");
	assert_int_equal(trial.page->turn_count, 12);
	assert_true(trial.page->sites[0].applied >= 60);
	assert_true(trial.page->sites[0].calls > trial.page->sites[0].applied);
	end_trial(&trial);
}

/* Nothing is fixed any more. */
TEST(test_a_capture_ends_turns)
{
	struct trial trial;

	run_turns(&trial, "turns-end");
	expect(&trial, TURN_A TURN_A TURN_A TURN_A TURN_A TURN_B
	       "capture 0\ncaptured 0\n" TURN_A TURN_A TURN_A TURN_A TURN_A TURN_A "memory 0\n");
	assert_int_equal(trial.page->turn_count, 5);
	end_trial(&trial);
}

/* The host waits where it writes the source, not before. */
TEST(test_a_source_that_is_pinned_in_place)
{
	struct trial trial;

	register_in_place(&trial, "source");
	expect(&trial, "waits send 0\nread 1\nwaits read 0\nwaits write 0\n"
		       "waits send 0\nread 1\nwaits read 0\nwaits write 1\n");
	expect(&trial, "waits registered 1\nwaits blocking 1\n");
	expect(&trial, "waits freed 1\n");
	assert_int_equal(trial.page->sites[0].applied, 3); /* not the first */
	assert_int_equal(trial.page->sites[0].refusals, 1u << TRIAL_REFUSED_FIRST_USE);
	assert_true(trial.page->pinned_bytes > 5 << 20 && trial.page->pinned_bytes < 6 << 20);
	assert_true(trial.page->set_up_ns > 0);
	end_trial(&trial);
}

/* Likewise where it reads a result, itself or by the kernel or CUDA. */
TEST(test_a_result_that_is_pinned_in_place)
{
	struct trial trial;

	register_in_place(&trial, "result");
	expect(&trial, "waits bring 1\nresult 0\nthere 1\nwaits bring 0\nresult 0\nthere 1\n");
	expect(&trial, "waits again 0\nwrite 5243003\nthere 1\n");
	expect(&trial, "waits freed 1\n");
	assert_int_equal(trial.page->sites[1].applied, 5);
	end_trial(&trial);
}

TEST(test_chunks_that_are_pinned_in_place)
{
	struct trial trial;

	register_in_place(&trial, "chunks");
	expect(&trial, "waits chunks 0\nchunks 0\nthere 1\n");
	assert_int_equal(trial.page->sites[0].applied, 7);
	assert_int_equal(trial.page->sites[1].applied, 6);
	/* Both arrays at once. */
	assert_true(trial.page->pinned_bytes > 12 << 20 && trial.page->pinned_bytes < 13 << 20);
	end_trial(&trial);
}

TEST(test_copies_that_overlap_in_place)
{
	struct trial trial;

	register_in_place(&trial, "overlap");
	expect(&trial, "first 7\nwaits first 0\nsecond 7\nthere 1\n");
	expect(&trial, "waits again 0\nwaits over 1\nwaits twice 1\n");
	end_trial(&trial);
}

TEST(test_memory_that_is_left_alone)
{
	struct trial trial;

	register_in_place(&trial, "left-alone");
	expect(&trial, "registered 0 0\nwaits registered 1\nregister 0\n");
	expect(&trial, "unregister 0\nwaits registered 1\nwaits registered 0\n");
	assert_int_equal(trial.page->sites[0].refusals,
			 1u << TRIAL_REFUSED_FIRST_USE | 1u << TRIAL_REFUSED_NOT_PRIVATE |
				 1u << TRIAL_REFUSED_NOT_ALONE | 1u << TRIAL_REFUSED_FORKED);
	end_trial(&trial);
	register_in_place(&trial, "rows");
	expect(&trial, "waits registered 1\nrows 0\nrows 0\nwaits registered 0\n");
	end_trial(&trial);
	has_unseen_work = true;
	register_in_place(&trial, "source");
	has_unseen_work = false;
	assert_int_equal(trial.page->sites[0].refusals, 1u << TRIAL_REFUSED_SHARED);
	end_trial(&trial);
	/* Nobody would see that it is freed. */
	run_with(&trial, "source", places, 2, 1, NULL);
	assert_int_equal(trial.page->sites[0].refusals, 1u << TRIAL_REFUSED_UNWATCHED);
	end_trial(&trial);
}

/* A guard of their pages would stop an allocator, the driver or another thread. */
TEST(test_memory_whose_pages_have_more)
{
	struct trial trial;

	register_in_place(&trial, "heap");
	expect(&trial, "waits registered 0\nwaits registered 0\nwaits registered 1\n");
	assert_int_equal(trial.page->sites[0].applied, 1);
	assert_int_equal(trial.page->sites[0].refusals,
			 1u << TRIAL_REFUSED_FIRST_USE | 1u << TRIAL_REFUSED_NOT_ALONE);
	end_trial(&trial);
	register_in_place(&trial, "other-stack");
	expect(&trial, "waits registered 0\n");
	assert_int_equal(trial.page->sites[0].refusals,
			 1u << TRIAL_REFUSED_FIRST_USE | 1u << TRIAL_REFUSED_NOT_ALONE);
	end_trial(&trial);
}

TEST(test_threads_that_share_a_place)
{
	struct trial trial;

	register_in_place(&trial, "shared-place");
	expect(&trial, "waits pending 0\n");
	assert_int_equal(trial.page->sites[0].applied, 4 * 40);
	end_trial(&trial);
}

/* The fix alone: a dropped wait would change the times. The program prints the same as untouched. */
static void prefetch_alone(struct trial *trial, const char *scenario)
{
	struct run plain;
	char *out;

	run_start(&plain, APP_PATH, scenario, false, NULL);
	run_with(trial, scenario, &every[5], 1, 1, NULL);
	if (trial->run.status)
		fail_msg("status %x: %s", (unsigned int)trial->run.status, trial->run.err);
	out = strdup(trial->run.out);
	drop_waits(out);
	drop_waits(plain.out);
	assert_string_equal(out, plain.out);
	free(out);
	run_end(&plain);
}

TEST(test_managed_memory_is_there_before_its_kernel)
{
	struct trial trial;

	run_with(&trial, "prefetch", &every[5], 1, 0, NULL);
	expect(&trial, "waits faults symbol 1\n");
	expect(&trial, "waits faults handle 1\n");
	expect(&trial, "waits prefetched 0\n");
	assert_int_equal(trial.page->sites[0].calls, 25);
	end_trial(&trial);
	prefetch_alone(&trial, "prefetch");
	assert_null(strstr(trial.run.out, "faults symbol 1\n"));
	assert_null(strstr(trial.run.out, "faults handle 1\n"));
	expect(&trial, "waits prefetched 201326592\n"); /* once a step: 12 x 16 MiB */
	assert_int_equal(trial.page->sites[0].applied, 12);
	assert_int_equal(trial.page->sites[0].refusals, 1u << TRIAL_REFUSED_NOT_MANAGED);
	end_trial(&trial);
}

TEST(test_launches_without_a_prefetch)
{
	struct trial trial;

	prefetch_alone(&trial, "not-prefetched");
	expect(&trial, "waits prefetched 0\n");
	assert_int_equal(trial.page->sites[0].applied, 0);
	assert_int_equal(trial.page->sites[0].refusals,
			 1u << TRIAL_REFUSED_NOT_MANAGED | 1u << TRIAL_REFUSED_CAPTURED |
				 1u << TRIAL_REFUSED_UNKNOWN_ARGUMENTS);
	end_trial(&trial);
	prefetch_alone(&trial, "large-managed");
	expect(&trial, "waits prefetched 300\nwaits prefetched 600\n");
	assert_int_equal(trial.page->sites[0].refusals, 1u << TRIAL_REFUSED_LARGE);
	end_trial(&trial);
}

TEST(test_turns_of_prefetches)
{
	const struct trial_site site =
		find_site(TRIAL_PREFETCH, "prefetch-turns", "n.name = 'cudaLaunchKernel'");
	struct trial trial;

	warm_calls = 5;
	turn_calls = 10;
	run_with(&trial, "prefetch-turns", &site, 1, 0, NULL);
	warm_calls = turn_calls = 0;
	expect(&trial, "waits turn 15\nwaits turn 15\nwaits turn 15\nwaits turn 15\nwaits turn 15\n"
		       "waits turn 0\nwaits turn 0\nwaits turn 15\nwaits turn 0\nwaits turn 15\n"
		       "waits turn 15\nwaits turn 0\n");
	assert_int_equal(trial.page->turn_count, 12);
	assert_int_equal(trial.page->sites[0].applied, 60);
	end_trial(&trial);
}

TEST(test_prefetches_of_many_threads)
{
	struct trial trial;

	prefetch_alone(&trial, "prefetch-storm");
	expect(&trial, "wrong 0, last 0\n");
	expect(&trial, "waits prefetched 1\n");
	assert_int_equal(trial.page->sites[0].calls, 8 * 40 * 3);
	assert_true(trial.page->sites[0].applied >= 8 * 40);
	end_trial(&trial);
}

TEST(test_without_a_call)
{
	struct trial trial;

	try_scenario(&trial, "no-cuda", NULL);
	assert_int_equal(trial.page->processes, 0);
	assert_int_equal(trial.page->first_ns, 0);
	end_trial(&trial);
}

RUN_TESTS_BESIDE()

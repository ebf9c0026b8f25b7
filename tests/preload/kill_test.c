/* SIGKILL at random moments: the file opens and holds all that the writer has said to be there. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmocka_test.h"
#include "account_app.h"
#include "preload_run.h"
#include "tests_beside.h"

enum { THREADS = 4, MS = 1000000 };
#define SECOND_NS INT64_C(1000000000)

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { AT_ONCE = 4, KILLS = 16, START_KILLS = 16 };
#define WORK "4,0,50000"
#else
enum { AT_ONCE = 8, KILLS = 48, START_KILLS = 48 };
#define WORK "4,0,5000"
#endif

struct victim {
	struct run run;
	int after_ms;
};

static unsigned int seed;

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * SECOND_NS + now.tv_nsec;
}

static int by_moment(const void *a, const void *b)
{
	return ((const struct victim *)a)->after_ms - ((const struct victim *)b)->after_ms;
}

static void kill_all(struct victim *victims, int from_ms, int to_ms)
{
	int64_t start_ns, left_ns;

	for (int i = 0; i < AT_ONCE; i++)
		victims[i].after_ms = from_ms + rand_r(&seed) % (to_ms - from_ms);
	qsort(victims, AT_ONCE, sizeof(*victims), by_moment);
	start_ns = now_ns();
	for (int i = 0; i < AT_ONCE; i++)
		run_launch(&victims[i].run, APP_PATH, WORK, true, NULL);
	for (int i = 0; i < AT_ONCE; i++) {
		left_ns = start_ns + (int64_t)victims[i].after_ms * MS - now_ns();
		if (left_ns > 0)
			usleep((useconds_t)(left_ns / 1000));
		kill(victims[i].run.pid, SIGKILL);
	}
	for (int i = 0; i < AT_ONCE; i++) {
		run_wait(&victims[i].run);
		assert_true(WIFSIGNALED(victims[i].run.status));
	}
}

/* A flush samples the clocks when it has emptied the rings and CUPTI's buffers, and commits all of
 * it at once. So the last flush includes all that was made before the last sample but one, whenever
 * the scheduler let it run. 0: there are no two flushes. */
static int64_t flushed_until_ns(struct run *run)
{
	/* At a step of the clock samples are taken between flushes. */
	if (run_number(run, "SELECT count(*) FROM losses WHERE kind = 'clock-step'"))
		return 0;
	return run_number(run, "SELECT coalesce((SELECT realtime_ns FROM clock_samples"
			       " ORDER BY rowid DESC LIMIT 1 OFFSET 1), 0)");
}

static void check_thread(struct victim *victim, const struct made *made)
{
	int64_t calls, operations;

	calls = run_calls(&victim->run, made->thread);
	operations = run_number(&victim->run, OPERATIONS_OF, made->index, made->index, made->index);
	if (calls < made->calls || operations < made->operations)
		fail_msg("killed after %d ms: %" PRId64 " of %d calls are there, %" PRId64
			 " of %d operations",
			 victim->after_ms, calls, made->calls, operations, made->operations);
}

/* What each thread had made before the flush is there. True when there was some. */
static bool check_flushed_work(struct victim *victim)
{
	const int64_t until_ns = flushed_until_ns(&victim->run);
	struct made made, last[THREADS + 1] = {{0}};
	bool is_some = false;

	for (const char *line = victim->run.out; line && *line; line = strchr(line, '\n') + 1) {
		if (sscanf(line, MADE_FORMAT, &made.thread, &made.index, &made.calls,
			   &made.operations, &made.time_ns) == MADE_FIELDS &&
		    made.time_ns < until_ns)
			last[made.index] = made;
		if (!strchr(line, '\n'))
			break;
	}
	for (int i = 1; i <= THREADS; i++) {
		if (!last[i].index)
			continue;
		is_some = true;
		check_thread(victim, &last[i]);
	}
	return is_some;
}

/* Goes on until enough had something to lose: a writer that never flushes is a hang here. */
TEST(test_a_kill_takes_nothing_that_was_flushed)
{
	static struct victim victims[AT_ONCE];
	int kills = 0, checked = 0;

	print_message("seed %u\n", seed);
	while (kills < KILLS || checked < KILLS / 4) {
		kill_all(victims, 50, 2000);
		for (int i = 0; i < AT_ONCE; i++, kills++) {
			struct stat status;

			if (stat(victims[i].run.trace, &status) == 0) {
				run_open(&victims[i].run);
				checked += run_number(&victims[i].run,
						      "SELECT count(*) FROM sqlite_schema") &&
					   check_flushed_work(&victims[i]);
			}
			run_end(&victims[i].run);
		}
	}
	print_message("%d kills, %d of them with work that was flushed\n", kills, checked);
}

TEST(test_a_kill_during_the_start_leaves_no_wreck)
{
	static struct victim victims[AT_ONCE];
	int kills = 0, absent = 0, empty = 0;
	struct stat status;

	print_message("seed %u\n", seed);
	while (kills < START_KILLS) {
		kill_all(victims, 0, 50);
		for (int i = 0; i < AT_ONCE; i++, kills++) {
			struct run *run = &victims[i].run;

			if (stat(run->trace, &status)) {
				absent++;
			} else {
				run_open(run);
				/* Nothing, or the whole schema. */
				if (!run_number(run, "SELECT count(*) FROM sqlite_schema"))
					empty++;
				else
					run_number(run, "SELECT count(*) FROM top_sites");
			}
			run_end(run);
		}
	}
	print_message("%d kills: %d before the file, %d before its tables\n", kills, absent, empty);
}

int main(int argc, char **argv)
{
	seed = (unsigned int)now_ns();
	if (argc > 1)
		seed = (unsigned int)strtoul(argv[1], NULL, 10);

	return run_tests_beside(registered, registered_count, NULL);
}

/* SIGKILL at random moments: the file opens and holds everything of more than a second before. */
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "account_app.h"
#include "preload_run.h"

enum { THREADS = 4, MS = 1000000 };
#define SECOND_NS INT64_C(1000000000)

/* The sanitizers make the programs so slow that they starve their own writers on a busy machine:
 * what is asked of their traces then is that they open, and are whole. */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { AT_ONCE = 4, KILLS = 24, START_KILLS = 16, IS_TIMED = 0 };
#define WORK "4,0,50000"
#else
enum { AT_ONCE = 8, KILLS = 104, START_KILLS = 48, IS_TIMED = 1 };
#define WORK "4,0,5000"
#endif

struct victim {
	struct run run;
	int after_ms;
	int64_t killed_ns;
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
		victims[i].killed_ns = now_ns();
		kill(victims[i].run.pid, SIGKILL);
	}
	for (int i = 0; i < AT_ONCE; i++) {
		run_wait(&victims[i].run);
		assert_true(WIFSIGNALED(victims[i].run.status));
	}
}

/* What each thread had made more than a second before the kill is there. True when there was
 * some. */
static bool check_old_work(struct victim *victim)
{
	struct made made, last[THREADS + 1] = {{0}};
	int64_t recorded;
	bool is_some = false;

	for (const char *line = victim->run.out; line && *line; line = strchr(line, '\n') + 1) {
		if (sscanf(line, MADE_FORMAT, &made.thread, &made.index, &made.calls,
			   &made.operations, &made.time_ns) == MADE_FIELDS &&
		    made.time_ns < victim->killed_ns - SECOND_NS)
			last[made.index] = made;
		if (!strchr(line, '\n'))
			break;
	}
	for (int i = 1; i <= THREADS; i++) {
		if (!last[i].index)
			continue;
		is_some = true;
		recorded =
			run_number(&victim->run, "SELECT count(*) FROM calls WHERE thread_id = %d",
				   last[i].thread);
		if (recorded < last[i].calls)
			fail_msg("killed after %d ms: %" PRId64 " of %d calls are there",
				 victim->after_ms, recorded, last[i].calls);
		recorded = run_number(&victim->run, OPERATIONS_OF, i, i, i);
		if (recorded < last[i].operations)
			fail_msg("killed after %d ms: %" PRId64 " of %d operations are there",
				 victim->after_ms, recorded, last[i].operations);
	}
	return is_some;
}

static int64_t age_ms(struct victim *victim, const char *table)
{
	return (victim->killed_ns - run_number(&victim->run, "SELECT max(end_ns) FROM %s", table)) /
	       MS;
}

static void test_a_kill_takes_less_than_a_second(void **state)
{
	static struct victim victims[AT_ONCE];
	int64_t worst_call_ms = 0, worst_operation_ms = 0, age;
	int kills = 0, checked = 0;

	print_message("seed %u\n", seed);
	while (kills < KILLS) {
		kill_all(victims, 50, 2500);
		for (int i = 0; i < AT_ONCE; i++, kills++) {
			struct stat status;

			if (stat(victims[i].run.trace, &status) == 0) {
				run_open(&victims[i].run);
				if (IS_TIMED && check_old_work(&victims[i])) {
					checked++;
					age = age_ms(&victims[i], "calls");
					worst_call_ms = age > worst_call_ms ? age : worst_call_ms;
					age = age_ms(&victims[i], "operations");
					worst_operation_ms =
						age > worst_operation_ms ? age : worst_operation_ms;
				}
			} else {
				/* Not begun: then nothing was made a second ago. */
				assert_true(!IS_TIMED || victims[i].after_ms < 1000);
			}
			run_end(&victims[i].run);
		}
	}
	print_message("%d kills, %d of them with work of more than a second before;"
		      " the newest call was %" PRId64
		      " ms old at worst, the newest operation %" PRId64 " ms\n",
		      kills, checked, worst_call_ms, worst_operation_ms);
	if (IS_TIMED)
		assert_in_range(checked, kills / 4, kills);
}

static void test_a_kill_during_the_start_leaves_no_wreck(void **state)
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
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_kill_takes_less_than_a_second),
		cmocka_unit_test(test_a_kill_during_the_start_leaves_no_wreck),
	};

	seed = (unsigned int)now_ns();
	if (argc > 1)
		seed = (unsigned int)strtoul(argv[1], NULL, 10);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * The traced program of harm_test.c: `harm_app SCENARIO`. Each scenario does what programs do that a
 * tracer could harm, or that could harm a tracer, and prints what it sees.
 */
#include "harm_app.h"

#include <grp.h>
#include <sys/stat.h>
#include <sys/wait.h>

void make_calls(int count)
{
	for (int i = 0; i < count; i++)
		cudaStreamQuery(NULL);
}

void *calls_main(void *count)
{
	make_calls(*(const int *)count);
	return NULL;
}

/* When the log was last written to, of CLOCK_REALTIME; 0: there is none. A log that begins anew keeps
 * its size. */
static int64_t log_time_ns(void)
{
	struct stat log;

	return stat("trace.db-wal", &log) || !log.st_size
		       ? 0
		       : log.st_mtim.tv_sec * INT64_C(1000000000) + log.st_mtim.tv_nsec;
}

void wait_for_trace(void)
{
	const char *preloaded = getenv("LD_PRELOAD");
	int64_t first;

	if (!preloaded || !strstr(preloaded, "libstrace"))
		return;
	/* The first flush creates the tables; only later flushes write rows alone. */
	while (!(first = log_time_ns()))
		usleep(1000);
	while (log_time_ns() == first)
		usleep(1000);
	/* Behind the flush: who takes a number between the look at it and the write gets the bytes. */
	do {
		first = log_time_ns();
		usleep(OPEN_US / 6);
	} while (log_time_ns() != first);
}

void must(bool condition, const char *text)
{
	if (condition)
		return;
	fprintf(stderr, "failed: %s: %s\n", text, strerror(errno));
	_exit(2);
}

void cannot(const char *why)
{
	printf("cannot: %s: %s\n", why, strerror(errno));
	exit(0);
}

void print_child(pid_t child)
{
	int status;

	MUST(waitpid(child, &status, 0) == child);
	printf("child: status %d, signal %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1,
	       WIFSIGNALED(status) ? WTERMSIG(status) : 0);
	fflush(stdout);
}

static void scenario_calls(void)
{
	make_calls(CALLS);
}

static const struct scenario plain_scenarios[] = {
	{"calls", scenario_calls},
	{NULL, NULL},
};

/* Starts again as nobody, to whom the folder then belongs. */
static void start_as_nobody(char **argv)
{
	unsetenv("HARM_AS_NOBODY");
	MUST(!chown(".", NOBODY, NOBODY));
	MUST(!setgroups(0, NULL));
	MUST(!setresgid(NOBODY, NOBODY, NOBODY));
	MUST(!setresuid(NOBODY, NOBODY, NOBODY));
	execv("/proc/self/exe", argv);
	cannot("running as nobody");
}

int main(int argc, char **argv)
{
	static const struct scenario *const all[] = {
		plain_scenarios, thread_scenarios, signal_scenarios,  process_scenarios,
		limit_scenarios, filter_scenarios, wrapper_scenarios, look_scenarios};

	if (getenv("HARM_AS_NOBODY"))
		start_as_nobody(argv);
	for (size_t i = 0; argc == 2 && i < sizeof(all) / sizeof(all[0]); i++)
		for (const struct scenario *scenario = all[i]; scenario->name; scenario++)
			if (!strcmp(argv[1], scenario->name)) {
				scenario->run();
				return 0;
			}
	fprintf(stderr, "harm_app: no such scenario\n");
	return 2;
}

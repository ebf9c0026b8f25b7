/* Programs that run other programs: they start this one again below them. */
#include "harm_app.h"

#include <fcntl.h>

enum { MOST_ARGUMENTS = 12 };

/* The words, then this program with the scenario `calls`. */
static void run_below(const char *const *words)
{
	static char self[4096];
	char *arguments[MOST_ARGUMENTS] = {NULL};
	int count = 0;

	for (; words[count]; count++)
		arguments[count] = (char *)words[count];
	MUST(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	arguments[count++] = self;
	arguments[count] = (char *)"calls";
	execvp(arguments[0], arguments);
	cannot(arguments[0]);
}

#define BELOW(name, ...)                                                                           \
	static void name(void)                                                                     \
	{                                                                                          \
		run_below((const char *const[]){__VA_ARGS__, NULL});                               \
	}

BELOW(below_valgrind, "valgrind", "-q", "--error-exitcode=99")
BELOW(below_strace, "strace", "-f", "-o", "/dev/null")
BELOW(below_setarch, "setarch", "-R")
BELOW(below_setsid, "setsid", "-w")
BELOW(below_taskset, "taskset", "-c", "0")
BELOW(below_chrt, "chrt", "-f", "1", "taskset", "-c", "0")
BELOW(below_unshare, "unshare", "--pid", "--fork", "--mount-proc")

static void be_silent(void)
{
	const int nothing = open("/dev/null", O_RDWR);

	dup2(nothing, STDOUT_FILENO);
	dup2(nothing, STDERR_FILENO);
	close(nothing);
}

static void below_gdb(void)
{
	static const char *const words[] = {"gdb", "-q",  "-batch", "-return-child-result",
					    "-ex", "run", "--args", NULL};

	be_silent();
	run_below(words);
}

static void below_perf(void)
{
	static const char *const words[] = {"perf", "record", "-q", "-o", "/dev/null", NULL};

	be_silent();
	run_below(words);
}

/* Every function is bound before main(). */
static void bound_now(void)
{
	setenv("LD_BIND_NOW", "1", 1);
	run_below((const char *const[]){"env", NULL});
}

const struct scenario wrapper_scenarios[] = {
	{"below-valgrind", below_valgrind},
	{"below-strace", below_strace},
	{"below-setarch", below_setarch},
	{"below-setsid", below_setsid},
	{"below-taskset", below_taskset},
	{"below-chrt", below_chrt},
	{"below-unshare", below_unshare},
	{"below-gdb", below_gdb},
	{"below-perf", below_perf},
	{"bound-now", bound_now},
	{NULL, NULL},
};

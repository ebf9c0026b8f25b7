/*
 * The traced program of ends_test.c: `ends_app SCENARIO`. Each makes ten calls and ends in its own
 * way, before the writer has read it.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_cuda.h"
#include "scenario.h"

enum { CALLS = 10 };

static char *const hello[] = {"echo", "hello", "you", NULL};
static char *const hello_sized[] = {"sh", "-c", "echo hello $WHOM", NULL};
static char *const whom[] = {"WHOM=you", "PATH=/bin", NULL};

static void make_calls(void)
{
	for (int i = 0; i < CALLS; i++)
		cudaStreamQuery(NULL);
}

static void end_direct(void)
{
	_exit(3);
}

static void end_direct_iso(void)
{
	_Exit(3);
}

static void end_abort(void)
{
	abort();
}

static void end_execv(void)
{
	execv("/bin/echo", hello);
}

static void end_execve(void)
{
	execve("/bin/sh", hello_sized, whom);
}

static void end_execvp(void)
{
	execvp("echo", hello);
}

static void end_execvpe(void)
{
	execvpe("sh", hello_sized, whom);
}

static void end_fexecve(void)
{
	fexecve(open("/bin/sh", O_RDONLY | O_CLOEXEC), hello_sized, whom);
}

static void end_execveat(void)
{
	execveat(open("/bin", O_PATH | O_DIRECTORY | O_CLOEXEC), "sh", hello_sized, whom, 0);
}

static void end_execveat_of_a_file(void)
{
	execveat(open("/bin/sh", O_RDONLY | O_CLOEXEC), "", hello_sized, whom, AT_EMPTY_PATH);
}

static void end_execl(void)
{
	execl("/bin/echo", "echo", "hello", "you", (char *)NULL);
}

static void end_execlp(void)
{
	execlp("echo", "echo", "hello", "you", (char *)NULL);
}

static void end_execle(void)
{
	execle("/bin/sh", "sh", "-c", "echo hello $WHOM", (char *)NULL, whom);
}

/* Becomes itself so many times; each makes its calls first. */
static void end_in_a_chain(void)
{
	const int left = atoi(getenv("EXECS"));
	char text[16];

	if (!left)
		exit(3);
	snprintf(text, sizeof(text), "%d", left - 1);
	setenv("EXECS", text, 1);
	execl("/proc/self/exe", "ends_app", "chain", (char *)NULL);
}

static atomic_bool is_over;

static void *fail_to_exec(void *unused)
{
	while (!is_over)
		execl("/no/such/program", "program", (char *)NULL);
	return NULL;
}

/* Threads whose execs fail, while another one calls. */
static void end_beside_failing_execs(void)
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, fail_to_exec, NULL);
	for (int i = 0; i < 100; i++) {
		make_calls();
		usleep(1000);
	}
	is_over = true;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	make_calls();
	exit(3);
}

/* What comes after an exec that failed is recorded, too, and the end is that of the program. */
static void end_exec_fails(void)
{
	errno = 0;
	printf("exec %d", execl("/no/such/program", "program", (char *)NULL));
	printf(" errno %d\n", errno);
	make_calls();
	scenario_wait_to_be_killed();
}

/* The child has the parent's memory, and must leave it alone. */
static void end_vfork(void)
{
	pid_t child = vfork();

	if (!child) {
		execv("/bin/echo", hello);
		_exit(4);
	}
	waitpid(child, NULL, 0);
	child = vfork();
	if (!child)
		_exit(4);
	waitpid(child, NULL, 0);
	make_calls();
	_exit(3);
}

static void end_forked_child(void)
{
	const pid_t child = fork();

	if (!child)
		_exit(4);
	waitpid(child, NULL, 0);
	make_calls();
	_exit(3);
}

static void end_beside_a_held_writer(void (*end)(void))
{
	scenario_hold_writer();
	end();
}

static void end_direct_with_held_writer(void)
{
	end_beside_a_held_writer(end_direct);
}

static void end_abort_with_held_writer(void)
{
	end_beside_a_held_writer(end_abort);
}

static void end_exec_with_held_writer(void)
{
	end_beside_a_held_writer(end_execl);
}

static void on_signal(int number)
{
	_exit(3);
}

/* As crash handlers do, and twice at once: the handler of an exit that waits. */
static void end_in_a_handler(void)
{
	signal(SIGSEGV, on_signal);
	raise(SIGSEGV);
}

/* The exit handler of the program comes after ours. */
static void leave_now(void)
{
	_exit(3);
}

static void end_in_an_exit_handler(void)
{
	exit(0);
}

static __typeof__(&cupti_fake_hold_flushes) hold_flushes;

static void wait_for_flush(unsigned int number)
{
	while (hold_flushes(number) <= number)
		usleep(1000);
}

/* While the program waits in its exit the flush before the last ends; in the last one it is killed. */
static void *let_one_flush_go(void *unused)
{
	while (!scenario_main_sleeps())
		usleep(1000);
	wait_for_flush(1);
	kill(getpid(), SIGKILL);
	return NULL;
}

static void find_hold_flushes(void)
{
	void *cupti = dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD);

	*(void **)&hold_flushes = dlsym(cupti, "cupti_fake_hold_flushes");
}

static void end_beside_a_flush(void)
{
	pthread_t thread;

	find_hold_flushes();
	wait_for_flush(0);
	pthread_create(&thread, NULL, let_one_flush_go, NULL);
	exit(3);
}

/* The exit has stopped waiting for the flush, and what comes now is what tears CUDA down. */
static void let_the_flush_go(void)
{
	hold_flushes(2 * CALLS);
	while (scenario_find_writer())
		usleep(1000);
	printf("%u flushes\n", hold_flushes(2 * CALLS));
}

static void end_beside_a_held_flush(void)
{
	find_hold_flushes();
	wait_for_flush(0);
	exit(3);
}

enum { TOGETHER_CALLS = 200, THREADS_MOST = 64 };

static void leave(void)
{
	exit(3);
}

static void leave_quickly(void)
{
	quick_exit(3);
}

/* Threads that have made their calls, and then end the program at once, each in one of these ways. */
static struct {
	pthread_barrier_t barrier;
	void (*const *ways)(void);
	int way_count, threads;
} together;

static void *end_with_others(void *number)
{
	void (*const way)(void) = together.ways[(intptr_t)number % together.way_count];

	for (int i = 0; i < TOGETHER_CALLS; i++)
		cudaStreamQuery(NULL);
	pthread_barrier_wait(&together.barrier);
	way();
	return NULL;
}

/* The main thread is one of those that wait. */
static void start_together(void (*const *ways)(void), int way_count)
{
	pthread_t thread;

	together.ways = ways;
	together.way_count = way_count;
	together.threads = atoi(getenv("THREADS"));
	pthread_barrier_init(&together.barrier, NULL, (unsigned int)together.threads + 1);
	for (int i = 0; i < together.threads; i++)
		pthread_create(&thread, NULL, end_with_others, (void *)(intptr_t)i);
	pthread_barrier_wait(&together.barrier);
}

#define END_TOGETHER(name, ...)                                                                    \
	static void name(void)                                                                     \
	{                                                                                          \
		static void (*const ways[])(void) = {__VA_ARGS__};                                 \
                                                                                                   \
		start_together(ways, sizeof(ways) / sizeof(*ways));                                \
		for (;;)                                                                           \
			pause();                                                                   \
	}
END_TOGETHER(end_exits, leave)
END_TOGETHER(end_quick_exits, leave_quickly)
END_TOGETHER(end_direct_exits, end_direct)
END_TOGETHER(end_aborts, end_abort)
END_TOGETHER(end_ways, leave, leave_quickly, end_direct)
END_TOGETHER(end_all_ways, leave, leave_quickly, end_direct, end_abort)

/* The program's own handler, which comes before ours, calls CUDA while other threads are in exit(). */
static void call_late(void)
{
	for (int i = 0; i < 50; i++) {
		cudaStreamQuery(NULL);
		usleep(1000);
	}
}

static void end_exits_with_late_calls(void)
{
	atexit(call_late);
	end_exits();
}

/* As CUDA's, which come after ours: two threads at once are too many. */
static void tear_down(void)
{
	static atomic_int inside;

	if (atomic_fetch_add(&inside, 1))
		_exit(9);
	usleep(50000);
	atomic_fetch_sub(&inside, 1);
}

/* main() returns. */
static void end_main_beside_exits(void)
{
	static void (*const ways[])(void) = {leave};

	start_together(ways, 1);
}

static void leave_again(void)
{
	exit(3);
}

/* From the handler of a signal, in a thread that waits for the one whose exit it is. */
static void on_signal_leave(int number)
{
	exit(3);
}

static void raise_and_leave(void)
{
	raise(SIGUSR1);
}

static void end_exits_in_signal_handlers(void)
{
	static void (*const ways[])(void) = {raise_and_leave, leave};

	signal(SIGUSR1, on_signal_leave);
	atexit(leave_again);
	start_together(ways, 2);
	for (;;)
		pause();
}

/* A child of a process that is in exit() has an exit of its own, at once. */
static void fork_child_that_exits(void)
{
	int status;
	const pid_t child = fork();

	if (!child)
		exit(5);
	if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 5)
		_exit(9);
}

static void *fork_and_leave(void *unused)
{
	exit(3);
}

static void end_fork_in_exit(void)
{
	pthread_t thread;

	atexit(fork_child_that_exits);
	pthread_create(&thread, NULL, fork_and_leave, NULL);
	for (;;)
		pause();
}

/* It leaves what the parent's writer has, and has a writer of its own. */
static void end_beside_a_child_that_calls(void)
{
	int status;
	pid_t child;

	scenario_flush();
	child = fork();
	if (!child) {
		make_calls();
		exit(5);
	}
	if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 5)
		_exit(9);
	exit(3);
}

static const struct scenario scenarios[] = {
	{"_exit", end_direct},
	{"_Exit", end_direct_iso},
	{"abort", end_abort},
	{"execv", end_execv},
	{"execve", end_execve},
	{"execvp", end_execvp},
	{"execvpe", end_execvpe},
	{"fexecve", end_fexecve},
	{"execveat", end_execveat},
	{"execveat-file", end_execveat_of_a_file},
	{"execl", end_execl},
	{"execlp", end_execlp},
	{"execle", end_execle},
	{"exec-fails", end_exec_fails},
	{"chain", end_in_a_chain},
	{"beside-failing-execs", end_beside_failing_execs},
	{"vfork", end_vfork},
	{"forked-child", end_forked_child},
	{"_exit-under-a-lock", end_direct_with_held_writer},
	{"abort-under-a-lock", end_abort_with_held_writer},
	{"exec-under-a-lock", end_exec_with_held_writer},
	{"beside-a-flush", end_beside_a_flush},
	{"beside-a-held-flush", end_beside_a_held_flush},
	{"in-a-handler", end_in_a_handler},
	{"in-an-exit-handler", end_in_an_exit_handler},
	{"exit", leave},
	{"child-that-calls", end_beside_a_child_that_calls},
	{"exits", end_exits},
	{"quick_exits", end_quick_exits},
	{"_exits", end_direct_exits},
	{"aborts", end_aborts},
	{"ways", end_ways},
	{"all-ways", end_all_ways},
	{"main-beside-exits", end_main_beside_exits},
	{"exits-with-late-calls", end_exits_with_late_calls},
	{"exits-in-signal-handlers", end_exits_in_signal_handlers},
	{"fork-in-exit", end_fork_in_exit},
	{NULL, NULL},
};

int main(int argc, char **argv)
{
	const struct scenario *scenario = scenario_find(scenarios, argc, argv);

	if (scenario->run == end_in_an_exit_handler)
		atexit(leave_now);
	if (getenv("TEAR_DOWN"))
		for (int i = 0; i < 3; i++)
			atexit(tear_down);
	if (scenario->run == end_beside_a_held_flush)
		atexit(let_the_flush_go);
	make_calls();
	scenario->run();
	return scenario->run == end_main_beside_exits ? 3 : 1;
}

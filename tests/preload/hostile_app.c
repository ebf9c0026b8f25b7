/*
 * The traced program of hostile_test.c: `hostile_app SCENARIO`. Each scenario does what programs do
 * and a tracer must bear.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_cuda.h"
#include "scenario.h"

enum { CALLS = 10, MANY_CALLS = 100000, FILES = 8, OPEN_US = 300000 };

/* Not a tail call: the caller is to stay on the stack. */
static __attribute__((noinline)) void make_calls(int count)
{
	for (int i = 0; i < count; i++)
		cudaStreamQuery(NULL);
	__asm__ volatile("");
}

static void *thread_main(void *count)
{
	make_calls(*(const int *)count);
	return NULL;
}

static void run_thread(int count)
{
	pthread_t thread;

	pthread_create(&thread, NULL, thread_main, &count);
	pthread_join(thread, NULL);
}

static void print_child(pid_t child)
{
	int status;

	waitpid(child, &status, 0);
	printf("child %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
	fflush(stdout);
}

/* The thread that ends last ends the process. */
static void scenario_main_ends_first(void)
{
	static const int count = CALLS;
	pthread_t thread;

	make_calls(CALLS);
	pthread_create(&thread, NULL, thread_main, (void *)&count);
	pthread_exit(NULL);
}

static void scenario_quick_exit(void)
{
	make_calls(CALLS);
	quick_exit(3);
}

/* No pthread_atfork() handler runs. */
static void scenario_raw_fork(void)
{
	pid_t child;

	make_calls(CALLS);
	child = (pid_t)syscall(SYS_fork);
	if (!child)
		exit(3);
	print_child(child);
}

/* The child has CUDA and the output's name to itself, but not the file. */
static void scenario_same_output(void)
{
	int go[2];
	char byte = 0;
	pid_t child;

	if (pipe(go))
		exit(2);
	child = fork();
	if (!child) {
		if (read(go[0], &byte, 1) == 1)
			make_calls(1);
		exit(3);
	}
	make_calls(CALLS);
	scenario_flush();
	if (write(go[1], &byte, 1) == 1)
		print_child(child);
}

static void scenario_small_default_stack(void)
{
	pthread_attr_t attributes;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 16384);
	pthread_setattr_default_np(&attributes);
	run_thread(CALLS);
	scenario_flush();
}

/* As a daemon does; then its own files get the numbers. */
static void scenario_close_all(void)
{
	char name[16];
	int files[FILES];
	off_t size = 0;

	make_calls(CALLS);
	scenario_flush();
	usleep(OPEN_US); /* what reads /proc has closed its descriptor */
	closefrom(3);
	for (int i = 0; i < FILES; i++) {
		snprintf(name, sizeof(name), "own%d", i);
		files[i] = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
	}
	for (int round = 0; round < 4; round++) {
		make_calls(MANY_CALLS);
		usleep(OPEN_US);
	}
	for (int i = 0; i < FILES; i++)
		size += lseek(files[i], 0, SEEK_END);
	printf("own files hold %lld bytes\n", (long long)size);
}

static void scenario_next_descriptor(void)
{
	int lowest = 1 << 20;

	make_calls(CALLS);
	scenario_flush();
	/* The writer has one for a moment where it reads /proc: one that stays is there each time. */
	for (int i = 0; i < 100; i++) {
		int descriptor = open("/dev/null", O_RDONLY);

		lowest = descriptor < lowest ? descriptor : lowest;
		close(descriptor);
		usleep(1000);
	}
	printf("descriptor %d\n", lowest);
}

/* As setproctitle() does: the environment moves, its old place is the title's. */
static void scenario_title(void)
{
	extern char **environ;
	char *first = environ[0], *last = first;
	char **copy;
	int count = 0;

	for (; environ[count]; count++)
		if (environ[count] > last && environ[count] < first + (1 << 20))
			last = environ[count];
	last += strlen(last);
	copy = calloc((size_t)count + 1, sizeof(*copy));
	for (int i = 0; i < count; i++)
		copy[i] = strdup(environ[i]);
	environ = copy;
	memset(first, 'Z', (size_t)(last - first));
	make_calls(CALLS);
}

static void scenario_change_folder(void)
{
	make_calls(1);
	if (chdir("/"))
		exit(2);
	make_calls(CALLS - 1);
}

/* As on a full disk: from some point on nothing more can be written. */
static void scenario_full(void)
{
	const struct rlimit limit = {1 << 19, 1 << 19};

	setrlimit(RLIMIT_FSIZE, &limit);
	make_calls(CALLS);
	for (int i = 0; i < 4; i++) {
		usleep(OPEN_US);
		make_calls(MANY_CALLS);
	}
	printf("made %d\n", CALLS + 4 * MANY_CALLS);
}

static void scenario_exit_beside_a_held_writer(void)
{
	make_calls(1);
	scenario_hold_writer();
	make_calls(1);
	exit(9);
}

static void CUPTIAPI on_callback(void *user, CUpti_CallbackDomain domain, CUpti_CallbackId cbid,
				 const void *data)
{
}

/* Someone else wants CUPTI, which the tracer gives back when its writer has found no file: that it never
 * does is a hang. */
static void scenario_subscribe(void)
{
	CUpti_SubscriberHandle subscriber;

	make_calls(CALLS);
	while (cuptiSubscribe(&subscriber, on_callback, NULL))
		usleep(1000);
	puts("subscribed");
}

static void scenario_calls(void)
{
	make_calls(CALLS);
}

static const struct scenario scenarios[] = {
	{"main-ends-first", scenario_main_ends_first},
	{"quick-exit", scenario_quick_exit},
	{"raw-fork", scenario_raw_fork},
	{"same-output", scenario_same_output},
	{"small-default-stack", scenario_small_default_stack},
	{"close-all", scenario_close_all},
	{"next-descriptor", scenario_next_descriptor},
	{"title", scenario_title},
	{"change-folder", scenario_change_folder},
	{"full", scenario_full},
	{"exit-beside-a-held-writer", scenario_exit_beside_a_held_writer},
	{"subscribe", scenario_subscribe},
	{"calls", scenario_calls},
	{NULL, NULL},
};

int main(int argc, char **argv)
{
	scenario_find(scenarios, argc, argv)->run();
	return 0;
}

/*
 * The traced program of clock_reads_test.c: it reads clocks behind some of its calls. Each call is a launch
 * that takes some milliseconds, for its kernel runs inside of it.
 */
#include <pthread.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "fake_cuda.h"
#include "scenario.h"

static void slow_kernel(void **args)
{
	usleep(3000);
}

static void launch(void)
{
	uint64_t duration_ns = 1000;
	void *args[] = {&duration_ns};
	const dim3 one = {1, 1, 1};

	__cudaLaunchKernel((cudaKernel_t)slow_kernel, one, one, args, 0, NULL);
}

static void read_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
}

/* Only the first reading behind a call counts. */
static void scenario_reads(void)
{
	struct timeval now;

	read_clock();
	launch();
	read_clock();
	read_clock();
	launch();
	launch();
	gettimeofday(&now, NULL);
}

static void *read_and_launch(void *unused)
{
	read_clock();
	launch();
	return NULL;
}

/* What another thread reads is not this one's. */
static void scenario_threads(void)
{
	pthread_t thread;

	launch();
	pthread_create(&thread, NULL, read_and_launch, NULL);
	pthread_join(thread, NULL);
}

static const struct scenario scenarios[] = {
	{"reads", scenario_reads},
	{"threads", scenario_threads},
	{NULL, NULL},
};

int main(int argc, char **argv)
{
	scenario_find(scenarios, argc, argv)->run();
	return 0;
}

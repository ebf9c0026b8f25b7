#include "base/progress.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	pthread_t thread; /* prints, while is_running */
	bool is_running, is_over;
	const char *what;
	struct timespec start;
	int shown; /* number of characters in the line */
} progress = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The caller must hold the lock. */
static void erase_line(void)
{
	if (progress.shown)
		fprintf(stderr, "\r%*s\r", progress.shown, "");
	progress.shown = 0;
}

/* The caller must hold the lock. */
static void show_line(long seconds)
{
	progress.shown = fprintf(stderr, "\rstreamtrace: %s, %ld s", progress.what, seconds) - 1;
}

/* Waits for the step's next full second, with the lock held. False: the step has ended. */
static bool wait_second(const struct timespec *start, long seconds)
{
	const struct timespec until = {start->tv_sec + seconds, start->tv_nsec};
	int status = 0;

	while (!status && !progress.is_over &&
	       !memcmp(start, &progress.start, sizeof(progress.start)))
		status = pthread_cond_timedwait(&progress.changed, &progress.lock, &until);
	return !progress.is_over && !memcmp(start, &progress.start, sizeof(progress.start));
}

static void *print_steps(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&progress.lock);
	while (!progress.is_over) {
		const struct timespec start = progress.start;

		for (long seconds = 1; wait_second(&start, seconds); seconds++)
			show_line(seconds);
	}
	pthread_mutex_unlock(&progress.lock);
	return NULL;
}

/* Waits by the monotonic clock, which nobody sets. */
static bool start_thread(void)
{
	pthread_condattr_t attributes;

	if (pthread_condattr_init(&attributes))
		return false;
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	if (pthread_cond_init(&progress.changed, &attributes))
		return false;
	pthread_condattr_destroy(&attributes);
	progress.is_over = false;
	return !pthread_create(&progress.thread, NULL, print_steps, NULL);
}

void progress_step(const char *what)
{
	if (!isatty(STDERR_FILENO))
		return;
	pthread_mutex_lock(&progress.lock);
	erase_line();
	progress.what = what;
	clock_gettime(CLOCK_MONOTONIC, &progress.start);
	if (progress.is_running)
		pthread_cond_signal(&progress.changed);
	else
		progress.is_running = start_thread();
	pthread_mutex_unlock(&progress.lock);
}

void progress_end(void)
{
	if (!progress.is_running)
		return;
	pthread_mutex_lock(&progress.lock);
	progress.is_over = true;
	pthread_cond_signal(&progress.changed);
	pthread_mutex_unlock(&progress.lock);
	pthread_join(progress.thread, NULL);
	pthread_cond_destroy(&progress.changed);
	progress.is_running = false;
	erase_line();
}

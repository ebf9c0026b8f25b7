/* Samples of a thread that runs, where the kernel gives any. */
#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "cmocka_test.h"
#include "base/losses.h"
#include "base/own_memory.h"
#include "host/thread_samples.h"
#include "stack/modules.h"

enum { FRAMES = 64, WANTED = 20, TRIES = 20000 };

void losses_count(enum loss loss, uint64_t count)
{
	fail_msg("%d", (int)loss);
}

static _Atomic uint32_t busy_id;
static _Atomic bool is_stopping;
static pthread_t thread;

static __attribute__((noinline)) unsigned spin(unsigned count)
{
	volatile unsigned sum = 0;

	for (unsigned i = 0; i < count; i++)
		sum += i * sum;
	return sum;
}

static __attribute__((noinline)) unsigned spin_on(void)
{
	unsigned sum = 0;

	while (!is_stopping)
		sum += spin(1000);
	return sum;
}

static void *be_busy(void *unused)
{
	busy_id = (uint32_t)syscall(SYS_gettid);
	return spin_on() ? NULL : &thread;
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static int count_descriptors(void)
{
	DIR *folder = opendir("/proc/self/fd");
	int count = 0;

	assert_non_null(folder);
	while (readdir(folder))
		count++;
	closedir(folder);
	return count;
}

static bool wait_for_sample(struct thread_samples *samples, struct thread_sample *sample)
{
	for (int i = 0; i < TRIES; i++) {
		if (thread_samples_take(samples, sample))
			return true;
		usleep(100);
	}
	return false;
}

static int start_thread(void **state)
{
	is_stopping = false;
	busy_id = 0;
	if (pthread_create(&thread, NULL, be_busy, NULL))
		return -1;
	while (!busy_id)
		usleep(100);
	return 0;
}

static int end_thread(void **state)
{
	is_stopping = true;
	return pthread_join(thread, NULL);
}

static bool has_frame_in(unsigned (*function)(void), const uint64_t *words, int count)
{
	for (int i = 0; i < count; i++)
		if (MODULE_ADDRESS(words[i]) - (uint64_t)function < 100)
			return true;
	return false;
}

static void skip_where_forbidden(void)
{
	if (!thread_samples_refusal())
		return;
	print_message("%s\n", thread_samples_refusal());
	skip();
}

TEST_WITH(samples_show_the_function_that_runs, start_thread, end_thread)
{
	struct thread_samples samples = {0};
	struct thread_sample sample;
	uint64_t words[FRAMES];
	int descriptors;

	assert_true(own_memory_is_readable()); /* it has a descriptor, too */
	descriptors = count_descriptors();
	if (!thread_samples_ask(&samples, busy_id))
		skip_where_forbidden();
	for (int i = 0; i < WANTED; i++) {
		const int64_t asked_ns = now_ns();

		assert_true(thread_samples_ask(&samples, busy_id));
		assert_true(thread_samples_ask(&samples, busy_id));
		assert_true(wait_for_sample(&samples, &sample));
		assert_true(i == 0 || sample.time_ns >= asked_ns);
		assert_true(sample.time_ns <= now_ns());
		assert_true(
			has_frame_in(spin_on, words, unwind_words(&sample.start, words, FRAMES)));
		/* One for each that was asked for. */
		usleep(1000);
		assert_false(thread_samples_take(&samples, &sample));
	}
	assert_int_equal(count_descriptors(), descriptors + 1);
	thread_samples_end(&samples);
	assert_int_equal(count_descriptors(), descriptors);
}

TEST(a_thread_that_has_ended_is_no_refusal)
{
	struct thread_samples samples = {0};

	assert_int_equal(start_thread(NULL), 0);
	assert_int_equal(end_thread(NULL), 0);
	/* The kernel forgets the thread a little later. */
	for (int i = 0; i < 1000 && thread_samples_ask(&samples, busy_id); i++) {
		thread_samples_end(&samples);
		usleep(1000);
	}
	skip_where_forbidden();
	assert_false(thread_samples_ask(&samples, busy_id));
	assert_null(thread_samples_refusal());
}

RUN_TESTS(NULL, NULL)

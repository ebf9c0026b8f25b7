/* A fork waits for the work of our threads that its child could not go on from, but not for ever. */
#include "base/fork_guard.h"

#include "cmocka_test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* AddressSanitizer's, whose heap is the reason for the guard's part about heaps. */
void __lsan_disable(void);
void __lsan_disable(void)
{
}

enum { PAUSES_MOST = 1000 }; /* 0.1 s, of 0.1 ms */

static atomic_bool is_inside, may_leave;
static atomic_int done;

/* The guard's pauses of this thread, in place of a clock, which says little on a busy machine. */
static __thread int pauses;
static __thread atomic_int *shown_pauses; /* NULL, or where other threads see them */
static int leave_at;			  /* the pause in which the worker leaves; 0: none */

/* libc's, by which the guard sleeps. */
long syscall(long number, ...)
{
	assert_int_equal(number, SYS_nanosleep);
	pauses++;
	if (shown_pauses)
		*shown_pauses = pauses;
	if (pauses != leave_at)
		return usleep(100);
	may_leave = true;
	while (!done)
		usleep(1000);
	return 0;
}

/* How often a fork pauses now. */
static int pauses_of_fork(void)
{
	pauses = 0;
	fork_guard_before();
	return pauses;
}

/* Work in two nested parts. */
static void *work(void *unused)
{
	fork_guard_enter_heap();
	fork_guard_enter();
	fork_guard_leave();
	is_inside = true;
	while (!may_leave)
		usleep(1000);
	fork_guard_leave_heap();
	done = 1;
	return NULL;
}

static pthread_t begin_work(void)
{
	pthread_t thread;

	is_inside = may_leave = false;
	done = 0;
	assert_int_equal(pthread_create(&thread, NULL, work, NULL), 0);
	while (!is_inside)
		usleep(1000);
	return thread;
}

TEST(test_a_fork_waits_for_work)
{
	pthread_t worker = begin_work();

	leave_at = 7;
	assert_in_range(pauses_of_fork(), leave_at, PAUSES_MOST - 1);
	assert_int_equal(done, 1);
	leave_at = 0;
	fork_guard_after_in_parent();
	pthread_join(worker, NULL);
}

TEST(test_it_waits_for_a_tenth_of_a_second)
{
	pthread_t worker = begin_work();

	assert_int_equal(pauses_of_fork(), PAUSES_MOST);
	assert_int_equal(done, 0);
	fork_guard_after_in_parent();
	may_leave = true;
	pthread_join(worker, NULL);
}

static void *load(void *unused)
{
	fork_guard_enter_loader();
	is_inside = true;
	while (!may_leave)
		usleep(1000);
	fork_guard_leave_loader();
	done = 1;
	return NULL;
}

/* A locked loader would stay so in the child. */
TEST(test_it_waits_longer_for_the_loader)
{
	pthread_t worker;

	is_inside = may_leave = false;
	done = 0;
	assert_int_equal(pthread_create(&worker, NULL, load, NULL), 0);
	while (!is_inside)
		usleep(1000);
	leave_at = 3 * PAUSES_MOST;
	assert_in_range(pauses_of_fork(), leave_at, 20 * PAUSES_MOST - 1);
	leave_at = 0;
	fork_guard_after_in_parent();
	pthread_join(worker, NULL);
}

/* In the child the guard is free, though a thread that is not there was inside. */
TEST(test_the_guard_is_free_in_the_child)
{
	pthread_t worker = begin_work();
	pid_t child;
	int status;

	fork_guard_before();
	child = fork();
	if (!child) {
		fork_guard_after_in_child();
		_exit(pauses_of_fork());
	}
	fork_guard_after_in_parent();
	may_leave = true;
	pthread_join(worker, NULL);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static atomic_int pauses_of_enter;

static void *enter(void *unused)
{
	shown_pauses = &pauses_of_enter;
	fork_guard_enter();
	fork_guard_leave();
	return NULL;
}

static void *begin_as_counted(void *unused)
{
	fork_guard_begin_thread();
	is_inside = true;
	while (!may_leave)
		usleep(1000);
	fork_guard_leave_heap();
	return NULL;
}

/* And work that would begin waits for the fork. */
TEST(test_work_waits_for_a_fork)
{
	pthread_t worker;

	pauses_of_enter = 0;
	fork_guard_before();
	assert_int_equal(pthread_create(&worker, NULL, enter, NULL), 0);
	while (pauses_of_enter < 3)
		usleep(100);
	fork_guard_after_in_parent();
	pthread_join(worker, NULL);
	assert_int_equal(pauses_of_fork(), 0);
	fork_guard_after_in_parent();
}

/* For a tenth of a second: the fork may never end. */
TEST(test_work_does_not_wait_for_ever)
{
	pthread_t worker;

	pauses_of_enter = 0;
	fork_guard_before();
	assert_int_equal(pthread_create(&worker, NULL, enter, NULL), 0);
	pthread_join(worker, NULL);
	assert_int_equal(pauses_of_enter, PAUSES_MOST);
	fork_guard_after_in_parent();
}

/* A thread counts from before it is made until it leaves; one that could not be made, no more. */
TEST(test_a_thread_counts_from_its_creation)
{
	pthread_t worker;

	is_inside = may_leave = false;
	fork_guard_enter_heap_of_thread();
	assert_int_equal(pauses_of_fork(), PAUSES_MOST);
	fork_guard_after_in_parent();
	assert_int_equal(pthread_create(&worker, NULL, begin_as_counted, NULL), 0);
	may_leave = true;
	pthread_join(worker, NULL);
	fork_guard_enter_heap_of_thread();
	fork_guard_no_thread();
	assert_int_equal(pauses_of_fork(), 0);
	fork_guard_after_in_parent();
}

RUN_TESTS(NULL, NULL)

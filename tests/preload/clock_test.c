/* The clock that calls are stamped with, against CLOCK_REALTIME: whether the processor's counter is
 * used depends on the machine, what it says does not. */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include "cmocka_test.h"
#include "base/clock.h"

enum { READINGS = 300000, ERROR_NS = 1000, THREADS = 4 };

/* Of the handler that interrupts a reading, and how far off that may then be. */
enum { STEP_NS = 900000, STEP_ERROR_NS = 5000 };

/* The machine's clock may be slewed or set while the test runs: few readings can be off then. */
static int count_wrong(void)
{
	int wrong = 0;

	for (int i = 0; i < READINGS; i++) {
		int64_t before_ns = clock_ns(CLOCK_REALTIME), now_ns = clock_now_ns();

		wrong += now_ns < before_ns - ERROR_NS ||
			 now_ns > clock_ns(CLOCK_REALTIME) + ERROR_NS;
	}
	return wrong;
}

static void *count_in_thread(void *wrong)
{
	*(int *)wrong = count_wrong();
	return NULL;
}

static void count_in_threads(void)
{
	pthread_t threads[THREADS];
	int wrong[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, count_in_thread, &wrong[i]);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		assert_in_range(wrong[i], 0, READINGS / 100);
	}
}

TEST(test_it_is_right_before_it_is_calibrated)
{
	count_in_threads();
}

TEST(test_it_is_right_once_calibrated)
{
	for (int i = 0; i < 5; i++) {
		clock_calibrate();
		usleep(20000);
		assert_in_range(count_wrong(), 0, READINGS / 100);
	}
	count_in_threads();
}

/* A thread's own readings do not go back by more than the clock itself and a reading take. */
TEST(test_it_goes_on)
{
	int64_t last_ns = clock_now_ns();
	int backwards = 0;

	for (int i = 0; i < READINGS; i++) {
		int64_t now_ns = clock_now_ns();

		backwards += now_ns < last_ns - ERROR_NS;
		last_ns = now_ns;
	}
	assert_in_range(backwards, 0, READINGS / 1000);
}

static _Atomic int wrong_in_handler, handled;

static void on_alarm(int number)
{
	for (int i = 0; i < 10; i++) {
		int64_t before_ns = clock_ns(CLOCK_REALTIME), now_ns = clock_now_ns();

		wrong_in_handler += now_ns < before_ns - ERROR_NS ||
				    now_ns > clock_ns(CLOCK_REALTIME) + ERROR_NS;
	}
	handled++;
}

TEST(test_it_is_right_in_a_signal_handler)
{
	const struct itimerval often = {.it_interval = {.tv_usec = 100},
					.it_value = {.tv_usec = 100}};
	const struct itimerval never = {0};
	int wrong = 0;

	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &often, NULL);
	while (handled < 1000)
		wrong += count_wrong() > READINGS / 100;
	setitimer(ITIMER_REAL, &never, NULL);
	assert_int_equal(wrong, 0);
	assert_in_range(wrong_in_handler, 0, 100);
}

#if defined(__x86_64__)
#define TRAP_FLAG 0x100
#define STEPS	  400 /* instructions of a reading */

static volatile int steps_left;

/* Long enough that the handler's reading is one of the clock itself. */
static void on_step(int number, siginfo_t *info, void *context)
{
	const int64_t begin_ns = clock_ns(CLOCK_MONOTONIC);

	if (steps_left-- > 0)
		return;
	((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
	while (clock_ns(CLOCK_MONOTONIC) - begin_ns < STEP_NS)
		;
	clock_now_ns();
}

/* Whether a reading, interrupted after so many instructions, and the one after it are right. */
static bool is_right_interrupted(int steps, bool is_anchored)
{
	int64_t before_ns, first_ns, between_ns, second_ns, after_ns;

	usleep(is_anchored ? 0 : 2 * STEP_NS / 1000);
	if (is_anchored)
		clock_now_ns();
	steps_left = steps;
	before_ns = clock_ns(CLOCK_REALTIME);
	__asm__ volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\torl %0, (%%rsp)\n\tpopfq\n\t"
			 "lea 128(%%rsp), %%rsp"
			 :
			 : "i"(TRAP_FLAG)
			 : "memory", "cc");
	first_ns = clock_now_ns();
	between_ns = clock_ns(CLOCK_REALTIME);
	second_ns = clock_now_ns();
	after_ns = clock_ns(CLOCK_REALTIME);
	return first_ns > before_ns - STEP_ERROR_NS && first_ns < between_ns + STEP_ERROR_NS &&
	       second_ns > between_ns - STEP_ERROR_NS && second_ns < after_ns + STEP_ERROR_NS;
}

TEST(test_it_is_right_wherever_it_is_interrupted)
{
#ifdef __SANITIZE_THREAD__
	skip(); /* an instruction of its runtime may hold a lock that the handler wants, too */
#endif
	const struct sigaction action = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO};
	int wrong = 0;

	sigaction(SIGTRAP, &action, NULL);
	for (int steps = 0; steps < STEPS; steps++)
		wrong += !is_right_interrupted(steps, false) + !is_right_interrupted(steps, true);
	print_message("%d wrong\n", wrong);
	assert_in_range(wrong, 0, STEPS / 100);
	signal(SIGTRAP, SIG_DFL);
}
#else
TEST(test_it_is_right_wherever_it_is_interrupted)
{
	skip();
}
#endif

RUN_TESTS(NULL, NULL)

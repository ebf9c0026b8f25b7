/* The clock that calls are stamped with, against CLOCK_REALTIME: whether the processor's counter is
 * used depends on the machine, what it says does not. */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/time.h>
#include <unistd.h>

#include "cmocka_test.h"
#include "base/clock.h"

enum { READINGS = 300000, ERROR_NS = 1000, THREADS = 4 };

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

static void test_it_is_right_before_it_is_calibrated(void **state)
{
	count_in_threads();
}

static void test_it_is_right_once_calibrated(void **state)
{
	for (int i = 0; i < 5; i++) {
		clock_calibrate();
		usleep(20000);
		assert_in_range(count_wrong(), 0, READINGS / 100);
	}
	count_in_threads();
}

/* A thread's own readings do not go back by more than the clock itself and a reading take. */
static void test_it_goes_on(void **state)
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

static void test_it_is_right_in_a_signal_handler(void **state)
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

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_it_is_right_before_it_is_calibrated),
		cmocka_unit_test(test_it_is_right_once_calibrated),
		cmocka_unit_test(test_it_goes_on),
		cmocka_unit_test(test_it_is_right_in_a_signal_handler),
	};

	if (argc > 1)
		cmocka_set_test_filter(argv[1]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

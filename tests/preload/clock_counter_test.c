/* When the processor's counter stands for the clock: where libc reads the clock in less than a system
 * call takes. The clock is the test's own, made of the counter: it takes as long as the test says. */
#include <stdbool.h>
#include <unistd.h>

#include "cmocka_test.h"
#include "base/clock.h"

#if defined(__x86_64__)
#include <x86intrin.h>

enum { READINGS = 10000, PAUSE_US = 20000, SECOND_NS = 1000000000 };
enum { TICKS_OF_NS = 2, QUICK_NS = 0, SYSTEM_CALL_NS = 60 };
enum { FIRST_NS = 100000, LAST_NS = 800000 }; /* between two readings, first and later */
enum { TIME_NS = 100000000 };

static int reading_ns, readings;
static uint64_t set_ns; /* by which the clock was set forward */

static int read_slowly(struct timespec *now, int takes_ns)
{
	const uint64_t begin = __rdtsc();
	uint64_t ns;

	while (__rdtsc() - begin < (uint64_t)takes_ns * TICKS_OF_NS)
		;
	ns = __rdtsc() / TICKS_OF_NS + set_ns;
	now->tv_sec = (time_t)(ns / SECOND_NS);
	now->tv_nsec = (long)(ns % SECOND_NS);
	return 0;
}

int clock_read(clockid_t clock, struct timespec *now)
{
	readings++;
	return read_slowly(now, reading_ns);
}

bool clock_is_libc_s(void)
{
	return true;
}

/* Instead of libc's: clock.c makes one system call, clock_gettime(). */
long syscall(long number, ...)
{
	va_list arguments;
	struct timespec *now;

	va_start(arguments, number);
	va_arg(arguments, int);
	now = va_arg(arguments, struct timespec *);
	va_end(arguments);
	return read_slowly(now, SYSTEM_CALL_NS);
}

static void calibrate(int takes_ns)
{
	reading_ns = takes_ns;
	clock_after_fork(); /* forgets what the test before has found */
	for (int i = 0; i < 3; i++) {
		clock_calibrate();
		usleep(PAUSE_US);
	}
	readings = 0;
}

/* How many of READINGS readings were readings of the clock. */
static int read_often(int takes_ns)
{
	calibrate(takes_ns);
	for (int i = 0; i < READINGS; i++)
		clock_now_ns();
	return readings;
}

TEST(test_a_clock_that_takes_a_system_call_is_read_each_time)
{
	assert_int_equal(read_often(SYSTEM_CALL_NS), READINGS);
}

TEST(test_the_counter_stands_for_a_clock_that_takes_none)
{
	assert_in_range(read_often(QUICK_NS), 1, READINGS / 10);
}

/* The test's clock, whatever it was set to. */
static uint64_t now_ns(void)
{
	return __rdtsc() / TICKS_OF_NS;
}

static void read_for(uint64_t time_ns)
{
	const uint64_t begin_ns = now_ns();

	while (now_ns() - begin_ns < time_ns)
		clock_now_ns();
}

TEST(test_a_clock_that_agrees_with_the_counter_is_read_less_often)
{
	calibrate(QUICK_NS);
	read_for(TIME_NS);
	assert_in_range(readings, 1, TIME_NS / FIRST_NS / 2);
}

TEST(test_a_clock_that_is_set_is_noticed)
{
	uint64_t begin_ns, asked_ns, unnoticed_ns;

	calibrate(QUICK_NS);
	read_for(TIME_NS);
	asked_ns = begin_ns = now_ns();
	set_ns = SECOND_NS;
	do {
		unnoticed_ns = asked_ns;
		asked_ns = now_ns();
	} while ((uint64_t)clock_now_ns() < begin_ns + SECOND_NS && asked_ns - begin_ns < TIME_NS);
	set_ns = 0;
	assert_in_range(unnoticed_ns - begin_ns, 0, LAST_NS);
}
#else
TEST(test_there_is_no_counter)
{
	skip();
}
#endif

RUN_TESTS(NULL, NULL)

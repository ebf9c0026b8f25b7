/* Call sites that are found again by what is on the stack, against a backtrace of each call. */
#include <execinfo.h>
#include <pthread.h>
#include <stdlib.h>

#include "cmocka_test.h"
#include "base/losses.h"
#include "stack/modules.h"
#include "stack/places.h"
#include "stack/sites.h"
#include "stack/thread_stack.h"
#include "stack/walk.h"

enum { KEY = 6 /* frames of the program's that tell sites apart */, DEPTH = 9, CALLS = 20000 };
enum { UNWIND_NS = 1000000 };

void losses_count(enum loss loss, uint64_t count)
{
	fail_msg("%d", (int)loss);
}

static struct atom *last;

static void check_frames(const struct caller *caller, int count)
{
	void *addresses[KEY + 8];
	int all = backtrace(addresses, KEY + 8), first = 0;

	assert_non_null(last);
	/* The test's own frames come first, and a sanitizer's. */
	while (first < all && (uint64_t)addresses[first] != caller->return_address)
		first++;
	assert_in_range(first + count, 0, all);
	for (int i = 0; i < count; i++)
		assert_int_equal(MODULE_ADDRESS(last->words[i]), (uint64_t)addresses[first + i]);
}

/* The traced call: all frames up to the key's end are those of this very call. */
static __attribute__((noinline)) void call(void)
{
	struct caller caller = CALLER_HERE();

	last = sites_capture(&caller, 0);
	check_frames(&caller, KEY);
}

static void (*volatile target)(void) = call;

/* DEPTH frames, one of two ways at each, as the bits of `path` say; the ways have frames of one
 * size. */
static __attribute__((noinline)) int descend(unsigned path, int depth)
{
	int result = 0;

	if (!depth)
		target();
	else if (path & 1)
		result = descend(path >> 1, depth - 1) + 1;
	else
		result = descend(path >> 1, depth - 1) + 2;
	__asm__ volatile("" : "+r"(result));
	return result;
}

static void test_a_call_has_no_other_path_s_site(void **state)
{
	srand(1);
	for (int i = 0; i < CALLS; i++)
		descend((unsigned)rand(), DEPTH + rand() % 3);
}

static void test_the_same_path_is_the_same_site(void **state)
{
	enum { PATHS = 1 << (KEY - 1) };
	struct atom *sites[PATHS];

	for (unsigned i = 0; i < CALLS; i++) {
		/* They differ in the innermost frames. */
		descend(i % PATHS << (DEPTH - KEY + 1), DEPTH);
		if (i < PATHS)
			sites[i] = last;
		assert_ptr_equal(sites[i % PATHS], last);
	}
	for (int i = 0; i < PATHS; i++)
		for (int j = 0; j < i; j++)
			assert_ptr_not_equal(sites[i], sites[j]);
}

/* A frame whose size depends on its argument: what is known by then of the frames below it is
 * wrong from here on. */
static __attribute__((noinline)) int vary(unsigned path, int words)
{
	volatile char *room = __builtin_alloca((size_t)words * sizeof(uint64_t));

	room[0] = 1;
	return descend(path, 2) + room[0];
}

/* The frames below the one that varies are right all the same. */
static __attribute__((noinline)) void call_below_varying(void)
{
	struct caller caller = CALLER_HERE();

	last = sites_capture(&caller, 0);
	check_frames(&caller, 3);
}

static void test_frames_of_varying_size(void **state)
{
	target = call_below_varying;
	for (int i = 0; i < CALLS; i++)
		vary((unsigned)i, 2 + i % 50 * 2);
	target = call;
}

static void *descend_there(void *unused)
{
	thread_stack_find();
	descend(5, DEPTH);
	return last;
}

static struct atom *place_of(unsigned path)
{
	descend(path << (DEPTH - KEY + 1), DEPTH);
	return place_last;
}

static void test_what_came_after_a_site_is_foreseen(void **state)
{
	enum { OFTEN = 100 };
	struct atom *first = place_of(1), *second;

	for (int i = 0; i < OFTEN; i++) {
		second = place_of(2);
		first = place_of(1);
	}
	assert_ptr_not_equal(first, second);
	assert_ptr_equal(first->follower, second);
	assert_ptr_equal(second->follower, first);
	for (int i = 0; i < OFTEN; i++) {
		second = place_of(3);
		place_of(1);
	}
	assert_ptr_equal(first->follower, second);
}

static void test_threads_share_what_they_know(void **state)
{
	pthread_t thread;
	void *first, *second;

	for (int i = 0; i < 100; i++) {
		pthread_create(&thread, NULL, descend_there, NULL);
		pthread_join(thread, i ? &second : &first);
		assert_ptr_equal(i ? second : first, first);
	}
}

/* A stack that the thread does not know is not read. */
static __attribute__((noinline)) void call_elsewhere(void)
{
	struct caller caller = {.return_address = (uint64_t)call_elsewhere, .cfa = 64};

	last = sites_capture(&caller, 0);
	assert_int_equal(last->count, 1);
	assert_int_equal(MODULE_ADDRESS(last->words[0]), (uint64_t)call_elsewhere);
}

static void test_an_unknown_stack_is_not_read(void **state)
{
	call_elsewhere();
	call_elsewhere();
}

static int64_t duration_ns;

static __attribute__((noinline)) void call_of_duration(void)
{
	struct caller caller = CALLER_HERE();

	last = sites_capture(&caller, duration_ns);
}

/* Two paths that differ in the outermost frame alone, which no key has: so long a call is worth unwinding. */
static void test_a_slow_call_has_its_own_stack(void **state)
{
	static const struct {
		unsigned path;
		int64_t duration_ns;
	} calls[] = {{0, 0}, {1, 0}, {0, UNWIND_NS}, {1, UNWIND_NS}, {0, UNWIND_NS}};
	struct atom *sites[5];

	target = call_of_duration;
	for (int i = 0; i < 5; i++) {
		duration_ns = calls[i].duration_ns;
		descend(calls[i].path, DEPTH + 2);
		sites[i] = last;
	}
	target = call;
	assert_ptr_equal(sites[1], sites[0]);
	assert_ptr_not_equal(sites[3], sites[2]);
	assert_ptr_equal(sites[4], sites[2]);
}

static int set_up(void **state)
{
	walk_start();
	thread_stack_find();
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_call_has_no_other_path_s_site),
		cmocka_unit_test(test_the_same_path_is_the_same_site),
		cmocka_unit_test(test_what_came_after_a_site_is_foreseen),
		cmocka_unit_test(test_threads_share_what_they_know),
		cmocka_unit_test(test_frames_of_varying_size),
		cmocka_unit_test(test_a_call_has_no_other_path_s_site),
		cmocka_unit_test(test_an_unknown_stack_is_not_read),
		cmocka_unit_test(test_a_slow_call_has_its_own_stack),
	};

	if (argc > 1)
		cmocka_set_test_filter(argv[1]);
	return cmocka_run_group_tests(tests, set_up, NULL);
}

/* The table of watches alone: pages, the clock and the store are played. */
#include <signal.h>
#include <stdint.h>
#include <string.h>

#include "base/atoms.h"
#include "base/clock.h"
#include "base/losses.h"
#include "cmocka_test.h"
#include "first_use/pages.h"
#include "first_use/table.h"
#include "first_use/watch_rows.h"
#include "stack/modules.h"
#include "stack/python_frames.h"
#include "stack/sites.h"
#include "store/store.h"

enum { WATCHES = 1024, STEP = 16 * PAGE_BYTES, STREAM = 13 };

static int64_t now_ns;
static const uintptr_t stack_top = 5555;
static bool is_closed[2 * WATCHES]; /* the pages of the copy with that number */
static int opened, rows;
static bool refuses; /* to close pages */
static struct first_uses_row last_row;
static struct copy_watches_row last_watch;
static uintptr_t opened_low, opened_high;
static void (*while_opening)(void); /* a signal handler that comes just then */
static void (*while_closing)(void); /* what another thread does just then */

static uintptr_t place(size_t number)
{
	return STEP * (number + 1);
}

int64_t clock_now_ns(void)
{
	return ++now_ns;
}

bool pages_close(uintptr_t low, uintptr_t high, enum pages_access access)
{
	void (*interrupt)(void) = while_closing;

	while_closing = NULL;
	is_closed[low / STEP - 1] = !refuses;
	if (interrupt)
		interrupt();
	return !refuses;
}

uintptr_t pages_word_at(const uintptr_t *word)
{
	return *word;
}

void pages_open(uintptr_t low, uintptr_t high, enum pages_access access)
{
	void (*interrupt)(void) = while_opening;

	while_opening = NULL;
	opened++;
	opened_low = low;
	opened_high = high;
	if (interrupt)
		interrupt();
	if (low < STEP * (uintptr_t)(2 * WATCHES))
		is_closed[low / STEP - 1] = false;
}

const struct module *modules_get(uint32_t number)
{
	return NULL;
}

uint64_t sites_word(uint64_t address, unsigned behind)
{
	return address;
}

/* Of the last site. */
static uint16_t word_count, frame_count;
static uint64_t last_word;

struct atom *atom_intern_looked(const uint64_t *words, int count, int frames)
{
	word_count = (uint16_t)count;
	frame_count = (uint16_t)frames;
	last_word = words[count - 1];
	return NULL;
}

_Atomic bool python_frames_on;

int python_frames_take(uint64_t *words, int limit)
{
	words[0] = 70;
	words[1] = 71;
	return 2;
}

void store_first_use(struct store *store, struct first_uses_row *row, struct atom *site)
{
	last_row = *row;
	rows++;
}

void store_copy_watch(struct store *store, struct copy_watches_row *row, struct atom *site)
{
	last_watch = *row;
	rows++;
}

void store_overhead(struct store *store, int64_t kind, int64_t start_ns, int64_t end_ns,
		    int64_t thread_id)
{
}

static void expect(size_t number, uint64_t serial)
{
	first_use_expect(&(struct first_use_copy){
		.address = place(number) + 8,
		.size_bytes = PAGE_BYTES,
		.low = place(number),
		.high = place(number) + 2 * PAGE_BYTES,
		.context = 1,
		.correlation = (uint32_t)number + 1,
		.stream = STREAM,
		.serial = serial,
		.thread_id = 5,
		.is_blocking = true,
	});
}

static void arm_all(void)
{
	first_use_arm(&(struct first_use_wait){
		.context = 1, .is_all = true, .serial = UINT64_MAX, .thread_id = 6});
}

static bool fault(size_t number)
{
	return first_use_fault(place(number) + 16, 4096, &stack_top, FIRST_USE_READ);
}

static int set_up(void **state)
{
	first_use_forget();
	for (int loss = 0; loss < LOSS_COUNT; loss++)
		losses_take(loss);
	memset(is_closed, 0, sizeof(is_closed));
	first_use_open();
	opened = rows = 0;
	refuses = false;
	return 0;
}

TEST_WITH(test_the_oldest_makes_room, set_up, NULL)
{
	const size_t oldest = 700;

	for (size_t i = 0; i < WATCHES; i++)
		expect(i, i == oldest ? 1 : 5000 - i);
	assert_int_equal(losses_take(LOSS_FIRST_USE), 0);
	expect(WATCHES, 6000);
	assert_int_equal(losses_take(LOSS_FIRST_USE), 1);
	arm_all();
	assert_int_equal(first_use_count, WATCHES);
	for (size_t i = 0; i <= WATCHES; i++)
		assert_int_equal(is_closed[i], i != oldest);
	/* None of these makes room. */
	expect(WATCHES + 1, 6001);
	assert_int_equal(losses_take(LOSS_FIRST_USE), 1);
	arm_all();
	assert_int_equal(first_use_count, WATCHES);
}

static void end_the_same(void)
{
	first_use_end(&(struct first_use){.low = place(3),
					  .high = place(3) + 1,
					  .kind = FIRST_USE_SYSTEM_CALL},
		      false);
	/* It has its memory, though the end that it interrupted has not come so far. */
	assert_int_equal(opened, 2);
}

static void touch_the_same(void)
{
	assert_true(fault(3));
	assert_int_equal(opened, 2);
}

static void check_interrupted(void (*interrupt)(void))
{
	expect(3, 1);
	arm_all();
	opened = 0;
	while_opening = interrupt;
	assert_true(fault(3));
	assert_int_equal(opened, 2);
	assert_int_equal(first_use_count, 0);
	first_use_store_ended(NULL);
	/* Once, by what came first. */
	assert_int_equal(rows, 1);
	assert_int_equal(last_row.kind, FIRST_USE_READ);
	assert_int_equal(last_row.touch_address, place(3) + 16);
}

TEST_WITH(test_a_handler_within_an_end_helps, set_up, NULL)
{
	check_interrupted(end_the_same);
	rows = 0;
	check_interrupted(touch_the_same);
}

TEST_WITH(test_a_fault, set_up, NULL)
{
	expect(1, 1);
	expect(2, 2);
	arm_all();
	now_ns = 1000;
	/* Beside the copy's bytes, in its pages. */
	assert_true(first_use_fault(place(1) + 7, 77, &stack_top, FIRST_USE_READ));
	first_use_store_ended(NULL);
	assert_int_equal(last_row.kind, FIRST_USE_FREED);
	assert_true(first_use_fault(place(2) + 8, 77, &stack_top, FIRST_USE_WRITTEN));
	first_use_store_ended(NULL);
	assert_int_equal(last_row.kind, FIRST_USE_WRITTEN);
	assert_int_equal(last_row.correlation_id, 3);
	assert_int_equal(last_row.touch_address, place(2) + 8);
	assert_int_equal(last_row.watched_bytes, PAGE_BYTES);
	assert_int_equal(last_row.wait_thread_id, 6);
	assert_true(last_row.touch_ns > 1000);
	assert_int_equal(rows, 2);
	/* It may be of a watch that has just ended: once more, and then it is the program's. */
	assert_true(fault(2));
	assert_false(fault(2));
	assert_true(fault(1));
	assert_false(fault(1));
}

TEST_WITH(test_the_site_of_a_touch, set_up, NULL)
{
	expect(1, 1);
	expect(2, 2);
	arm_all();
	assert_true(fault(1));
	python_frames_on = true;
	first_use_store_ended(NULL);
	assert_int_equal(word_count, 1);
	assert_true(fault(2));
	python_frames_on = false;
	first_use_store_ended(NULL);
	assert_int_equal(word_count, 3);
	assert_int_equal(frame_count, 1);
	assert_int_equal(last_word, 71);
}

static void check_covered(const struct first_use_wait *wait, bool is_covered)
{
	set_up(NULL);
	expect(0, 10);
	first_use_arm(wait);
	assert_int_equal(first_use_count, is_covered);
}

TEST_WITH(test_what_a_wait_covers, set_up, NULL)
{
	enum { LEGACY = 1, PER_THREAD = 2 };

	check_covered(&(struct first_use_wait){.context = 1, .stream = STREAM, .serial = 10}, true);
	check_covered(&(struct first_use_wait){.context = 1, .stream = STREAM, .serial = 9}, false);
	check_covered(&(struct first_use_wait){.context = 2, .stream = STREAM, .serial = 10},
		      false);
	check_covered(&(struct first_use_wait){.context = 1, .stream = 14, .serial = 10}, false);
	check_covered(&(struct first_use_wait){.context = 1, .is_all = true, .serial = 10}, true);
	check_covered(&(struct first_use_wait){.context = 1, .stream = LEGACY, .serial = 10}, true);
	check_covered(&(struct first_use_wait){.context = 1, .stream = PER_THREAD, .serial = 10},
		      false);
	check_covered(&(struct first_use_wait){.correlation = 1}, true);
	check_covered(&(struct first_use_wait){.correlation = 2, .context = 1, .is_all = true},
		      false);
}

TEST_WITH(test_pages_that_stay_open, set_up, NULL)
{
	expect(0, 1);
	refuses = true;
	arm_all();
	assert_int_equal(opened, 1);
	assert_int_equal(first_use_count, 0);
	assert_int_equal(losses_take(LOSS_FIRST_USE), 1);
	refuses = false;
	arm_all();
	assert_int_equal(first_use_count, 0);
}

static void forget_in_a_child(void)
{
	first_use_forget();
	assert_int_equal(opened, 1);
	assert_false(is_closed[0]);
}

/* A fork while another thread closes pages: the child has them open. */
TEST_WITH(test_forgotten_while_closing, set_up, NULL)
{
	expect(0, 1);
	while_closing = forget_in_a_child;
	arm_all();
	assert_null(while_closing);
}

/* A source that a result's pages come over is given up: both would find the pages closed by the other. */
TEST_WITH(test_a_source_under_a_result, set_up, NULL)
{
	const struct first_use_wait wait = {
		.context = 1, .stream = STREAM, .serial = UINT64_MAX, .thread_id = 6};

	first_use_begin(&(struct first_use_copy){
		.purpose = EARLY_SOURCE,
		.address = place(0),
		.size_bytes = PAGE_BYTES,
		.low = place(0),
		.high = place(0) + PAGE_BYTES,
		.context = 1,
		.stream = STREAM + 1,
		.serial = 1,
		.thread_id = 5,
	});
	expect(0, 2);
	assert_int_equal(first_use_count, 1);
	first_use_arm(&wait);
	assert_int_equal(first_use_count, 1);
	first_use_store_ended(NULL);
	assert_int_equal(rows, 1);
	assert_int_equal(last_watch.kind, FIRST_USE_GIVEN_UP);
	assert_true(fault(0));
	first_use_store_ended(NULL);
	assert_int_equal(rows, 2);
	assert_false(is_closed[0]);
}

TEST_WITH(test_a_closed_table, set_up, NULL)
{
	expect(0, 1);
	expect(1, 2);
	arm_all();
	first_use_close(FIRST_USE_NEVER);
	assert_int_equal(first_use_count, 0);
	assert_false(is_closed[0] || is_closed[1]);
	expect(2, 3);
	arm_all();
	assert_int_equal(first_use_count, 0);
	assert_false(is_closed[2]);
	first_use_store_ended(NULL);
	assert_int_equal(rows, 3);
	assert_int_equal(last_row.kind, FIRST_USE_GIVEN_UP);
}

/* What CUDA reads meanwhile is not the host's touch. */
TEST_WITH(test_suspended, set_up, NULL)
{
	const uintptr_t low = place(0), high = place(1);

	expect(0, 1);
	expect(1, 2);
	arm_all();
	first_use_suspend(low, high);
	assert_int_equal(first_use_count, 1);
	assert_false(is_closed[0]);
	assert_true(is_closed[1]);
	first_use_resume(low, high);
	assert_int_equal(first_use_count, 2);
	assert_true(is_closed[0]);
	first_use_suspend(low, high);
	first_use_end(&(struct first_use){.low = low, .high = high, .kind = FIRST_USE_OVERWRITTEN},
		      false);
	first_use_resume(low, high);
	assert_int_equal(first_use_count, 1);
	first_use_store_ended(NULL);
	assert_int_equal(rows, 1);
	assert_int_equal(last_row.kind, FIRST_USE_OVERWRITTEN);
	assert_int_equal(last_row.touch_address, ROW_NULL);
}

/* No wait has covered it: only who asks for those ends it. */
TEST_WITH(test_an_expected_copy, set_up, NULL)
{
	const struct first_use use = {
		.low = place(0), .high = place(1), .kind = FIRST_USE_OVERWRITTEN};

	expect(0, 1);
	first_use_end(&use, false);
	first_use_store_ended(NULL);
	assert_int_equal(rows, 0);
	first_use_end(&use, true);
	first_use_store_ended(NULL);
	assert_int_equal(rows, 1);
	assert_int_equal(last_row.wait_ns, ROW_NULL);
	assert_int_equal(last_row.wait_thread_id, ROW_NULL);
}

/* Of three pages, the first of which is that many pages behind the place of number 0. */
static struct first_use_copy copy_of(size_t pages, enum first_use_purpose purpose, uint64_t serial)
{
	const uintptr_t low = place(0) + pages * PAGE_BYTES;

	return (struct first_use_copy){
		.purpose = purpose,
		.address = low,
		.size_bytes = 3 * (uint64_t)PAGE_BYTES,
		.low = low,
		.high = low + 3 * (uintptr_t)PAGE_BYTES,
		.context = 1,
		.correlation = (uint32_t)serial,
		.stream = STREAM,
		.serial = serial,
		.thread_id = 5,
	};
}

static void begin(size_t pages, enum first_use_purpose purpose, uint64_t serial)
{
	const struct first_use_copy copy = copy_of(pages, purpose, serial);

	first_use_begin(&copy);
}

static void cover(uint64_t serial)
{
	first_use_arm(&(struct first_use_wait){
		.context = 1, .stream = STREAM, .serial = serial, .is_early_only = true});
}

TEST_WITH(test_a_source, set_up, NULL)
{
	const struct first_use sent = {.low = place(0),
				       .high = place(1),
				       .kind = FIRST_USE_SYSTEM_CALL,
				       .only_reads = true};

	begin(0, EARLY_SOURCE, 1);
	assert_int_equal(first_use_count, 1);
	/* It may be read: by the host, by the Linux kernel, by CUDA. */
	first_use_end(&sent, false);
	first_use_suspend(place(0), place(1));
	assert_int_equal(first_use_count, 1);
	assert_true(first_use_fault(place(0) + 8, 4096, &stack_top, FIRST_USE_WRITTEN));
	first_use_store_ended(NULL);
	assert_int_equal(last_watch.kind, FIRST_USE_WRITTEN);
	assert_int_equal(last_watch.is_source, 1);
	assert_int_equal(last_watch.correlation_id, 1);
	assert_int_equal(last_watch.touch_address, place(0) + 8);
	assert_int_equal(last_watch.watched_bytes, 3 * PAGE_BYTES);
	assert_true(last_watch.start_ns < last_watch.end_ns);
}

TEST_WITH(test_a_destination, set_up, NULL)
{
	begin(0, EARLY_DESTINATION, 1);
	/* CUDA may read it meanwhile; a wait then finds it, too. */
	first_use_suspend(place(0), place(1));
	assert_int_equal(first_use_count, 0);
	first_use_resume(place(0), place(1));
	assert_int_equal(first_use_count, 1);
	first_use_suspend(place(0), place(1));
	cover(1);
	first_use_store_ended(NULL);
	assert_int_equal(rows, 1);
	assert_int_equal(last_watch.kind, FIRST_USE_COVERED);
	assert_int_equal(last_watch.is_source, 0);
	first_use_resume(place(0), place(1));
	assert_int_equal(first_use_count, 0);
}

/* A query puts nothing in force. */
TEST_WITH(test_what_ends_an_early_watch, set_up, NULL)
{
	begin(0, EARLY_SOURCE, 2);
	expect(5, 1);
	cover(1);
	assert_int_equal(first_use_count, 1);
	cover(2);
	assert_int_equal(first_use_count, 0);
	first_use_store_ended(NULL);
	assert_int_equal(rows, 1);
	assert_int_equal(last_watch.kind, FIRST_USE_COVERED);
	assert_int_equal(last_watch.touch_address, ROW_NULL);
	arm_all();
	assert_int_equal(first_use_count, 1);
}

/* The pages of one are given back, those that another one has are not. */
TEST_WITH(test_sources_that_overlap, set_up, NULL)
{
	begin(0, EARLY_SOURCE, 1);
	begin(2, EARLY_SOURCE, 2);
	cover(1);
	assert_int_equal(opened, 1);
	assert_int_equal(opened_low, place(0));
	assert_int_equal(opened_high, place(0) + 2 * PAGE_BYTES);
	cover(2);
	assert_int_equal(opened, 2);
	assert_int_equal(opened_low, place(0) + 2 * PAGE_BYTES);
	assert_int_equal(opened_high, place(0) + 5 * PAGE_BYTES);
	/* One touch is of both. */
	begin(0, EARLY_SOURCE, 3);
	begin(2, EARLY_SOURCE, 4);
	assert_true(
		first_use_fault(place(0) + 2 * PAGE_BYTES, 4096, &stack_top, FIRST_USE_WRITTEN));
	assert_int_equal(first_use_count, 0);
	first_use_store_ended(NULL);
	assert_int_equal(rows, 4);
	/* What is inaccessible must not become readable. */
	begin(0, EARLY_DESTINATION, 5);
	begin(2, EARLY_SOURCE, 6);
	assert_int_equal(first_use_count, 1);
	assert_int_equal(losses_take(LOSS_WATCH), 1);
}

/* What of a watch lies between others is given back alone, from the lowest on. */
TEST_WITH(test_sources_in_a_source, set_up, NULL)
{
	struct first_use_copy whole = copy_of(0, EARLY_SOURCE, 1);

	whole.high = place(1);
	first_use_begin(&whole);
	begin(9, EARLY_SOURCE, 3);
	begin(3, EARLY_SOURCE, 2);
	begin(4, EARLY_SOURCE, 4);
	cover(1);
	assert_int_equal(opened, 3);
	assert_int_equal(opened_low, place(0) + 12 * PAGE_BYTES);
	assert_int_equal(opened_high, place(1));
	assert_int_equal(first_use_count, 3);
}

static void begin_argument(size_t number, uint64_t kernel, uint64_t serial)
{
	struct first_use_copy argument = copy_of(0, EARLY_SOURCE, serial);

	argument.low = argument.address = place(number);
	argument.high = place(number) + PAGE_BYTES;
	argument.is_of_kernel = true;
	argument.kernel = kernel;
	first_use_begin(&argument);
}

/* The watch is that of the last launch: it lasts until a wait covers that one. */
TEST_WITH(test_arguments_of_the_same_kernel, set_up, NULL)
{
	const uint64_t kernel = 70;

	begin_argument(0, kernel, 1);
	begin_argument(0, kernel, 2);
	assert_int_equal(first_use_count, 1);
	begin_argument(0, kernel + 1, 3);
	begin_argument(1, kernel, 4);
	assert_int_equal(first_use_count, 3);
	cover(1);
	assert_int_equal(first_use_count, 3);
	cover(2);
	assert_int_equal(first_use_count, 2);
	first_use_store_ended(NULL);
	assert_int_equal(rows, 1);
	assert_int_equal(last_watch.correlation_id, 2);
	begin_argument(0, kernel, 5);
	assert_int_equal(first_use_count, 3);
	begin_argument(2, 0, 6);
	begin_argument(2, 0, 7);
	assert_int_equal(first_use_count, 5);
}

TEST_WITH(test_arguments_leave_room_to_copies, set_up, NULL)
{
	const int for_copies = 256;

	for (size_t i = 0; i < WATCHES; i++)
		begin_argument(i, 70, i + 1);
	assert_int_equal(first_use_count, WATCHES - for_copies);
	assert_int_equal(losses_take(LOSS_WATCH), 0);
	for (uint64_t i = 0; i < (uint64_t)for_copies; i++)
		begin(0, EARLY_SOURCE, WATCHES + 1 + i);
	assert_int_equal(first_use_count, WATCHES);
	assert_int_equal(losses_take(LOSS_WATCH), 0);
	begin(0, EARLY_SOURCE, 2 * WATCHES + 1);
	assert_int_equal(losses_take(LOSS_WATCH), 1);
	/* A place that is free again is one. */
	cover(1);
	first_use_store_ended(NULL);
	begin_argument(5, 71, 2 * WATCHES + 2);
	assert_int_equal(first_use_count, WATCHES - 1);
}

RUN_TESTS(NULL, NULL)

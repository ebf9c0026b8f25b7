/* What begins the steps of a list that repeats itself. */
#include "cmocka_test.h"
#include "findings/step_period.h"

#include <stdlib.h>
#include <string.h>

/* A list of letters, one a ns. */
struct list {
	uint32_t symbols[40000];
	int64_t start_ns[40000];
	size_t count;
};

static struct list list;

static void empty_list(void)
{

	list.count = 0;
}

static void append(const char *letters, size_t times)
{
	for (size_t i = 0; i < times; i++)
		for (const char *letter = letters; *letter; letter++) {
			list.start_ns[list.count] = (int64_t)list.count;
			list.symbols[list.count++] = (uint32_t)(*letter - 'a');
		}
}

/* The first step's index, or SIZE_MAX; *count: of steps. */
static size_t find_first(size_t *count)
{
	struct step_period period;
	size_t first;

	*count = 0;
	if (!step_period_find(list.symbols, list.start_ns, list.count, 26, &period))
		return SIZE_MAX;
	first = period.begins[0];
	*count = period.count;
	for (size_t i = 1; i < period.count; i++)
		assert_true(period.begins[i] > period.begins[i - 1]);
	free(period.begins);
	return first;
}

static void check_steps(size_t first, size_t count)
{
	size_t found, at = find_first(&found);

	assert_int_equal(at, first);
	assert_int_equal(found, count);
}

static void check_none(void)
{
	check_steps(SIZE_MAX, 0);
}

/* Behind a start-up with work of its own, and with the first kernel of the steps once by itself. */
TEST(test_loop)
{
	empty_list();
	append("xyzaxy", 1);
	append("abcb", 20);
	append("zz", 1);
	check_steps(6, 20);
}

TEST(test_few)
{
	empty_list();
	append("abcd", 10);
	check_none();
	append("abcd", 1);
	check_steps(0, 11);
}

/* Work in another order, as two threads may enqueue it, is the same. */
TEST(test_any_order)
{
	empty_list();
	for (int i = 0; i < 10; i++) {
		append("abcd", 1);
		append("acbd", 1);
	}
	check_steps(0, 20);
}

/* Each tenth step prints something: a step, not ten, is what repeats. */
TEST(test_printing)
{
	empty_list();
	for (int i = 0; i < 20; i++) {
		append("abcdefgh", 10);
		append("p", 1);
	}
	check_steps(0, 200);
}

/* A rare break is no step, and hides none. */
TEST(test_breaks)
{
	empty_list();
	append("abcd", 140);
	append("mnmnmnmnmnmn", 2);
	append("abcd", 140);
	append("mnmnmnmnmnmn", 2);
	append("abcd", 140);
	check_steps(0, 420);
}

/* Layers: 32 alike parts, then other work. Parts are no steps, and of the larger ones it is not known either. */
TEST(test_layers)
{
	empty_list();
	for (int i = 0; i < 100; i++) {
		append("abcdefgh", 32);
		append("pqrs", 1);
	}
	check_none();
}

/* Where other work is a larger part, it is the whole that repeats. */
TEST(test_loop_in_loop)
{
	empty_list();
	for (int i = 0; i < 30; i++) {
		append("ab", 6);
		append("pqrstuvwxyz", 1);
	}
	check_steps(12, 30);
}

TEST(test_one_kernel)
{
	empty_list();
	append("a", 1000);
	check_none();
}

/* A loop that takes less than half of the time is one phase of several. */
TEST(test_phase)
{
	empty_list();
	append("abcd", 50);
	for (int i = 0; i < 9; i++) {
		append("mno", i + 1);
		append("nom", 3 * i);
	}
	list.start_ns[list.count - 1] += 150;
	check_none();
	list.start_ns[list.count - 1] = (int64_t)list.count - 1;
}

TEST(test_none)
{
	empty_list();
	append("abcdefghijklmnopqrstuvwxyzazbycxdwevfugthsirjqkplomn", 1);
	check_none();
}

RUN_TESTS(NULL, NULL)

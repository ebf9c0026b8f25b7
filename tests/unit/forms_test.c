#include "trace/forms.h"

#include "cmocka_test.h"

#include <stdint.h>

struct form {
	uint64_t first, second;
};

static struct forms forms;

static int set_up(void **state)
{
	forms = (struct forms){.element_bytes = sizeof(struct form)};
	return 0;
}

static int tear_down(void **state)
{
	forms_free(&forms);
	return 0;
}

static const struct form *keep(uint64_t first, uint64_t second)
{
	const struct form form = {first, second};

	return forms_keep(&forms, &form);
}

static void count_one(void *context, void *form)
{
	uint64_t *sums = context;

	sums[0]++;
	sums[1] += ((struct form *)form)->first;
}

TEST_WITH(test_equal_ones_are_one, set_up, tear_down)
{
	const struct form *form = keep(1, 2), *other = keep(1, 3), *third = keep(2, 2);

	assert_ptr_not_equal(form, other);
	assert_ptr_not_equal(form, third);
	assert_ptr_equal(keep(1, 2), form);
	assert_ptr_equal(keep(1, 3), other);
	assert_int_equal(form->first, 1);
	assert_int_equal(other->second, 3);
	/* In one piece of memory. */
	assert_ptr_equal(other, form + 1);
	assert_ptr_equal(third, form + 2);
}

/* A loop over a thousand forms, as a step of a program's training is one. */
TEST_WITH(test_loop_is_kept_once, set_up, tear_down)
{
	uint64_t sums[2] = {0};

	for (int step = 0; step < 100; step++)
		for (uint64_t i = 0; i < 1000; i++)
			keep(i, i % 7);
	forms_each(&forms, count_one, sums);
	assert_in_range(sums[0], 1000, 1100); /* those that share too few places come again */
}

/* However many there are, each stays where it was. */
TEST_WITH(test_many, set_up, tear_down)
{
	enum { COUNT = 100000 };
	static const struct form *kept[COUNT];
	uint64_t sums[2] = {0};

	for (uint64_t i = 0; i < COUNT; i++)
		kept[i] = keep(i, 0);
	for (uint64_t i = 0; i < COUNT; i++)
		assert_int_equal(kept[i]->first, i);
	forms_each(&forms, count_one, sums);
	assert_int_equal(sums[0], COUNT);
	assert_int_equal(sums[1], (uint64_t)COUNT * (COUNT - 1) / 2);
}

TEST_WITH(test_forgotten, set_up, tear_down)
{
	const struct form *form = keep(1, 2);

	forms_forget(&forms);
	assert_ptr_not_equal(keep(1, 2), form);
	assert_int_equal(form->second, 2);
}

RUN_TESTS(NULL, NULL)

/* The table of distinct stacks by itself: what it finds, many threads, and its bound. */
#include <pthread.h>

#include "cmocka_test.h"
#include "base/atoms.h"
#include "base/losses.h"

enum { THREADS = 4, SHARED = 5000 };

static struct atom *intern(uint64_t first, uint64_t second, enum atom_kind kind, int frames,
			   enum atom_add add)
{
	const uint64_t words[] = {first, second};

	return atom_intern(
		&(struct atom_text){
			.words = words, .count = 2, .kind = kind, .frame_count = (uint8_t)frames},
		add);
}

TEST(test_equal_texts_are_one_atom)
{
	struct atom *atom = intern(1, 2, ATOM_STACK, 2, ATOM_ADD);

	assert_non_null(atom);
	assert_int_equal(atom->count, 2);
	assert_int_equal(atom->words[1], 2);
	assert_ptr_equal(intern(1, 2, ATOM_STACK, 2, ATOM_ADD), atom);
	assert_ptr_not_equal(intern(2, 1, ATOM_STACK, 2, ATOM_ADD), atom);
	assert_ptr_not_equal(intern(1, 2, ATOM_KEY, 2, ATOM_ADD), atom);
	/* An address and a Python frame's atom are different things, equal or not. */
	assert_ptr_not_equal(intern(1, 2, ATOM_STACK, 1, ATOM_ADD), atom);
}

static void *intern_shared(void *atoms)
{
	for (uint64_t i = 0; i < SHARED; i++)
		((struct atom **)atoms)[i] = intern(i, 7, ATOM_KEY, 2, ATOM_ADD);
	return NULL;
}

TEST(test_threads_share_their_atoms)
{
	static struct atom *atoms[THREADS][SHARED];
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, intern_shared, atoms[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < SHARED; i++) {
		assert_non_null(atoms[0][i]);
		assert_int_equal(atoms[0][i]->words[0], i);
		for (int k = 1; k < THREADS; k++)
			assert_ptr_equal(atoms[k][i], atoms[0][i]);
	}
}

/* Until none is to be had; how many there were. */
static uint64_t fill(enum atom_kind kind, enum atom_add add)
{
	uint64_t count = 0;

	while (count < 2 * ATOMS_LIMIT && intern(count, 9, kind, 2, add))
		count++;
	return count;
}

TEST(test_a_full_table_keeps_what_it_has)
{
	struct atom *before = intern(1, 2, ATOM_STACK, 2, ATOM_ADD);
	uint64_t count;

	assert_in_range(fill(ATOM_ARGUMENTS, ATOM_ADD_SPARE), ATOMS_LIMIT / 4, ATOMS_LIMIT / 2);
	assert_int_equal(losses_take(LOSS_LOOKED_STACK), 0);
	assert_null(atom_intern_looked((const uint64_t[]){3, 2}, 2, 2));
	assert_ptr_equal(atom_intern_looked((const uint64_t[]){1, 2}, 2, 2), before);
	assert_int_equal(losses_take(LOSS_LOOKED_STACK), 1);
	assert_false(atoms_are_full());
	count = fill(ATOM_KEY, ATOM_ADD);
	assert_in_range(count, ATOMS_LIMIT / 4, ATOMS_LIMIT - ATOMS_LAST);
	assert_int_equal(losses_take(LOSS_LOOKED_STACK), 0);
	assert_true(atoms_are_full());
	assert_int_equal(fill(ATOM_STACK, ATOM_ADD), 0);
	count = fill(ATOM_STACK, ATOM_ADD_LAST);
	assert_in_range(count, ATOMS_LAST, ATOMS_LAST + 10);
	assert_ptr_equal(intern(1, 2, ATOM_STACK, 2, ATOM_ADD), before);
	assert_int_equal(intern(0, 9, ATOM_KEY, 2, ATOM_ADD)->words[1], 9);
}

RUN_TESTS(NULL, NULL)

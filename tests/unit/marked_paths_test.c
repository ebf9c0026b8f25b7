/* Paths between operations of random runs: with what operations took they give the times of the replay
 * they are from, whatever it edits; of a part of a run, too. */
#include "random_run.h"
#include "base/minmax.h"
#include "cmocka_test.h"
#include "replay/schedule/marked_paths.h"

#include <stdlib.h>

enum { ROUNDS = 4000 };

/* Some change that moves everything behind it. */
static struct edits *make_edits(struct program *program)
{
	struct edits *edits = edits_create(&program->model);

	for (uint32_t i = 0; i < OPERATIONS; i++)
		if (one_in(program, 5))
			edits_set_duration(edits, &program->model, &program->trace_operations[i],
					   below(program, 12));
	for (uint32_t i = 0; i < CALLS; i++)
		if (one_in(program, 5))
			edits_drop_wait(edits, &program->model, &program->calls[i]);
	return edits;
}

static uint32_t mark_some(struct program *program, uint32_t *operations)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < OPERATIONS; i++)
		if (one_in(program, 3))
			operations[count++] = i;
	return count;
}

/* The latest that the paths to one allow. */
static int64_t reach(const struct marked_paths *paths, size_t to)
{
	int64_t time_ns = 0;

	for (uint32_t i = paths->first[to]; i < paths->first[to + 1]; i++) {
		struct marked_path path = paths->paths[i];
		int64_t from_ns = path.from == MARKED_BEGIN ? 0 : paths->ends_ns[path.from];

		time_ns = max_ns(time_ns, from_ns + path.distance_ns);
	}
	return time_ns;
}

static void assert_reaches(const struct marked_paths *paths, bool is_part)
{
	for (size_t i = is_part; i < paths->count; i++)
		assert_int_equal(reach(paths, i), paths->starts_ns[i]);
	for (size_t i = 0; i <= paths->count; i++)
		assert_true(paths->first[i + 1] - paths->first[i] <= MARKED_PATHS_MOST);
	if (!is_part)
		assert_int_equal(reach(paths, paths->count), paths->end_ns);
}

static bool is_sound(struct program *program, bool is_edited)
{
	uint32_t operations[OPERATIONS];
	struct marks marks = {.operations = operations, .is_part = one_in(program, 2)};
	struct edits *edits = is_edited ? make_edits(program) : NULL;
	struct marked_paths paths;
	bool has_run;

	marks.count = mark_some(program, operations);
	marks.is_part &= marks.count > 0;
	has_run = timeline_marked_paths(&program->timeline, edits, marks, &paths);
	if (has_run)
		assert_reaches(&paths, marks.is_part);
	marked_paths_free(&paths);
	if (edits)
		edits_free(edits);
	return has_run;
}

TEST(test_paths_give_the_times)
{
	size_t sound = 0;

	for (uint32_t round = 0; round < ROUNDS; round++) {
		struct program program;

		make_program(&program, round + 1);
		sound += is_sound(&program, false);
		sound += is_sound(&program, true);
		free_program(&program);
	}
	assert_true(sound > ROUNDS);
}

RUN_TESTS(NULL, NULL)

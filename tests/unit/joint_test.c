/* What a fix brings a job, where it is known by arithmetic; and that models merge in any order. */
#include "cmocka_test.h"
#include "base/memory.h"
#include "job/joint.h"

#include <stdlib.h>
#include <string.h>

enum { COLLECTIVES = 9, TRANSFER = 2, MOST_EDGES = 4 * COLLECTIVES };

/* Edges of one rank, in order. */
struct ways {
	struct paths_edge items[MOST_EDGES];
	size_t count;
};

static void add(struct ways *ways, uint32_t to, uint32_t from, int64_t distance_ns)
{
	ways->items[ways->count++] = (struct paths_edge){to, from, distance_ns};
}

/* Each collective follows the one before it: so long after in turn. */
static struct ways chain(int64_t even_ns, int64_t odd_ns)
{
	struct ways ways = {.count = 0};

	for (uint32_t i = 1; i < COLLECTIVES; i++)
		add(&ways, i, i - 1, i % 2 ? odd_ns : even_ns);
	add(&ways, PATHS_END, COLLECTIVES - 1, 0);
	return ways;
}

static struct paths_edges edges_of(const struct ways *ways)
{
	struct paths_edges edges = {memory_array(ways->count, sizeof(*edges.items)), ways->count};

	memcpy(edges.items, ways->items, ways->count * sizeof(*edges.items));
	return edges;
}

/* A rank; fixed: NULL, or what it is with the fix of the line. */
static struct paths *rank_of(const struct ways *ways, const struct ways *fixed, const char *where)
{
	struct paths *paths = memory_array(1, sizeof(*paths));

	paths->events = memory_array(COLLECTIVES, sizeof(*paths->events));
	paths->event_count = COLLECTIVES;
	for (uint64_t i = 0; i < COLLECTIVES; i++)
		paths->events[i] = (struct paths_event){.communicator = 7,
							.pair = PATHS_ALL,
							.sequence = i,
							.ranks = 2,
							.seen = 1,
							.transfer_ns = TRANSFER};
	paths->traced = edges_of(ways);
	paths->untraced = edges_of(ways);
	paths->uncrowded = edges_of(ways);
	paths->groups = memory_array(1, sizeof(*paths->groups));
	paths->group_count = fixed != NULL;
	if (fixed)
		*paths->groups = (struct paths_group){.id = memory_format("pageable-copy"),
						      .where = memory_format("%s", where),
						      .ranks = 1,
						      .low = edges_of(ways),
						      .before = edges_of(ways),
						      .estimate = edges_of(fixed),
						      .high = edges_of(fixed)};
	paths->ranks = 1;
	paths->kernels = paths->all_kernels = COLLECTIVES;
	paths->is_part = true;
	return paths;
}

/* What the first line's fix saves; and that the job takes so long without. */
static struct stated saving(struct paths *a, struct paths *b, int64_t job_ns)
{
	struct paths *job = paths_merge(a, b);
	struct joint joint = joint_replay(job);
	struct stated saved = joint.groups[0].saved;

	assert_int_equal(joint.group_count, 1);
	assert_int_equal(joint.untraced_ns, job_ns);
	assert_int_equal(joint.traced_ns, job_ns);
	assert_int_equal(joint.events, COLLECTIVES);
	assert_int_equal(joint.incomplete, 0);
	joint_free(&joint);
	paths_free(job);
	return saved;
}

TEST(test_constant_straggler)
{
	struct ways quick = chain(10, 10), slow = chain(14, 14), slower = chain(13, 13);
	struct stated saved;

	saved = saving(rank_of(&quick, NULL, NULL), rank_of(&slow, &quick, "a.cu:1"), 8 * 16);
	assert_int_equal(saved.low_ns, 0);
	assert_int_equal(saved.estimate_ns, 8 * 4);
	assert_int_equal(saved.high_ns, 8 * 4);
	/* The second slowest decides next. */
	saved = saving(rank_of(&slower, NULL, NULL), rank_of(&slow, &quick, "a.cu:1"), 8 * 16);
	assert_int_equal(saved.estimate_ns, 8 * 1);
	/* The one that waits gains nothing. */
	saved = saving(rank_of(&slower, &quick, "a.cu:1"), rank_of(&slow, NULL, NULL), 8 * 16);
	assert_int_equal(saved.high_ns, 0);
	/* Of a line that both have, both are fixed. */
	saved = saving(rank_of(&slower, &quick, "a.cu:1"), rank_of(&slow, &quick, "a.cu:1"),
		       8 * 16);
	assert_int_equal(saved.estimate_ns, 8 * 4);
}

TEST(test_stragglers_in_turn)
{
	struct ways one = chain(13, 15), other = chain(16, 10), fixed = chain(10, 10);
	struct stated saved;

	saved = saving(rank_of(&one, NULL, NULL), rank_of(&other, &fixed, "a.cu:1"),
		       4 * (16 + 2) + 4 * (15 + 2));
	assert_int_equal(saved.estimate_ns, 4 * (16 - 13));
}

/* What its rank needs from two collectives before comes later than what the fix shortens. */
TEST(test_hidden_by_overlap)
{
	struct ways quick = chain(1, 1), slow = chain(5, 5);
	struct stated saved;

	for (struct ways *ways = &quick; ways; ways = ways == &quick ? &slow : NULL) {
		int64_t step_ns = ways == &quick ? 1 : 5;

		ways->count = 0;
		for (uint32_t i = 1; i < COLLECTIVES; i++) {
			if (i > 1)
				add(ways, i, i - 2, 20);
			add(ways, i, i - 1, step_ns);
		}
		add(ways, PATHS_END, COLLECTIVES - 1, 0);
	}
	/* 8 steps: in pairs of 22 from the first. */
	saved = saving(rank_of(&quick, NULL, NULL), rank_of(&slow, &quick, "a.cu:1"), 4 * 22);
	assert_int_equal(saved.high_ns, 0);
}

/* What a part of the run saves is multiplied; a rank without a trace leaves the low end open. */
TEST(test_scale_and_missing)
{
	struct ways quick = chain(10, 10), slow = chain(14, 14);
	struct paths *paths = rank_of(&slow, &quick, "a.cu:1");
	struct joint joint;

	paths->all_kernels = 2 * (COLLECTIVES - 1) + 1;
	joint = joint_replay(paths);
	assert_int_equal(joint.incomplete, COLLECTIVES);
	assert_int_equal(joint.groups[0].saved.low_ns, 0);
	assert_int_equal(joint.groups[0].saved.estimate_ns, 2 * 8 * 4);
	joint_free(&joint);
	paths_free(paths);
}

/* A damaged file's savings do not overflow. */
TEST(test_hostile_scale)
{
	struct ways quick = chain(10, 10), slow = chain(INT64_C(1) << 55, INT64_C(1) << 55);
	struct paths *paths = rank_of(&slow, &quick, "a.cu:1");
	struct joint joint;

	paths->kernels = 2;
	paths->all_kernels = UINT64_MAX >> 16;
	joint = joint_replay(paths);
	assert_true(joint.groups[0].saved.low_ns >= 0);
	assert_in_range(joint.groups[0].saved.estimate_ns, 1, INT64_MAX / 2);
	assert_in_range(joint.groups[0].saved.high_ns, 1, INT64_MAX / 2);
	joint_free(&joint);
	paths_free(paths);
}

static uint32_t below(uint32_t *seed, uint32_t limit)
{
	*seed = *seed * 1664525 + 1013904223;
	return (*seed >> 16) % limit;
}

static struct paths *random_rank(uint32_t *seed)
{
	static const char *const lines[] = {"a.cu:1", "a.cu:2", "b.cu:1"};
	struct ways ways = chain(below(seed, 9), below(seed, 9));
	struct ways fixed = chain(below(seed, 9), below(seed, 9));
	bool has_fix = below(seed, 4) > 0;
	struct paths *paths = rank_of(&ways, has_fix ? &fixed : NULL, lines[below(seed, 3)]);

	/* Ranks see other collectives, too. */
	for (size_t i = 0; i < COLLECTIVES; i++) {
		paths->events[i].sequence += below(seed, 2) ? 0 : 100;
		paths->events[i].transfer_ns += below(seed, 5);
	}
	for (size_t i = 1; i < COLLECTIVES; i++)
		if (paths->events[i].sequence <= paths->events[i - 1].sequence)
			paths->events[i].sequence = paths->events[i - 1].sequence + 1;
	paths->begin_ns = -(int64_t)below(seed, 9);
	paths->end_ns = below(seed, 9);
	return paths;
}

static void assert_equal(struct paths *a, struct paths *b)
{
	size_t a_size, b_size;
	void *a_bytes = paths_pack(a, &a_size), *b_bytes = paths_pack(b, &b_size);

	assert_int_equal(a_size, b_size);
	assert_memory_equal(a_bytes, b_bytes, a_size);
	free(a_bytes);
	free(b_bytes);
	paths_free(a);
	paths_free(b);
}

TEST(test_merge_in_any_order)
{
	for (uint32_t round = 0; round < 500; round++) {
		struct paths *ranks[2][3];

		for (int copy = 0; copy < 2; copy++) {
			uint32_t seed = round;

			for (int i = 0; i < 3; i++)
				ranks[copy][i] = random_rank(&seed);
		}
		assert_equal(paths_merge(paths_merge(ranks[0][0], ranks[0][1]), ranks[0][2]),
			     paths_merge(ranks[1][1], paths_merge(ranks[1][2], ranks[1][0])));
	}
}

/* Damaged bytes give no model, or one that can be replayed. */
TEST(test_packed)
{
	uint32_t seed = 3;

	for (int round = 0; round < 2000; round++) {
		struct paths *paths = random_rank(&seed), *again;
		size_t size;
		unsigned char *bytes = paths_pack(paths, &size);

		if (round % 4 == 0) {
			again = paths_unpack(bytes, size);
			assert_non_null(again);
			assert_equal(again, paths);
			assert_null(paths_unpack(bytes, size - 1));
		} else {
			for (int i = 0; i < round % 4; i++)
				bytes[below(&seed, (uint32_t)size)] =
					(unsigned char)below(&seed, 256);
			again = paths_unpack(bytes, size);
			if (again) {
				struct joint joint = joint_replay(again);

				joint_free(&joint);
			}
			paths_free(again);
			paths_free(paths);
		}
		free(bytes);
	}
}

/* What each of two damaged files may say is packed when they are merged, too. */
TEST(test_far_apart)
{
	const int64_t far_ns = (INT64_C(1) << 56) - 1;
	struct ways early = chain(-far_ns, -far_ns), late = chain(far_ns, far_ns),
		    none = {.count = 0};
	struct paths *first = rank_of(&early, NULL, NULL), *second = rank_of(&none, NULL, NULL);
	struct paths *merged, *again;
	size_t size;
	void *bytes;

	free(second->traced.items);
	second->traced = edges_of(&late);
	merged = paths_merge(first, second);
	bytes = paths_pack(merged, &size);
	again = paths_unpack(bytes, size);
	assert_non_null(again);
	assert_equal(again, merged);
	free(bytes);
}

RUN_TESTS(NULL, NULL)

/* Clocks of machines by the ends of collectives: with offset, drift, jitter and outliers that are known. */
#include "cmocka_test.h"
#include "facts/facts.h"
#include "job/machine_clocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLLECTIVES = 2000, STEP_NS = 25000000, TRANSFER_NS = 80000 };

#define WORLD 0xabcdef

/* Pseudo-random, the same in each run. */
static uint64_t random_state;

static double random_share(void)
{
	random_state = random_state * 6364136223846793005 + 1442695040888963407;
	return (double)(random_state >> 11) / 9007199254740992.0;
}

/* How a machine's clock shows a time. */
struct planted {
	int64_t offset_ns;
	double drift;
	double jitter_ns;  /* an end comes by up to so much later */
	double outlier_ns; /* one in eight */
	double outlier_share;
};

static int64_t shown(const struct planted *planted, int64_t ns)
{
	return ns + planted->offset_ns + (int64_t)llrint(planted->drift * (double)ns);
}

static const int64_t begin_ns = 1790000000000000000;

static struct summary *summary_of(const char *boot_id, const char *host, int64_t rank,
				  const struct planted *planted, uint64_t communicator,
				  size_t count)
{
	struct summary *summary = memory_array(1, sizeof(*summary));

	summary->boot_id = boot_id;
	summary->host = host;
	summary->rank = rank;
	summary->communicators = memory_array(1, sizeof(*summary->communicators));
	summary->communicator_count = 1;
	summary->communicators[0] = (struct summary_communicator){
		.unique_id = communicator, .rank = (uint32_t)rank, .ranks = 4};
	summary->arrivals = memory_array(count + 1, sizeof(*summary->arrivals));
	summary->arrival_count = count;
	for (size_t i = 0; i < count; i++) {
		int64_t since_ns = (int64_t)i * STEP_NS;
		double late_ns = planted->jitter_ns * random_share();

		if (random_share() < planted->outlier_share)
			late_ns += planted->outlier_ns * random_share();
		/* The drift is of the time since the run began. */
		summary->arrivals[i] = (struct arrival){
			.sequence = (uint32_t)i,
			.operation = COLLECTIVE_ALL_REDUCE,
			.start_ns = begin_ns +
				    shown(planted, since_ns - (int64_t)(1e6 * random_share())),
			.end_ns = begin_ns +
				  shown(planted, since_ns + TRANSFER_NS + (int64_t)late_ns),
		};
	}
	return summary;
}

static struct clock_machines machines_of(struct summary *summary)
{
	struct clock_machines machines = clock_ends_of(summary);

	summary_free(summary);
	return machines;
}

/* The most that the clock is off anywhere in the run, ns. */
static double find_error(const struct machine_clock *clock, const struct planted *planted)
{
	double most = 0;

	for (int64_t i = 0; i <= COLLECTIVES; i += COLLECTIVES / 10) {
		int64_t since_ns = i * STEP_NS;
		int64_t told = machine_clock_time(clock, begin_ns + shown(planted, since_ns));

		most = fmax(most, fabs((double)(told - begin_ns - since_ns)));
	}
	return most;
}

static const struct planted none = {0, 0, 20000, 0, 0};

static void check(const struct planted *planted)
{
	struct clock_machines machines = clock_ends_merge(
		machines_of(summary_of("a", "node1", 0, &none, WORLD, COLLECTIVES)),
		machines_of(summary_of("b", "node2", 2, planted, WORLD, COLLECTIVES)));
	struct machine_clocks clocks = machine_clocks_compare(&machines);
	const struct machine_clock *clock = &clocks.items[1];
	double error_ns;
	char *text;

	assert_true(machine_clocks_are_compared(&clocks));
	assert_int_equal(clocks.items[0].state, CLOCK_REFERENCE);
	assert_int_equal(clock->state, CLOCK_COMPARED);
	error_ns = find_error(clock, planted);
	text = machine_clocks_describe(&clocks, 1);
	print_message("%.0f ns off; %s\n", error_ns, text);
	assert_true(error_ns < 50000);
	assert_true(error_ns <= clock->line.uncertainty_ns);
	assert_true(clock->line.uncertainty_ns <= clock->line.bound_ns);
	assert_true(fabs(clock->line.drift - planted->drift) < 1e-6);
	assert_int_equal(clock->line.point_count, CLOCK_ENDS_MOST);
	free(text);
	machine_clocks_free(&clocks);
	clock_ends_free(&machines);
}

TEST(test_an_offset_and_a_drift_are_found)
{
	const struct planted cases[] = {
		{11000000000, 20e-6, 20000, 5e6, 0.125},
		{-11000000000, -20e-6, 20000, 5e6, 0.125},
		{11000000000, 20e-6, 20000, 500e6, 0.25},
		{11560000000, 0, 5000, 0, 0},
		{0, 20e-6, 60000, 5e6, 0.125},
		{0, 0, 0, 0, 0},
	};

	random_state = 1;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check(&cases[i]);
}

/* GPUs' clocks are told by the host's anew in each process: here 20 us apart. */
TEST(test_ranks_of_a_machine_disagree)
{
	const struct planted late = {20000, 0, 20000, 0, 0}, later = {30000, 0, 20000, 0, 0};
	struct clock_machines machines = clock_ends_merge(
		machines_of(summary_of("a", "node1", 0, &none, WORLD, COLLECTIVES)),
		machines_of(summary_of("a", "node1", 1, &late, WORLD, COLLECTIVES)));
	struct machine_clocks clocks;
	const struct clock_line *line;

	machines = clock_ends_merge(
		machines, machines_of(summary_of("b", "node2", 2, &later, WORLD, COLLECTIVES)));
	clocks = machine_clocks_compare(&machines);
	line = &clocks.items[1].line;
	/* The earlier one of the first machine's ranks counts. */
	assert_true(line->offset_ns > 20000 && line->offset_ns < 45000);
	assert_true(line->uncertainty_ns > 20000 + line->offset_ns - 30000);
	assert_true(line->uncertainty_ns < line->bound_ns);
	machine_clocks_free(&clocks);
	clock_ends_free(&machines);
}

static void check_apart(struct summary *a, struct summary *b, enum clock_state expected,
			const char *expected_text)
{
	struct clock_machines machines = clock_ends_merge(machines_of(a), machines_of(b));
	struct machine_clocks clocks = machine_clocks_compare(&machines);
	char *text = machine_clocks_describe(&clocks, 1);

	assert_false(machine_clocks_are_compared(&clocks));
	assert_int_equal(clocks.items[1].state, expected);
	assert_non_null(strstr(text, expected_text));
	free(text);
	machine_clocks_free(&clocks);
	clock_ends_free(&machines);
}

TEST(test_without_collectives_nothing_is_ordered)
{
	const struct planted planted = {11000000000, 20e-6, 20000, 0, 0};
	struct summary *with_root = summary_of("b", "node2", 2, &planted, WORLD, COLLECTIVES);

	check_apart(summary_of("a", "node1", 0, &none, WORLD, 0),
		    summary_of("b", "node2", 2, &planted, WORLD, 0), CLOCK_APART,
		    "node2: fewer than 8 collectives with node1");
	check_apart(summary_of("a", "node1", 0, &none, WORLD, 7),
		    summary_of("b", "node2", 2, &planted, WORLD, COLLECTIVES), CLOCK_APART,
		    "node2: fewer than 8 collectives with node1");
	check_apart(summary_of("a", "node1", 0, &none, WORLD, COLLECTIVES),
		    summary_of("b", "node2", 2, &planted, WORLD + 1, COLLECTIVES), CLOCK_APART,
		    "nothing on it is ordered with other machines");
	/* A broadcast's root does not wait for the others. */
	for (size_t i = 0; i < with_root->arrival_count; i++)
		with_root->arrivals[i].operation = COLLECTIVE_BROADCAST;
	check_apart(summary_of("a", "node1", 0, &none, WORLD, COLLECTIVES), with_root, CLOCK_APART,
		    "fewer than 8");
}

/* Set by a second in the middle of the run: no line is right. */
TEST(test_a_clock_that_was_set)
{
	const struct planted planted = {11000000000, 20e-6, 20000, 0, 0};
	struct summary *summary = summary_of("b", "node2", 2, &planted, WORLD, COLLECTIVES);

	for (size_t i = COLLECTIVES / 2; i < COLLECTIVES; i++) {
		summary->arrivals[i].start_ns += 1000000000;
		summary->arrivals[i].end_ns += 1000000000;
	}
	check_apart(summary_of("a", "node1", 0, &none, WORLD, COLLECTIVES), summary, CLOCK_BROKEN,
		    "do not run evenly");
}

/* The third has collectives with the second alone. */
TEST(test_over_another_machine)
{
	const struct planted second = {11000000000, 20e-6, 20000, 0, 0};
	const struct planted third = {-3000000000, -35e-6, 20000, 0, 0};
	struct summary *both = summary_of("b", "node2", 2, &second, WORLD, COLLECTIVES);
	struct clock_machines machines, others;
	struct machine_clocks clocks;

	machines = clock_ends_merge(
		machines_of(both),
		machines_of(summary_of("b", "node2", 3, &second, WORLD + 1, COLLECTIVES)));
	others = clock_ends_merge(
		machines_of(summary_of("c", "node3", 4, &third, WORLD + 1, COLLECTIVES)),
		machines_of(summary_of("a", "node1", 0, &none, WORLD, COLLECTIVES)));
	machines = clock_ends_merge(machines, others);
	clocks = machine_clocks_compare(&machines);
	assert_int_equal(clocks.count, 3);
	assert_true(machine_clocks_are_compared(&clocks));
	assert_true(find_error(&clocks.items[1], &second) < 50000);
	assert_true(find_error(&clocks.items[2], &third) < 50000);
	machine_clocks_free(&clocks);
	clock_ends_free(&machines);
}

/* What a clock is off by over another one is what both lines are, by the points of the one with fewer. */
static void check_chain(size_t first_count, size_t second_count)
{
	const struct planted late = {5000000, 10e-6, 20000, 0, 0};
	struct clock_machines machines = clock_ends_merge(
		machines_of(summary_of("b", "node2", 3, &late, WORLD + 1, second_count)),
		machines_of(summary_of("c", "node3", 4, &none, WORLD + 1, second_count)));
	struct machine_clocks pair = machine_clocks_compare(&machines), chain;
	const struct clock_line own = pair.items[1].line;
	const struct clock_line *first, *second;

	machines = clock_ends_merge(
		machines, machines_of(summary_of("a", "node1", 0, &none, WORLD, first_count)));
	machines = clock_ends_merge(
		machines, machines_of(summary_of("b", "node2", 2, &late, WORLD, first_count)));
	chain = machine_clocks_compare(&machines);
	first = &chain.items[1].line;
	second = &chain.items[2].line;
	assert_true(machine_clocks_are_compared(&chain));
	assert_true(second->uncertainty_ns == first->uncertainty_ns + own.uncertainty_ns);
	assert_true(second->bound_ns == first->bound_ns + own.bound_ns);
	assert_int_equal(first->point_count, first_count);
	assert_int_equal(own.point_count, second_count);
	assert_int_equal(second->point_count,
			 first_count < second_count ? first_count : second_count);
	machine_clocks_free(&pair);
	machine_clocks_free(&chain);
	clock_ends_free(&machines);
}

TEST(test_what_a_chain_is_off_by)
{
	check_chain(50, 90);
	check_chain(90, 50);
}

static void check_equal(const struct clock_machines *a, const struct clock_machines *b)
{
	struct packing x = {0}, y = {0};

	clock_ends_pack(a, &x);
	clock_ends_pack(b, &y);
	assert_int_equal(x.size, y.size);
	assert_memory_equal(x.bytes, y.bytes, x.size);
	free(x.bytes);
	free(y.bytes);
}

/* Times of a damaged file: nothing to rely on comes of them, and nothing overflows. */
TEST(test_absurd_times)
{
	const int64_t times[] = {0, 1, INT64_MAX / 2 - 1, INT64_MAX / 2, 1000, INT64_MAX / 4};
	struct summary *a = summary_of("a", "node1", 0, &none, WORLD, 600);
	struct summary *b = summary_of("b", "node2", 1, &none, WORLD, 600);
	struct clock_machines machines;
	struct machine_clocks clocks;

	for (size_t i = 0; i < 600; i++) {
		a->arrivals[i].start_ns = times[i % 3];
		a->arrivals[i].end_ns = times[3 - i % 3 / 2];
		b->arrivals[i].start_ns = times[i * 7 % 5];
		b->arrivals[i].end_ns = INT64_MAX / 2;
	}
	machines = clock_ends_merge(machines_of(a), machines_of(b));
	clocks = machine_clocks_compare(&machines);
	for (size_t i = 0; i < 6; i++) {
		int64_t ns = machine_clock_time(&clocks.items[1], times[i]);

		assert_true(ns >= 0 && ns <= INT64_MAX / 2);
	}
	for (size_t i = 0; i < clocks.count; i++)
		free(machine_clocks_describe(&clocks, i));
	free(machine_clocks_summarize(&clocks));
	machine_clocks_free(&clocks);
	clock_ends_free(&machines);
}

/* In whatever order and by whatever parts; and over bytes. */
TEST(test_merging_has_no_order)
{
	enum { PARTS = 5 };
	struct clock_machines left = {0}, right = {0}, again;
	struct unpacking unpacking;
	struct packing packing = {0};

	for (int turn = 0; turn < 2; turn++)
		for (int i = 0; i < PARTS; i++) {
			int part = turn ? PARTS - 1 - i : i;
			struct clock_machines *all = turn ? &right : &left, more;

			random_state = (uint64_t)part;
			more = machines_of(summary_of(part % 2 ? "a" : "b", "h", part, &none,
						      WORLD + (uint64_t)part / 4, COLLECTIVES));
			*all = turn ? clock_ends_merge(more, *all) : clock_ends_merge(*all, more);
		}
	check_equal(&left, &right);
	clock_ends_pack(&left, &packing);
	unpacking = (struct unpacking){packing.bytes, packing.size, false};
	again = clock_ends_unpack(&unpacking);
	assert_false(unpacking.is_damaged);
	check_equal(&left, &again);
	clock_ends_free(&left);
	clock_ends_free(&right);
	clock_ends_free(&again);
	free(packing.bytes);
}

RUN_TESTS(NULL, NULL)

#include "detectors/evidence/launch_periods.h"

#include "base/mix.h"
#include "base/vector.h"

#include <assert.h>
#include <string.h>

#define FACTOR UINT64_C(0x9e3779b97f4a7c15)

/* Repeats of the same steps, which each begins anywhere in the period. */
struct group {
	const struct repeat *base;
	int64_t *work_ns; /* by step of the base's period */
	size_t begin;
};

struct grouping {
	const uint64_t *symbols;
	const int64_t *work_ns;
	struct map by_steps; /* hashes of periods to groups */
	VECTOR(struct group) groups;
};

/* The same wherever the period begins. */
static uint64_t hash_of_any_order(const struct grouping *grouping, const struct repeat *repeat)
{
	uint64_t sum = repeat->period;

	for (size_t i = 0; i < repeat->period; i++)
		sum += mix(1, grouping->symbols[repeat->first + i]);
	return sum;
}

static uint64_t hash_of(const uint64_t *symbols, size_t period)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < period; i++)
		hash = hash * FACTOR + symbols[i];
	return hash;
}

static uint64_t power_of(size_t period)
{
	uint64_t power = 1;

	for (size_t i = 1; i < period; i++)
		power *= FACTOR;
	return power;
}

/* Behind how many steps of the base the repeat begins; SIZE_MAX: it has other steps. */
static size_t find_shift(const struct grouping *grouping, const struct repeat *base,
			 const struct repeat *repeat)
{
	const uint64_t *from = &grouping->symbols[base->first];
	const uint64_t *wanted = &grouping->symbols[repeat->first];
	size_t period = repeat->period;
	uint64_t hash, wanted_hash = hash_of(wanted, period), power = power_of(period);

	if (base->period != period)
		return SIZE_MAX;
	hash = hash_of(from, period);
	for (size_t shift = 0; shift < period; shift++) {
		if (hash == wanted_hash && !memcmp(from + shift, wanted, period * sizeof(*from)))
			return shift;
		/* A repeat has two copies at least. */
		hash = (hash - from[shift] * power) * FACTOR + from[shift + period];
	}
	return SIZE_MAX;
}

static void add_work(const struct grouping *grouping, struct group *group,
		     const struct repeat *repeat, size_t shift)
{
	for (size_t i = repeat->first; i < repeat->end; i++)
		group->work_ns[(i - repeat->first + shift) % repeat->period] +=
			grouping->work_ns[i];
}

/* Its group, and where it begins there. */
static size_t enter_group(struct grouping *grouping, const struct repeat *repeat, size_t *shift)
{
	uint64_t key = hash_of_any_order(grouping, repeat);
	size_t found = map_find(&grouping->by_steps, key);

	assert(found == MAP_NONE || grouping->groups.items); /* what is in the map is in groups */
	*shift = found == MAP_NONE
			 ? SIZE_MAX
			 : find_shift(grouping, grouping->groups.items[found].base, repeat);
	if (*shift == SIZE_MAX) {
		found = grouping->groups.count;
		map_set(&grouping->by_steps, key, found);
		*vector_add(&grouping->groups) = (struct group){
			.base = repeat, .work_ns = memory_array(repeat->period, sizeof(int64_t))};
		*shift = 0;
	}
	add_work(grouping, &grouping->groups.items[found], repeat, *shift);
	return found;
}

static size_t longest_repeat(const struct group *group)
{
	size_t begin = 0;

	for (size_t i = 1; i < group->base->period; i++)
		if (group->work_ns[i] > group->work_ns[begin])
			begin = i;
	return begin;
}

size_t *launch_periods_find(const uint64_t *symbols, const int64_t *work_ns,
			    const struct repeat *repeats, size_t count)
{
	struct grouping grouping = {.symbols = symbols, .work_ns = work_ns};
	size_t *begins = memory_array(count, sizeof(*begins));
	size_t *shifts = memory_array(count, sizeof(*shifts));
	size_t *of = memory_array(count, sizeof(*of));

	for (size_t i = 0; i < count; i++)
		of[i] = enter_group(&grouping, &repeats[i], &shifts[i]);
	for (size_t i = 0; i < grouping.groups.count; i++)
		grouping.groups.items[i].begin = longest_repeat(&grouping.groups.items[i]);
	for (size_t i = 0; i < count; i++)
		begins[i] = (grouping.groups.items[of[i]].begin + repeats[i].period - shifts[i]) %
			    repeats[i].period;
	for (size_t i = 0; i < grouping.groups.count; i++)
		free(grouping.groups.items[i].work_ns);
	vector_free(&grouping.groups);
	map_free(&grouping.by_steps);
	free(of);
	free(shifts);
	return begins;
}

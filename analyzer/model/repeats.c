#include "model/repeats.h"

#include "base/memory.h"
#include "base/thresholds.h"
#include "base/vector.h"

#include <stdlib.h>

/* Sequences are hashed as polynomials in BASE modulo the prime 2^61 - 1. */
#define PRIME ((UINT64_C(1) << 61) - 1)
#define BASE  UINT64_C(0x19b4d2a6f3c5e871)

struct search {
	const uint64_t *symbols;
	size_t count;
	uint64_t *hashes; /* of the first i symbols */
	uint64_t *powers; /* of BASE */
	VECTOR(struct repeat) found;
};

static uint64_t multiply_hashes(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;
	uint64_t sum = (uint64_t)(product & PRIME) + (uint64_t)(product >> 61);

	return sum >= PRIME ? sum - PRIME : sum;
}

static void hash_all(struct search *search)
{
	search->powers[0] = 1;
	for (size_t i = 0; i < search->count; i++) {
		uint64_t sum =
			multiply_hashes(search->hashes[i], BASE) + search->symbols[i] % PRIME;

		search->hashes[i + 1] = sum >= PRIME ? sum - PRIME : sum;
		search->powers[i + 1] = multiply_hashes(search->powers[i], BASE);
	}
}

static uint64_t hash_of(const struct search *search, size_t first, size_t length)
{
	uint64_t before = multiply_hashes(search->hashes[first], search->powers[length]);
	uint64_t all = search->hashes[first + length];

	return all >= before ? all - before : all + PRIME - before;
}

/* Whether as many symbols from a on, or up to a, equal those at b > a. */
static bool is_same(const struct search *search, size_t a, size_t b, size_t length,
		    bool is_backward)
{
	size_t back = is_backward ? length : 0;

	return hash_of(search, a - back, length) == hash_of(search, b - back, length);
}

/* How many are, at most `most`: doubled while they are, then halved. */
static size_t same_length(const struct search *search, size_t a, size_t b, size_t most,
			  bool is_backward)
{
	size_t length = 0, step = 1;

	while (step <= most - length && is_same(search, a, b, length + step, is_backward)) {
		length += step;
		step *= 2;
	}
	for (; step; step /= 2)
		if (step <= most - length && is_same(search, a, b, length + step, is_backward))
			length += step;
	return length;
}

/* The whole of what repeats with the period around a symbol that does. */
static struct repeat repeat_at(const struct search *search, size_t at, size_t period)
{
	size_t before = same_length(search, at - period, at, at - period, true);
	size_t behind = same_length(search, at - period, at, search->count - at, false);

	return (struct repeat){at - period - before, at + behind, period};
}

/* Goes from each symbol to its last occurrence after the same preceding ones. ends: by period, the
 * end of the last repeat found. */
static void search_all(struct search *search, size_t least)
{
	struct map last = {0}, ends = {0};

	for (size_t i = REPEAT_CONTEXT - 1; i < search->count; i++) {
		uint64_t key = hash_of(search, i + 1 - REPEAT_CONTEXT, REPEAT_CONTEXT);
		size_t before = map_find(&last, key), end;
		struct repeat repeat;

		map_set(&last, key, i);
		if (before == MAP_NONE)
			continue;
		end = map_find(&ends, i - before);
		if (end != MAP_NONE && i < end)
			continue;
		repeat = repeat_at(search, i, i - before);
		map_set(&ends, repeat.period, repeat.end);
		if ((repeat.end - repeat.first) / least >= repeat.period)
			*vector_add(&search->found) = repeat;
	}
	map_free(&ends);
	map_free(&last);
}

static int compare_lengths(const void *a, const void *b)
{
	const struct repeat *x = a, *y = b;
	size_t x_length = x->end - x->first, y_length = y->end - y->first;

	if (x_length != y_length)
		return x_length < y_length ? 1 : -1;
	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return (x->period > y->period) - (x->period < y->period);
}

static int compare_firsts(const void *a, const void *b)
{
	const struct repeat *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

/* One that overlaps a longer one has its first symbol in it, or its last. */
static void keep_longest(struct search *search)
{
	bool *is_taken = memory_array(search->count, sizeof(*is_taken));
	size_t kept = 0;

	vector_sort(&search->found, compare_lengths);
	for (size_t i = 0; i < search->found.count; i++) {
		struct repeat repeat = search->found.items[i];

		if (is_taken[repeat.first] || is_taken[repeat.end - 1])
			continue;
		for (size_t k = repeat.first; k < repeat.end; k++)
			is_taken[k] = true;
		search->found.items[kept++] = repeat;
	}
	search->found.count = kept;
	vector_sort(&search->found, compare_firsts);
	free(is_taken);
}

struct repeat *repeats_find(const uint64_t *symbols, size_t symbol_count, size_t least,
			    size_t *count)
{
	struct search search = {
		.symbols = symbols,
		.count = symbol_count,
		.hashes = memory_array(symbol_count + 1, sizeof(*search.hashes)),
		.powers = memory_array(symbol_count + 1, sizeof(*search.powers)),
	};
	struct repeat *found;

	hash_all(&search);
	search_all(&search, least);
	keep_longest(&search);
	free(search.powers);
	free(search.hashes);
	vector_move(&search.found, found, *count);
	return found;
}

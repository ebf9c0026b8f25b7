#include "findings/step_period.h"

#include "base/memory.h"
#include "base/mix.h"
#include "base/thresholds.h"

#include <stdlib.h>

struct search {
	const int64_t *start_ns;
	size_t count;
	uint64_t *hashes; /* of the first i symbols, in any order */
	uint32_t *places; /* the list's indexes, by symbol */
};

/* A symbol's occurrences; between two of them is a part. */
struct occurrences {
	const uint32_t *places;
	size_t count;
};

/* How a symbol's parts are alike. */
struct likeness {
	uint64_t hash;	    /* of the alike ones */
	size_t length;	    /* symbols in each of them */
	size_t first, last; /* the first alike part and the last */
	size_t others; /* parts between them whose length differs from `length` by more than STEPS_OTHER of it */
};

static uint64_t hash_of_part(const struct search *search, struct occurrences all, size_t part)
{
	return search->hashes[all.places[part + 1]] - search->hashes[all.places[part]];
}

static size_t length_of_part(struct occurrences all, size_t part)
{
	return all.places[part + 1] - all.places[part];
}

/* What makes up more than half of all, by length, if anything does: it outlives the votes of all else. */
static uint64_t find_majority(const struct search *search, struct occurrences all)
{
	uint64_t hash = 0;
	size_t votes = 0;

	for (size_t i = 0; i + 1 < all.count; i++) {
		const uint64_t other = hash_of_part(search, all, i);
		const size_t length = length_of_part(all, i);

		if (other == hash) {
			votes += length;
		} else if (length <= votes) {
			votes -= length;
		} else {
			votes = length - votes;
			hash = other;
		}
	}
	return hash;
}

static bool is_other(size_t length, size_t usual)
{
	size_t more = length > usual ? length - usual : usual - length;

	return (double)more > STEPS_OTHER * (double)usual;
}

/* Finds the parts that have the hash; returns how many there are. */
static size_t find_alike(const struct search *search, struct occurrences all,
			 struct likeness *likeness)
{
	size_t alike = 0;

	for (size_t i = 0; i + 1 < all.count; i++) {
		if (hash_of_part(search, all, i) != likeness->hash)
			continue;
		if (!alike++)
			likeness->first = i;
		likeness->last = i;
		likeness->length = length_of_part(all, i);
	}
	return alike;
}

/* Whether the symbol's occurrences may begin steps. */
static bool judge_likeness(const struct search *search, struct occurrences all,
			   struct likeness *likeness)
{
	size_t total = all.places[all.count - 1] - all.places[0], alike, usual = 0;
	int64_t covered_ns, whole_ns = search->start_ns[search->count - 1] - search->start_ns[0];

	*likeness = (struct likeness){.hash = find_majority(search, all)};
	alike = find_alike(search, all, likeness);
	if (alike < STEPS_LEAST || likeness->length < STEPS_LEAST_CALLS ||
	    (double)(alike * likeness->length) < STEPS_SAME * (double)total)
		return false;
	for (size_t i = 0; i + 1 < all.count; i++) {
		size_t length = length_of_part(all, i);

		if (!is_other(length, likeness->length))
			usual += length;
		else
			likeness->others += i > likeness->first && i < likeness->last;
	}
	covered_ns = search->start_ns[all.places[likeness->last + 1]] -
		     search->start_ns[all.places[likeness->first]];
	return (double)usual >= STEPS_ALIKE * (double)total &&
	       (double)covered_ns >= STEPS_COVER * (double)whole_ns;
}

static bool is_clear(const struct likeness *likeness)
{
	size_t most = (likeness->last - likeness->first) / STEPS_PER_BREAK;

	return likeness->others <= (most ? most : 1);
}

/* By symbol, in order; returns where each symbol's begin in search->places. */
static size_t *sort_places(const struct search *search, const uint32_t *symbols,
			   uint32_t symbol_count)
{
	size_t *ends = memory_array((size_t)symbol_count + 1, sizeof(*ends));

	for (size_t i = 0; i < search->count; i++)
		ends[symbols[i] + 1]++;
	for (uint32_t i = 0; i < symbol_count; i++)
		ends[i + 1] += ends[i];
	for (size_t i = search->count; i-- > 0;)
		search->places[--ends[symbols[i] + 1]] = (uint32_t)i;
	return ends;
}

/* Sums of these tell apart what they are sums of: mix() alone is nearly linear. */
static uint64_t hash_of_symbol(uint32_t symbol)
{
	const uint64_t any = UINT64_C(0xa24baed4963ee407);

	return mix(mix(mix(any, symbol), any), any);
}

static void hash_all(const struct search *search, const uint32_t *symbols)
{
	for (size_t i = 0; i < search->count; i++)
		search->hashes[i + 1] = search->hashes[i] + hash_of_symbol(symbols[i]);
}

/* Of symbols that come once a step each, the one that came first; of loops in loops, the inner one. */
static bool is_better(const struct likeness *a, struct occurrences of_a, const struct likeness *b,
		      struct occurrences of_b)
{
	if (a->length != b->length)
		return a->length < b->length;
	return of_a.places[a->first] < of_b.places[b->first];
}

static bool choose_symbol(const struct search *search, const size_t *begins, uint32_t symbol_count,
			  struct step_period *period)
{
	struct occurrences best = {0};
	struct likeness best_likeness = {0}, likeness;

	for (uint32_t i = 0; i < symbol_count; i++) {
		size_t end = i + 1 < symbol_count ? begins[i + 2] : search->count;
		struct occurrences all = {search->places + begins[i + 1], end - begins[i + 1]};

		if (all.count > STEPS_LEAST && judge_likeness(search, all, &likeness) &&
		    (!best.count || is_better(&likeness, all, &best_likeness, best))) {
			best = all;
			best_likeness = likeness;
		}
	}
	if (!best.count || !is_clear(&best_likeness))
		return false;
	/* The last one's step is not followed by another. */
	period->count = best_likeness.last + 2 - best_likeness.first;
	period->begins = memory_array(period->count, sizeof(*period->begins));
	for (size_t i = 0; i < period->count; i++)
		period->begins[i] = best.places[best_likeness.first + i];
	return true;
}

bool step_period_find(const uint32_t *symbols, const int64_t *start_ns, size_t count,
		      uint32_t symbol_count, struct step_period *period)
{
	struct search search = {
		.start_ns = start_ns,
		.count = count,
		.hashes = memory_array(count + 1, sizeof(*search.hashes)),
		.places = memory_array(count, sizeof(*search.places)),
	};
	size_t *begins;
	bool is_found;

	hash_all(&search, symbols);
	begins = sort_places(&search, symbols, symbol_count);
	is_found = choose_symbol(&search, begins, symbol_count, period);
	free(begins);
	free(search.places);
	free(search.hashes);
	return is_found;
}

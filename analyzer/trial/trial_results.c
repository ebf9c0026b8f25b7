#include "trial/trial_results.h"

#include "base/memory.h"

#include <stdlib.h>

enum result_mark { MARK_VARIES = 1, MARK_DIFFERS = 2, MARK_COMPARED = 4 };

static size_t count_of(const struct trial_page *page)
{
	const size_t count = atomic_load(&page->result_count);

	return count < TRIAL_MOST_RESULTS ? count : TRIAL_MOST_RESULTS;
}

static void take_first(struct trial_results *results, const struct trial_page *page)
{
	results->count = count_of(page);
	for (size_t i = 0; i < 2; i++)
		results->first[i] = memory_array(results->count, sizeof(*results->first[i]));
	results->marks = memory_array(results->count, sizeof(*results->marks));
	for (size_t i = 0; i < results->count; i++)
		results->first[page->hashes_all][i] = atomic_load(&page->results[i]);
}

/* A copy whose bytes were overwritten before they could be hashed is not compared. */
static void compare_result(uint64_t *first, unsigned char *marks, uint64_t hash, bool is_fixed)
{
	if (!hash)
		return;
	if (!*first && !is_fixed)
		*first = hash;
	if (!*first)
		return;
	if (is_fixed)
		*marks |= MARK_COMPARED;
	if (hash != *first)
		*marks |= is_fixed ? MARK_DIFFERS : MARK_VARIES;
}

void trial_results_add(struct trial_results *results, const struct trial_page *page, bool is_fixed)
{
	const size_t count = count_of(page);
	const size_t common = count < results->count ? count : results->count;

	if (!results->marks) {
		take_first(results, page);
		return;
	}
	if (count != results->count && !is_fixed)
		results->count_varies = true;
	else if (count != results->count && !results->fixed_most)
		results->fixed_most = common + 1;
	for (size_t i = 0; i < common; i++)
		compare_result(&results->first[page->hashes_all][i], &results->marks[i],
			       atomic_load(&page->results[i]), is_fixed);
}

struct trial_comparison trial_results_compare(const struct trial_results *results)
{
	struct trial_comparison comparison = {.count_varies = results->count_varies};

	for (size_t i = 0; i < results->count; i++) {
		if (results->marks[i] & MARK_VARIES)
			comparison.varying++;
		else if (results->marks[i] & MARK_COMPARED)
			comparison.compared++;
		else
			comparison.unknown++;
		if (results->marks[i] & MARK_DIFFERS && !(results->marks[i] & MARK_VARIES) &&
		    !comparison.different)
			comparison.different = i + 1;
	}
	if (!comparison.different && !results->count_varies)
		comparison.different = results->fixed_most;
	return comparison;
}

void trial_results_free(struct trial_results *results)
{
	free(results->first[0]);
	free(results->first[1]);
	free(results->marks);
}

#include "gate/ranks.h"

#include "base/rank_order.h"
#include "base/search.h"
#include "gate/gate_texts.h"

#include <stdlib.h>
#include <string.h>

static int compare_names(const void *a, const void *b)
{
	return rank_order(((const struct rank *)a)->name, ((const struct rank *)b)->name);
}

static void merge_names(struct ranks *ranks)
{
	size_t kept = 0;

	vector_sort(&ranks->items, compare_names);
	for (size_t i = 0; i < ranks->items.count; i++) {
		const struct rank *rank = &ranks->items.items[i];

		if (kept && !compare_names(&ranks->items.items[kept - 1], rank)) {
			ranks->items.items[kept - 1].base_count += rank->base_count;
			ranks->items.items[kept - 1].head_count += rank->head_count;
		} else {
			ranks->items.items[kept++] = *rank;
		}
	}
	ranks->items.count = kept;
}

static bool has_pair(const struct ranks *ranks)
{
	for (size_t i = 0; i < ranks->items.count; i++)
		if (rank_is_pair(&ranks->items.items[i]))
			return true;
	return false;
}

static size_t find_rank(const struct ranks *ranks, const char *name)
{
	return search_from(1, ranks->items.count, i,
			   rank_order(ranks->items.items[i].name, name) <= 0) -
	       1;
}

struct ranks ranks_find(const struct gate_run *const *runs, size_t base_count, size_t count)
{
	struct ranks ranks = {.of = memory_array(count, sizeof(*ranks.of)), .count = count};

	for (size_t i = 0; i < count; i++)
		*vector_add(&ranks.items) =
			(struct rank){runs[i]->rank, i < base_count, i >= base_count};
	merge_names(&ranks);
	if (!has_pair(&ranks)) {
		vector_free(&ranks.items);
		*vector_add(&ranks.items) = (struct rank){NULL, base_count, count - base_count};
	}
	for (size_t i = 0; i < count; i++)
		ranks.of[i] = find_rank(&ranks, runs[i]->rank);
	return ranks;
}

/* -1: it is none. */
static long number_of(const char *name)
{
	size_t digits = name ? strspn(name, "0123456789") : 0;

	return digits && digits < 9 && !name[digits] ? strtol(name, NULL, 10) : -1;
}

/* The last of the chosen ranks from i on whose numbers follow each other. */
static size_t end_of_row(const struct ranks *ranks, const bool *is_chosen, size_t i)
{
	const struct rank *items = ranks->items.items;

	while (i + 1 < ranks->items.count && is_chosen[i + 1] && number_of(items[i].name) >= 0 &&
	       number_of(items[i + 1].name) == number_of(items[i].name) + 1)
		i++;
	return i;
}

const char *ranks_describe(const struct ranks *ranks, const bool *is_chosen, struct arena *arena)
{
	const struct rank *items = ranks->items.items;
	const char *text = NULL, *others = NULL;
	bool is_one = true;

	for (size_t i = 0, last; i < ranks->items.count; i = last + 1) {
		last = i;
		if (!is_chosen[i])
			continue;
		if (!items[i].name) {
			others = "the processes without a rank";
			continue;
		}
		last = end_of_row(ranks, is_chosen, i);
		is_one &= !text && last == i;
		text = text_format(arena, "%s%s%s%s%s", text ? text : "", text ? ", " : "",
				   items[i].name, last == i ? "" : " to ",
				   last == i ? "" : items[last].name);
	}
	return text_format(arena, "%s%s%s%s",
			   !text    ? ""
			   : is_one ? "rank "
				    : "ranks ",
			   text ? text : "", text && others ? " and " : "", others ? others : "");
}

void ranks_free(struct ranks *ranks)
{
	vector_free(&ranks->items);
	free(ranks->of);
}

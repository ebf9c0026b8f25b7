#include "job/folder_runs.h"

#include "base/memory.h"
#include "base/vector.h"

#include <stdlib.h>
#include <string.h>

/* Runs on machines whose clocks differ by up to this may still be of the same time. */
#define CLOCKS_APART_NS 60000000000

/* Files with the same traced_by and run. */
struct group {
	const struct folder_file *first_file;
	size_t first, end; /* in choosing.order */
	int64_t start_ns;  /* when the last of them began */
	int64_t end_ns;
};

struct choosing {
	const struct folder_file *const *files;
	size_t *order;	  /* of files, by group */
	struct map ranks; /* taken ones, by hash */
	bool *is_chosen;
};

static int compare_texts(const char *a, const char *b)
{
	if (!a || !b)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

static bool is_equal(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

static int compare_origins(const struct folder_file *a, const struct folder_file *b)
{
	int order = compare_texts(a->traced_by, b->traced_by);

	return order ? order : compare_texts(a->run, b->run);
}

static int compare_indexes(const void *a, const void *b, void *files)
{
	const size_t *x = a, *y = b;
	const struct folder_file *const *all = files;
	int order = compare_origins(all[*x], all[*y]);

	return order ? order : (*x > *y) - (*x < *y);
}

/* The newest first. */
static int compare_groups(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	if (x->start_ns != y->start_ns)
		return x->start_ns > y->start_ns ? -1 : 1;
	return compare_origins(x->first_file, y->first_file);
}

/* FNV-1a. If two ranks had the same hash, the second one's group would be left out as another run. */
static uint64_t hash_of(const char *rank)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (; *rank; rank++)
		hash = (hash ^ (unsigned char)*rank) * 0x100000001b3;
	return hash;
}

static bool has_taken_rank(const struct choosing *choosing, const struct group *group)
{
	for (size_t i = group->first; i < group->end; i++) {
		const char *rank = choosing->files[choosing->order[i]]->rank;

		if (rank && map_find(&choosing->ranks, hash_of(rank)) != MAP_NONE)
			return true;
	}
	return false;
}

static void take_group(struct choosing *choosing, const struct group *group)
{
	for (size_t i = group->first; i < group->end; i++) {
		const char *rank = choosing->files[choosing->order[i]]->rank;

		if (rank)
			map_set(&choosing->ranks, hash_of(rank), 0);
		choosing->is_chosen[choosing->order[i]] = true;
	}
}

/* Whether no other launch has that name. */
static bool is_launch(const char *run)
{
	static const char *const prefixes[] = {"pmix:", "ompi:", "slurm:"};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (strncmp(run, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}

/* Whether it was still running when the newest one began. */
static bool is_beside(const struct group *group, const struct group *newest)
{
	int64_t apart_ns = is_equal(group->first_file->boot_id, newest->first_file->boot_id)
				   ? 0
				   : CLOCKS_APART_NS;

	return group->end_ns >= newest->start_ns - apart_ns;
}

static bool is_of_run(const struct group *group, const struct group *newest)
{
	const struct folder_file *a = group->first_file, *b = newest->first_file;

	if (is_equal(a->traced_by, b->traced_by))
		return true;
	return is_equal(a->run, b->run) && compare_texts(a->ranks, b->ranks) == 0 &&
	       (is_launch(a->run) || is_beside(group, newest));
}

static void choose_groups(struct choosing *choosing, const struct group *groups, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (i == 0 ||
		    (is_of_run(&groups[i], &groups[0]) && !has_taken_rank(choosing, &groups[i])))
			take_group(choosing, &groups[i]);
}

bool *folder_runs_choose(const struct folder_file *const *files, size_t count)
{
	struct choosing choosing = {.files = files,
				    .order = memory_array(count, sizeof(*choosing.order)),
				    .is_chosen = memory_array(count, sizeof(bool))};
	VECTOR(struct group) groups = {0};

	for (size_t i = 0; i < count; i++)
		choosing.order[i] = i;
	if (count)
		qsort_r(choosing.order, count, sizeof(*choosing.order), compare_indexes,
			(void *)files);
	for (size_t i = 0; i < count; i++) {
		const struct folder_file *file = files[choosing.order[i]];
		struct group *group;

		if (!groups.count ||
		    compare_origins(groups.items[groups.count - 1].first_file, file) != 0)
			*vector_add(&groups) = (struct group){.first_file = file, .first = i};
		group = &groups.items[groups.count - 1];
		group->end = i + 1;
		if (file->start_ns > group->start_ns)
			group->start_ns = file->start_ns;
		if (file->end_ns > group->end_ns)
			group->end_ns = file->end_ns;
	}
	vector_sort(&groups, compare_groups);
	choose_groups(&choosing, groups.items, groups.count);
	vector_free(&groups);
	map_free(&choosing.ranks);
	free(choosing.order);
	return choosing.is_chosen;
}

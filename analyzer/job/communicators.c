#include "job/communicators.h"

#include "base/memory.h"
#include "base/search.h"

#include <stdlib.h>

static struct job_communicator merge_two(const struct job_communicator *a,
					 const struct job_communicator *b)
{
	return (struct job_communicator){
		.unique_id = a->unique_id,
		.least_ranks = a->least_ranks < b->least_ranks ? a->least_ranks : b->least_ranks,
		.most_ranks = a->most_ranks > b->most_ranks ? a->most_ranks : b->most_ranks,
		.members = a->members + b->members,
	};
}

struct job_communicators communicators_merge(struct job_communicators a, struct job_communicators b)
{
	struct job_communicators merged = {0};
	size_t i = 0, j = 0;

	merged.items = memory_array(a.count + b.count, sizeof(*merged.items));
	while (i < a.count || j < b.count) {
		struct job_communicator *to = &merged.items[merged.count++];

		if (i < a.count && j < b.count && a.items[i].unique_id == b.items[j].unique_id)
			*to = merge_two(&a.items[i++], &b.items[j++]);
		else if (j == b.count ||
			 (i < a.count && a.items[i].unique_id < b.items[j].unique_id))
			*to = a.items[i++];
		else
			*to = b.items[j++];
	}
	merged.items = memory_shrink(merged.items, merged.count, sizeof(*merged.items));
	free(a.items);
	free(b.items);
	return merged;
}

static bool sizes_agree(const struct job_communicator *communicator)
{
	return communicator->least_ranks == communicator->most_ranks &&
	       communicator->members <= communicator->most_ranks;
}

bool communicators_agree(const struct job_communicators *communicators, uint64_t unique_id)
{
	const struct job_communicator *items = communicators->items;
	size_t at = search(communicators->count, i, items[i].unique_id < unique_id);

	return at < communicators->count && items[at].unique_id == unique_id &&
	       sizes_agree(&items[at]);
}

size_t communicators_doubtful(const struct job_communicators *communicators)
{
	size_t count = 0;

	for (size_t i = 0; i < communicators->count; i++)
		count += !sizes_agree(&communicators->items[i]);
	return count;
}

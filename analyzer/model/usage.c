#include "model/usage.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/search.h"

#include <stdlib.h>

enum { BLOCK_STEPS = 16 };
#define NONE SIZE_MAX
/* Higher sums are cut: only whether there is room matters. */
enum { MOST_USED = 2 * OCCUPANCY_WHOLE };

struct usage_block {
	uint32_t least, most; /* of `used` */
};

/* A change of the sums of shares; `claimed` ignores the ends of waves. */
struct change {
	int64_t time_ns, used, claimed;
};

static int compare_changes(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	return (x->time_ns > y->time_ns) - (x->time_ns < y->time_ns);
}

static struct change change_at_start(const struct usage_use *use)
{
	return (struct change){use->span.start_ns, use->occupancy.share, use->occupancy.share};
}

/* The shares given back, sorted by time, to be freed. */
static struct change *changes_behind(const struct usage_use *uses, size_t count, size_t *changes)
{
	struct change *behind = memory_array(2 * count, sizeof(*behind));
	bool is_sorted = true;
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		int64_t end_ns = uses[i].span.end_ns, share = uses[i].occupancy.share,
			tail_share = uses[i].occupancy.tail_share;

		if (uses[i].occupancy.tail_ns)
			behind[n++] = (struct change){end_ns - uses[i].occupancy.tail_ns,
						      tail_share - share, 0};
		else
			tail_share = share;
		behind[n++] = (struct change){end_ns, -tail_share, -share};
	}
	for (size_t i = 1; i < n && is_sorted; i++)
		is_sorted = behind[i - 1].time_ns <= behind[i].time_ns;
	if (!is_sorted)
		qsort(behind, n, sizeof(*behind), compare_changes);
	*changes = n;
	return behind;
}

/* For how long an operation that needs the whole engine would have had it alone: ns, by step. */
static double alone_ns(int64_t span_ns, int64_t claimed)
{
	return claimed <= OCCUPANCY_WHOLE ? (double)span_ns
					  : (double)span_ns * OCCUPANCY_WHOLE / (double)claimed;
}

struct merging {
	struct usage *usage;
	double *alone_ns; /* up to each step */
	int64_t used, claimed;
};

static void merge_change(struct merging *merging, const struct change *change)
{
	struct usage *usage = merging->usage;
	size_t last = usage->step_count - 1;

	if (usage->times_ns[last] < change->time_ns) {
		int64_t before_ns = usage->times_ns[last];

		/* Nothing runs before the first one. */
		merging->alone_ns[last + 1] =
			last ? merging->alone_ns[last] +
					alone_ns(change->time_ns - before_ns, merging->claimed)
			     : 0;
		usage->times_ns[++last] = change->time_ns;
		usage->step_count++;
	}
	merging->used += change->used;
	merging->claimed += change->claimed;
	usage->used[last] = (uint32_t)min_ns(merging->used, MOST_USED);
}

/* The last step that is no later than the time. */
static size_t step_at(const struct usage *usage, int64_t time_ns)
{
	return search_from(1, usage->step_count, i, usage->times_ns[i] <= time_ns) - 1;
}

static uint32_t least_of(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static uint32_t most_of(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static void build_blocks(struct usage *usage)
{
	size_t leaves = 1;

	while (leaves * BLOCK_STEPS < usage->step_count)
		leaves *= 2;
	usage->leaf_count = leaves;
	usage->blocks = memory_array(2 * leaves, sizeof(*usage->blocks));
	for (size_t i = 0; i < leaves; i++)
		usage->blocks[leaves + i] = (struct usage_block){UINT32_MAX, 0};
	for (size_t i = 0; i < usage->step_count; i++) {
		struct usage_block *block = &usage->blocks[leaves + i / BLOCK_STEPS];

		block->least = least_of(block->least, usage->used[i]);
		block->most = most_of(block->most, usage->used[i]);
	}
	for (size_t i = leaves - 1; i > 0; i--)
		usage->blocks[i] = (struct usage_block){
			least_of(usage->blocks[2 * i].least, usage->blocks[2 * i + 1].least),
			most_of(usage->blocks[2 * i].most, usage->blocks[2 * i + 1].most)};
}

/* What a use was of the whole engine. */
static int64_t work_of(const struct merging *merging, const struct usage_use *use)
{
	double alone_ns = merging->alone_ns[step_at(merging->usage, use->span.end_ns)] -
			  merging->alone_ns[step_at(merging->usage, use->span.start_ns)];

	return (int64_t)(alone_ns * use->occupancy.share / OCCUPANCY_WHOLE + 0.5);
}

void usage_build(struct usage *usage, const struct usage_use *uses, size_t count, int64_t *work_ns)
{
	size_t change_count, next = 0;
	struct change *behind = changes_behind(uses, count, &change_count);
	struct merging merging = {.usage = usage};

	usage->times_ns = memory_array(count + change_count + 1, sizeof(*usage->times_ns));
	usage->used = memory_array(count + change_count + 1, sizeof(*usage->used));
	merging.alone_ns = memory_array(count + change_count + 1, sizeof(*merging.alone_ns));
	usage->times_ns[0] = INT64_MIN;
	usage->step_count = 1;
	for (size_t i = 0; i < count; i++) {
		struct change start = change_at_start(&uses[i]);

		for (; next < change_count && behind[next].time_ns < start.time_ns; next++)
			merge_change(&merging, &behind[next]);
		merge_change(&merging, &start);
	}
	for (; next < change_count; next++)
		merge_change(&merging, &behind[next]);
	for (size_t i = 0; i < count; i++)
		work_ns[i] = work_of(&merging, &uses[i]);
	build_blocks(usage);
	free(merging.alone_ns);
	free(behind);
}

/* A question: the steps with room for a share, or those without. */
struct wanted {
	int64_t most;  /* used at most so much, where there is room */
	bool has_room; /* which of them are asked for */
};

static bool step_has(const struct usage *usage, size_t step, struct wanted wanted)
{
	return (usage->used[step] <= wanted.most) == wanted.has_room;
}

static bool block_has(const struct usage *usage, size_t block, struct wanted wanted)
{
	return wanted.has_room ? usage->blocks[block].least <= wanted.most
			       : usage->blocks[block].most > wanted.most;
}

/* The first such step of the block, or the last one; NONE. */
static size_t within_block(const struct usage *usage, size_t leaf, struct wanted wanted,
			   bool is_last)
{
	size_t first = leaf * BLOCK_STEPS, end = first + BLOCK_STEPS;

	if (end > usage->step_count)
		end = usage->step_count;
	for (size_t i = first; i < end; i++) {
		size_t step = is_last ? end - 1 - (i - first) : i;

		if (step_has(usage, step, wanted))
			return step;
	}
	return NONE;
}

/* The first such step from this one on; NONE. */
static size_t next_step(const struct usage *usage, size_t step, struct wanted wanted)
{
	size_t block = usage->leaf_count + step / BLOCK_STEPS;

	for (; step < usage->step_count; step++) {
		if (step_has(usage, step, wanted))
			return step;
		if (step % BLOCK_STEPS == BLOCK_STEPS - 1)
			break;
	}
	do {
		/* To the block behind it, or the larger one that this begins. */
		while (block & 1)
			block /= 2;
		if (!block)
			return NONE;
		block++;
	} while (!block_has(usage, block, wanted));
	while (block < usage->leaf_count) {
		block *= 2;
		block += !block_has(usage, block, wanted);
	}
	return within_block(usage, block - usage->leaf_count, wanted, false);
}

/* The last such step up to this one; NONE. */
static size_t step_before(const struct usage *usage, size_t step, struct wanted wanted)
{
	size_t block = usage->leaf_count + step / BLOCK_STEPS;

	for (;; step--) {
		if (step_has(usage, step, wanted))
			return step;
		if (step % BLOCK_STEPS == 0)
			break;
	}
	do {
		while (block > 1 && !(block & 1))
			block /= 2;
		if (block == 1)
			return NONE;
		block--;
	} while (!block_has(usage, block, wanted));
	while (block < usage->leaf_count) {
		block = 2 * block + 1;
		block -= !block_has(usage, block, wanted);
	}
	return within_block(usage, block - usage->leaf_count, wanted, true);
}

struct span usage_last_room(const struct usage *usage, struct span span, uint32_t share)
{
	struct wanted room = {(int64_t)OCCUPANCY_WHOLE - share, true}, none = {room.most, false};
	size_t last = step_at(usage, span.end_ns - 1), free = step_before(usage, last, room), full;

	if (free == NONE)
		return (struct span){0, 0};
	if (free < last)
		span.end_ns = min_ns(span.end_ns, usage->times_ns[free + 1]);
	full = step_before(usage, free, none);
	if (full != NONE)
		span.start_ns = max_ns(span.start_ns, usage->times_ns[full + 1]);
	return span.start_ns < span.end_ns ? span : (struct span){0, 0};
}

struct span usage_from_first_room(const struct usage *usage, struct span span, uint32_t share)
{
	struct wanted room = {(int64_t)OCCUPANCY_WHOLE - share, true};
	size_t free = next_step(usage, step_at(usage, span.start_ns), room);

	if (free != NONE)
		span.start_ns = max_ns(span.start_ns, usage->times_ns[free]);
	return free != NONE && span.start_ns < span.end_ns ? span : (struct span){0, 0};
}

void usage_free(struct usage *usage)
{
	free(usage->blocks);
	free(usage->used);
	free(usage->times_ns);
	*usage = (struct usage){0};
}

#include "viewer/levels.h"

#include "base/memory.h"
#include "base/minmax.h"

#include <stdlib.h>

#define MOST_LEVELS 7

/* Of a class, by bin of the finest level. */
struct filled {
	double *part;  /* by spans that begin or end in it, in bins */
	int32_t *full; /* how many spans more than in the bin before fill it */
};

struct levels {
	int64_t end_ns;
	double bins_per_ns;
	size_t level_count, bin_count; /* of the finest */
	struct filled classes[VIEWER_CLASS_COUNT];
	struct level_bin *bins[MOST_LEVELS];
};

static size_t bins_of(size_t level)
{
	return (size_t)LEVELS_FIRST_BINS << 2 * level;
}

struct levels *levels_create(int64_t end_ns, size_t wanted_bins)
{
	struct levels *levels = memory_array(1, sizeof(*levels));

	levels->level_count = 1;
	while (levels->level_count < MOST_LEVELS && bins_of(levels->level_count - 1) < wanted_bins)
		levels->level_count++;
	levels->bin_count = bins_of(levels->level_count - 1);
	levels->end_ns = max_ns(end_ns, 1);
	levels->bins_per_ns = (double)levels->bin_count / (double)levels->end_ns;
	return levels;
}

static size_t bin_at(const struct levels *levels, double bins)
{
	size_t bin = (size_t)bins;

	return bin < levels->bin_count ? bin : levels->bin_count - 1;
}

/* A span counts for a bin's thousandth at least: it is there. */
#define LEAST_PART 1e-3

void levels_add(struct levels *levels, enum viewer_class class, int64_t start_ns, int64_t end_ns)
{
	struct filled *filled = &levels->classes[class];
	double start, end;
	size_t first, last;

	if (start_ns > levels->end_ns || end_ns < 0)
		return;
	if (!filled->part) {
		filled->part = memory_array(levels->bin_count, sizeof(*filled->part));
		filled->full = memory_array(levels->bin_count + 1, sizeof(*filled->full));
	}
	start = (double)max_ns(start_ns, 0) * levels->bins_per_ns;
	end = (double)min_ns(end_ns, levels->end_ns) * levels->bins_per_ns;
	first = bin_at(levels, start);
	last = bin_at(levels, end);
	if (first == last) {
		filled->part[first] += end - start > LEAST_PART ? end - start : LEAST_PART;
		return;
	}
	filled->part[first] += (double)(first + 1) - start;
	filled->part[last] += end - (double)last;
	filled->full[first + 1]++;
	filled->full[last]--;
}

/* The full bins of a class, counted up, join its parts. */
static void sum_full(struct levels *levels, struct filled *filled)
{
	int64_t full = 0;

	for (size_t i = 0; filled->part && i < levels->bin_count; i++) {
		full += filled->full[i];
		filled->part[i] += (double)full;
	}
}

static struct level_bin make_bin(const struct levels *levels, size_t bin, double width)
{
	double most = 0, all = 0;
	struct level_bin made = {0, 0};

	for (int class = 0; class < VIEWER_CLASS_COUNT; class ++) {
		double part = levels->classes[class].part ? levels->classes[class].part[bin] : 0;

		all += part;
		if (part <= most)
			continue;
		most = part;
		made.class = (uint8_t) class;
	}
	all /= width;
	if (all > 0)
		made.fill = all >= 1 ? 255 : (uint8_t)(1 + all * 254);
	return made;
}

/* Each class's bins become those of the level above, in place. */
static void join_bins(struct levels *levels, size_t count)
{
	for (int class = 0; class < VIEWER_CLASS_COUNT; class ++) {
		double *part = levels->classes[class].part;

		for (size_t i = 0; part && i < count; i++)
			part[i] = part[4 * i] + part[4 * i + 1] + part[4 * i + 2] + part[4 * i + 3];
	}
}

size_t levels_finish(struct levels *levels)
{
	double width = 1;

	for (int class = 0; class < VIEWER_CLASS_COUNT; class ++)
		sum_full(levels, &levels->classes[class]);
	for (size_t level = levels->level_count; level-- > 0; width *= 4) {
		size_t count = bins_of(level);

		if (level + 1 < levels->level_count)
			join_bins(levels, count);
		levels->bins[level] = memory_array(count, sizeof(struct level_bin));
		for (size_t i = 0; i < count; i++)
			levels->bins[level][i] = make_bin(levels, i, width);
	}
	return levels->level_count;
}

const struct level_bin *levels_bins(const struct levels *levels, size_t level)
{
	return levels->bins[level];
}

void levels_free(struct levels *levels)
{
	for (int class = 0; class < VIEWER_CLASS_COUNT; class ++) {
		free(levels->classes[class].part);
		free(levels->classes[class].full);
	}
	for (size_t i = 0; i < MOST_LEVELS; i++)
		free(levels->bins[i]);
	free(levels);
}

#include "detectors/waits/told_kernels.h"

#include "base/mix.h"
#include "model/kernel_parameters.h"

/* What a kernel takes by value, as bits of a value in told.kernels. */
enum { TAKES_FLOAT = 1, TAKES_DOUBLE = 2 };

static size_t takes_of(struct told_kernels *told, const char *name)
{
	size_t takes = map_find(&told->kernels, (uint64_t)(uintptr_t)name);
	struct kernel_parameters parameters;

	if (takes != MAP_NONE)
		return takes;
	parameters = kernel_parameters_read(name);
	takes = (parameters.has_float ? TAKES_FLOAT : 0) |
		(parameters.has_double ? TAKES_DOUBLE : 0);
	map_set(&told->kernels, (uint64_t)(uintptr_t)name, takes);
	return takes;
}

/* Whether the kernel takes floating-point numbers that what was read can be. They are data: what a host
 * decides by a value are counts, sizes and branches, which are whole numbers. */
static bool takes_value(struct told_kernels *told, const char *name, uint64_t read_bytes)
{
	size_t takes = takes_of(told, name);

	return ((takes & TAKES_FLOAT) && read_bytes % sizeof(float) == 0) ||
	       ((takes & TAKES_DOUBLE) && read_bytes % sizeof(double) == 0);
}

/* Whether a step that told `last` was followed by one that told `now` when the loop ran before. A loop
 * that counts its steps tells the same each time that it begins again, whatever the values are. Where a
 * run alone tells the same again, it does not count. */
static bool is_counted(struct told_kernels *told, const struct told_line *line, size_t line_id,
		       uint64_t now)
{
	uint64_t key = mix(mix(line->last, line_id), 0), run_key = mix(mix(line->last, line_id), 1);
	size_t before = map_find(&told->counted, key), run = map_find(&told->counted, run_key);

	map_set(&told->counted, key, (size_t)(now >> 1)); /* not MAP_NONE */
	map_set(&told->counted, run_key, line->run);
	return before == (size_t)(now >> 1) && run != line->run;
}

static uint64_t hash_of(const told_kernel_vector *kernels)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < kernels->count; i++)
		hash = mix(hash, kernels->items[i].numbers);
	return hash;
}

/* A step that tells a quarter of its kernels something new may have been told so by the value. Loops
 * count their steps, too, and draw random numbers: in a few kernels of many. */
static bool is_more(size_t changed, const told_kernel_vector *kernels)
{
	return changed * 4 > kernels->count;
}

static enum told compare_steps(struct told_kernels *told, const told_kernel_vector *before,
			       const told_kernel_vector *now, uint64_t read_bytes)
{
	size_t changed = 0, values = 0;

	if (before->count != now->count)
		return TOLD_ANEW;
	for (size_t i = 0; i < now->count; i++) {
		if (now->items[i].numbers == before->items[i].numbers)
			continue;
		changed++;
		values += takes_value(told, now->items[i].name, read_bytes);
	}
	if (!is_more(changed, now))
		return TOLD_SAME;
	return is_more(changed - values, now) ? TOLD_ANEW : TOLD_VALUE;
}

enum told told_kernels_take(struct told_kernels *told, struct told_line *line, size_t line_id,
			    told_kernel_vector *kernels, uint64_t read_bytes, bool is_same)
{
	enum told result = TOLD_ANEW;
	told_kernel_vector before = line->kernels;
	uint64_t now = hash_of(kernels);

	if (is_same)
		result = compare_steps(told, &before, kernels, read_bytes);
	else
		line->run++;
	if (is_same && now != line->last && is_counted(told, line, line_id, now))
		result = TOLD_SAME;
	line->last = now;
	line->kernels = *kernels;
	*kernels = before;
	return result;
}

void told_kernels_free(struct told_kernels *told)
{
	map_free(&told->kernels);
	map_free(&told->counted);
}

#include "findings/causes.h"

#include "base/memory.h"
#include "base/vector.h"

#include <stdlib.h>

/* What a line uses of one object. Within a place, adjacent pieces are one object, because a loop
 * takes a buffer piece by piece. Between places, only overlapping pieces are: different arrays may
 * be adjacent. */
struct use {
	struct cause cause;
	uint32_t line, place; /* causes.h */
	uint32_t object;      /* the same for what overlaps */
	size_t count;	      /* of instances */
};

typedef VECTOR(struct use) use_vector;

#define NO_OBJECT UINT32_MAX

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_causes(const struct cause *a, const struct cause *b)
{
	int order = (int)a->kind - (int)b->kind;

	return order ? order : compare_numbers(a->start, b->start);
}

static int compare_by_place(const void *a, const void *b)
{
	const struct use *x = a, *y = b;
	int order = compare_numbers(x->place, y->place);

	return order ? order : compare_causes(&x->cause, &y->cause);
}

static int compare_by_cause(const void *a, const void *b)
{
	const struct use *x = a, *y = b;
	int order = compare_causes(&x->cause, &y->cause);

	return order ? order : compare_numbers(x->line, y->line);
}

static int compare_by_object(const void *a, const void *b)
{
	const struct use *x = a, *y = b;
	int order = compare_numbers(x->line, y->line);

	return order ? order : compare_numbers(x->object, y->object);
}

static use_vector find_uses(const struct model *model, const struct detector *detector,
			    const struct caused *caused, size_t count)
{
	use_vector uses = {0};

	for (size_t i = 0; i < count; i++) {
		struct cause cause = detector->cause(model, caused[i].instance);

		if (cause.kind != CAUSE_NONE)
			*vector_add(&uses) = (struct use){.cause = cause,
							  .line = caused[i].line,
							  .place = caused[i].place,
							  .count = 1};
	}
	return uses;
}

static uint64_t later_end(const struct use *a, const struct use *b)
{
	return a->cause.end > b->cause.end ? a->cause.end : b->cause.end;
}

/* Memory that touches, of one place; numbers that touch are different objects. */
static bool is_touching(const struct use *before, const struct use *use)
{
	return use->place == before->place && use->cause.kind == before->cause.kind &&
	       (use->cause.kind == CAUSE_HOST_MEMORY ? use->cause.start <= before->cause.end
						     : use->cause.start < before->cause.end);
}

/* Counts the use with that of its line among those kept from first on, which has the same object. */
static void keep_use(use_vector *uses, size_t first, size_t *kept, struct use use)
{
	for (size_t i = first; i < *kept; i++)
		if (uses->items[i].line == use.line) {
			uses->items[i].count += use.count;
			return;
		}
	uses->items[(*kept)++] = use;
}

static void join_pieces(use_vector *uses)
{
	size_t kept = 0, next;

	vector_sort(uses, compare_by_place);
	for (size_t first = 0; first < uses->count; first = next) {
		struct use joined = uses->items[first];
		size_t first_kept = kept;

		for (next = first + 1;
		     next < uses->count && is_touching(&joined, &uses->items[next]); next++)
			joined.cause.end = later_end(&joined, &uses->items[next]);
		for (size_t i = first; i < next; i++) {
			struct use use = uses->items[i];

			use.cause = joined.cause;
			keep_use(uses, first_kept, &kept, use);
		}
	}
	uses->count = kept;
}

/* Returns how many there are. */
static uint32_t number_objects(use_vector *uses)
{
	uint32_t object = 0;
	uint64_t end = 0;

	vector_sort(uses, compare_by_cause);
	for (size_t i = 0; i < uses->count; i++) {
		struct use *use = &uses->items[i];

		if (i && (use->cause.kind != use[-1].cause.kind || use->cause.start >= end)) {
			object++;
			end = 0;
		}
		end = use->cause.end > end ? use->cause.end : end;
		use->object = object;
	}
	return uses->count ? object + 1 : 0;
}

/* The object of most of a line's instances, by line: NO_OBJECT where there is none. */
static uint32_t *find_objects(use_vector *uses, const struct caused *caused, size_t count,
			      uint32_t line_count)
{
	uint32_t *objects = memory_array(line_count, sizeof(*objects));
	size_t *instances = memory_array(line_count, sizeof(*instances));

	for (uint32_t i = 0; i < line_count; i++)
		objects[i] = NO_OBJECT;
	for (size_t i = 0; i < count; i++)
		instances[caused[i].line]++;
	vector_sort(uses, compare_by_object);
	for (size_t first = 0, i; first < uses->count; first = i) {
		const struct use *use = &uses->items[first];
		size_t of_object = 0;

		for (i = first; i < uses->count && !compare_by_object(use, &uses->items[i]); i++)
			of_object += uses->items[i].count;
		if (of_object * 2 > instances[use->line])
			objects[use->line] = use->object;
	}
	free(instances);
	return objects;
}

/* From the lines' objects, in their place. */
static void number_groups(uint32_t *lines, uint32_t line_count, uint32_t object_count)
{
	uint32_t *groups = memory_array(object_count, sizeof(*groups)), next = 0;

	for (uint32_t i = 0; i < object_count; i++)
		groups[i] = NO_OBJECT;
	for (uint32_t i = 0; i < line_count; i++) {
		uint32_t object = lines[i];

		if (object == NO_OBJECT) {
			lines[i] = next++;
			continue;
		}
		if (groups[object] == NO_OBJECT)
			groups[object] = next++;
		lines[i] = groups[object];
	}
	free(groups);
}

uint32_t *causes_group(const struct model *model, const struct detector *detector,
		       const struct caused *caused, size_t count, uint32_t line_count)
{
	use_vector uses = {0};
	uint32_t object_count, *lines;

	if (detector->cause && line_count > 1)
		uses = find_uses(model, detector, caused, count);
	join_pieces(&uses);
	object_count = number_objects(&uses);
	lines = find_objects(&uses, caused, count, line_count);
	number_groups(lines, line_count, object_count);
	vector_free(&uses);
	return lines;
}

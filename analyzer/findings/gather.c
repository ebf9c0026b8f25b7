#include "findings/gather.h"

#include "base/memory.h"
#include "base/thresholds.h"
#include "findings/causes.h"

#include <stdlib.h>

/* An instance with the line that it is of. */
struct sited {
	struct instance instance;
	struct site site;
	uint32_t line, place, group; /* numbers in the order of the lines; causes.h */
	enum copy_sizes copies;
};

static int compare_sites(const void *a, const void *b)
{
	const struct sited *x = a, *y = b;

	return site_compare(&x->site, &y->site);
}

/* By group, and within a group the longest first. */
static int compare_sited(const void *a, const void *b)
{
	const struct sited *x = a, *y = b;
	int64_t x_ns = x->instance.span.end_ns - x->instance.span.start_ns;
	int64_t y_ns = y->instance.span.end_ns - y->instance.span.start_ns;
	int order = (x->group > y->group) - (x->group < y->group);

	if (!order)
		order = (x_ns < y_ns) - (x_ns > y_ns);
	if (!order)
		order = (x->instance.span.start_ns > y->instance.span.start_ns) -
			(x->instance.span.start_ns < y->instance.span.start_ns);
	return order;
}

/* The stack without what the line called. */
static struct site describe_place(const struct trace *trace, const struct host_place *place)
{
	struct trace_site outer = *place->site;

	if (outer.python_depth) {
		outer.python_frames += place->inner;
		outer.python_depth -= place->inner;
		outer.depth = 0;
	} else {
		outer.frames += place->inner;
		outer.depth -= place->inner;
	}
	return site_describe_anew(trace, &outer, NULL);
}

struct site gather_site(const struct trace *trace, const struct instance *instance)
{
	const struct trace_call *call = instance->site_call;
	const char *kernel = call && call->operation ? call->operation->form->name : NULL;

	if (instance->place.site)
		return describe_place(trace, &instance->place);
	return site_describe(trace, call ? call->form->site : NULL, kernel);
}

/* An instance lasts to the end of its window at most: of what came then nothing is known. */
static void clip_to_windows(const struct trace *trace, struct instances *found)
{
	size_t kept = 0;

	for (size_t i = 0; i < found->count; i++) {
		struct instance *instance = &found->items[i];

		trace_clip_to_window(trace, &instance->span.start_ns, &instance->span.end_ns);
		trace_clip_to_window(trace, &instance->reach.start_ns, &instance->reach.end_ns);
		trace_clip_to_window(trace, &instance->reach_of_both.start_ns,
				     &instance->reach_of_both.end_ns);
		if (instance->reach.end_ns > instance->reach.start_ns)
			found->items[kept++] = *instance;
	}
	found->count = kept;
}

static uint64_t bytes_of(const struct instance *instance)
{
	const struct trace_call *call = instance->site_call;

	return call && call->operation ? call->operation->form->size_bytes : 0;
}

bool gather_is_small(const struct instance *instance)
{
	return bytes_of(instance) <= RUN_MOST_BYTES;
}

/* Whether the instances of a place are two lines by the sizes of its copies. */
static bool is_split(const struct detector *detector, const struct sited *sited, size_t count)
{
	bool has_small = false, has_large = false;

	for (size_t i = 0; detector->is_by_size && i < count; i++) {
		has_small |= gather_is_small(&sited[i].instance);
		has_large |= bytes_of(&sited[i].instance) >= COPY_LARGE_BYTES;
	}
	return has_small && has_large;
}

/* The first line of a split place is that of the large copies. Returns how many lines there are. */
static uint32_t number_lines(const struct detector *detector, struct sited *sited, size_t count)
{
	uint32_t line_count = 0;
	size_t next;

	if (count)
		qsort(sited, count, sizeof(*sited), compare_sites);
	for (size_t first = 0; first < count; first = next) {
		bool are_two;

		for (next = first + 1; next < count && !compare_sites(&sited[first], &sited[next]);)
			next++;
		are_two = is_split(detector, sited + first, next - first);
		for (size_t i = first; i < next; i++) {
			bool is_second = are_two && gather_is_small(&sited[i].instance);

			sited[i].place = line_count;
			sited[i].line = line_count + is_second;
			sited[i].copies = !are_two    ? COPIES_ALL
					  : is_second ? COPIES_SMALL
						      : COPIES_LARGE;
		}
		line_count += are_two ? 2 : 1;
	}
	return line_count;
}

/* One line again, if the cause of both is the same. */
static void rejoin_line(struct sited *sited, const uint32_t *groups)
{
	if (sited->copies == COPIES_ALL || groups[sited->place] != groups[sited->place + 1])
		return;
	sited->line = sited->place;
	sited->copies = COPIES_ALL;
}

/* Numbers the lines, then the groups. Returns how many lines there are. */
static uint32_t group_lines(const struct model *model, const struct detector *detector,
			    struct sited *sited, size_t count)
{
	struct caused *caused = memory_array(count, sizeof(*caused));
	uint32_t line_count = number_lines(detector, sited, count), *groups;

	for (size_t i = 0; i < count; i++)
		caused[i] = (struct caused){&sited[i].instance, sited[i].line, sited[i].place};
	groups = causes_group(model, detector, caused, count, line_count);
	for (size_t i = 0; i < count; i++) {
		sited[i].group = groups[sited[i].line];
		rejoin_line(&sited[i], groups);
	}
	free(groups);
	free(caused);
	return line_count;
}

void gather(const struct model *model, const struct detector *detector, struct instances *found,
	    gather_function take, void *context)
{
	const struct trace *trace = model->trace;
	struct instance *instances;
	struct sited *sited;
	struct finding_site *sites;
	uint32_t *lines;
	size_t first, i;

	if (trace->window_count)
		clip_to_windows(trace, found);
	sited = memory_array(found->count, sizeof(*sited));
	instances = memory_array(found->count, sizeof(*instances));
	lines = memory_array(found->count, sizeof(*lines));
	for (i = 0; i < found->count; i++)
		sited[i] = (struct sited){.instance = found->items[i],
					  .site = gather_site(trace, &found->items[i])};
	sites = memory_array(group_lines(model, detector, sited, found->count), sizeof(*sites));
	if (found->count)
		qsort(sited, found->count, sizeof(*sited), compare_sited);
	/* A line that is reached through several functions has that of its longest instance. */
	for (i = found->count; i-- > 0;) {
		instances[i] = sited[i].instance;
		lines[i] = sited[i].line;
		sites[sited[i].line] =
			(struct finding_site){.site = sited[i].site, .copies = sited[i].copies};
	}
	for (first = 0; first < found->count; first = i) {
		for (i = first + 1; i < found->count && sited[i].group == sited[first].group;)
			i++;
		take(context, detector,
		     &(struct gathered){instances + first, lines + first, sites, i - first});
	}
	free(lines);
	free(sites);
	free(instances);
	free(sited);
}

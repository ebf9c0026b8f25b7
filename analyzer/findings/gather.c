#include "findings/gather.h"

#include "base/memory.h"
#include "findings/causes.h"

#include <stdlib.h>

/* An instance with the line that it is of. */
struct sited {
	struct instance instance;
	struct site site;
	uint32_t line, group; /* numbers in the order of the lines; causes.h */
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

struct site gather_site(const struct trace *trace, const struct instance *instance)
{
	const struct trace_call *call = instance->site_call;
	const char *kernel = call && call->operation ? call->operation->form->name : NULL;

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

/* Numbers the lines, then the groups. Returns how many lines there are. */
static uint32_t group_lines(const struct model *model, const struct detector *detector,
			    struct sited *sited, size_t count)
{
	struct caused *caused = memory_array(count, sizeof(*caused));
	uint32_t line_count = 0, *groups;

	if (count)
		qsort(sited, count, sizeof(*sited), compare_sites);
	for (size_t i = 0; i < count; i++) {
		line_count += !i || compare_sites(&sited[i - 1], &sited[i]);
		sited[i].line = line_count - 1;
		caused[i] = (struct caused){&sited[i].instance, sited[i].line};
	}
	groups = causes_group(model, detector, caused, count, line_count);
	for (size_t i = 0; i < count; i++)
		sited[i].group = groups[sited[i].line];
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
	struct site *sites;
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
		sites[sited[i].line] = sited[i].site;
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

#include "findings/gather.h"

#include "base/memory.h"

#include <stdlib.h>

/* An instance with the line that it is grouped by. */
struct sited {
	struct instance instance;
	struct site site;
};

/* By line, and within a line the longest first. */
static int compare_sited(const void *a, const void *b)
{
	const struct sited *x = a, *y = b;
	int64_t x_ns = x->instance.span.end_ns - x->instance.span.start_ns;
	int64_t y_ns = y->instance.span.end_ns - y->instance.span.start_ns;
	int order = site_compare(&x->site, &y->site);

	if (!order)
		order = (x_ns < y_ns) - (x_ns > y_ns);
	if (!order)
		order = (x->instance.span.start_ns > y->instance.span.start_ns) -
			(x->instance.span.start_ns < y->instance.span.start_ns);
	return order;
}

static struct site site_of(const struct trace *trace, const struct trace_call *call)
{
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

void gather(const struct model *model, const struct detector *detector, struct instances *found,
	    gather_function take, void *context)
{
	const struct trace *trace = model->trace;
	struct instance *instances;
	struct sited *sited;
	size_t first, i;

	if (trace->window_count)
		clip_to_windows(trace, found);
	sited = memory_array(found->count, sizeof(*sited));
	instances = memory_array(found->count, sizeof(*instances));
	for (i = 0; i < found->count; i++)
		sited[i] =
			(struct sited){found->items[i], site_of(trace, found->items[i].site_call)};
	if (found->count)
		qsort(sited, found->count, sizeof(*sited), compare_sited);
	for (i = 0; i < found->count; i++)
		instances[i] = sited[i].instance;
	for (first = 0; first < found->count; first = i) {
		for (i = first + 1; i < found->count; i++)
			if (site_compare(&sited[i].site, &sited[first].site))
				break;
		take(context, detector,
		     &(struct gathered){sited[first].site, instances + first, i - first});
	}
	free(instances);
	free(sited);
}

#include "findings/first_use_waits.h"

#include "base/memory.h"
#include "detectors/evidence/host_wait.h"
#include "trace/site.h"

#include <stdlib.h>
#include <string.h>

static bool is_asked_about(const struct trace_call *call)
{
	return host_wait_is_sync(call) ||
	       (call->form->function->class == CLASS_COPY && call->operation &&
		call->operation->form->engine == ENGINE_D2H);
}

/* The host may write what the copy has read only behind the wait, and nobody watches that. */
static bool frees_source(const struct model *model, const struct trace_call *wait,
			 const struct trace_operation *copy)
{
	return copy && copy->form->engine == ENGINE_H2D && copy->form->is_async &&
	       copy->form->src_kind != MEMORY_PAGEABLE && copy->end_ns <= wait->end_ns &&
	       (wait->form->function->class != CLASS_STREAM_SYNC ||
		copy->form->stream == model_stream_of(model, wait));
}

static uint32_t count_sources(const struct model *model, const struct host_wait *wait)
{
	const struct trace_call *call = wait->since ? wait->since + 1 : model->trace->calls;
	uint32_t count = 0;

	for (; call < wait->call; call++)
		count += frees_source(model, wait->call, call->operation);
	return count;
}

static void take_wait(const struct model *model, const struct host_wait *wait,
		      struct instances *found)
{
	struct host_wait counted = *wait;

	if (wait->label.by_ns == FIRST_USE_NO_RESULT)
		return;
	counted.label.places += count_sources(model, wait);
	instance_add(found, host_wait_instance(&counted));
}

/* lines->count: there is none. */
static size_t index_of_line(const struct first_use_lines *lines, const struct site *site,
			    const struct trace_call *call)
{
	size_t i = 0;

	while (i < lines->count && (site_compare(&lines->items[i].site, site) ||
				    strcmp(lines->items[i].function, call->form->function->name)))
		i++;
	return i;
}

static struct first_use_line *find_line(struct first_use_lines *lines, size_t *capacity,
					const struct trace *trace, const struct trace_call *call)
{
	struct site site = site_describe(trace, call->form->site, NULL);
	const size_t index = index_of_line(lines, &site, call);

	if (index < lines->count)
		return &lines->items[index];
	lines->items = memory_grow(lines->items, lines->count, capacity, sizeof(*lines->items));
	lines->items[lines->count] =
		(struct first_use_line){.site = site, .function = call->form->function->name};
	return &lines->items[lines->count++];
}

static void count_label(struct first_use_line *line, const struct first_use_label *label)
{
	if (label->judgement == JUDGED_MOVABLE &&
	    (!line->counts[JUDGED_MOVABLE] || label->by_ns < line->movable_ns))
		line->movable_ns = label->by_ns;
	if (label->judgement == JUDGED_NEEDED && label->by_ns > line->needed_ns)
		line->needed_ns = label->by_ns;
	line->counts[label->judgement]++;
	line->places += label->places;
	line->watched += label->watched;
	line->relied_on += label->relied_on;
}

const struct first_use_line *first_use_line_of(const struct first_use_lines *lines,
					       const struct trace *trace,
					       const struct trace_call *call)
{
	const struct site site = site_describe(trace, call->form->site, NULL);
	const size_t index = index_of_line(lines, &site, call);

	return index < lines->count ? &lines->items[index] : NULL;
}

struct first_use_lines first_use_waits(const struct observed *observed)
{
	const struct trace *trace = observed->model->trace;
	struct first_use_lines lines = {0};
	struct instances found = {0};
	size_t capacity = 0;

	if (trace->first_use_count)
		host_wait_each(observed, is_asked_about, take_wait, &found);
	for (size_t i = 0; i < found.count; i++) {
		struct first_use_label label = host_waited_of(&found.items[i]).label;

		count_label(find_line(&lines, &capacity, trace, found.items[i].call), &label);
	}
	free(found.items);
	return lines;
}

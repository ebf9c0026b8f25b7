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

static void take_wait(const struct model *model, const struct host_wait *wait,
		      struct instances *found)
{
	if (wait->label.by_ns != FIRST_USE_NO_RESULT)
		instance_add(found, host_wait_instance(wait));
}

static struct first_use_line *find_line(struct analysis *analysis, size_t *capacity,
					const struct trace_call *call)
{
	struct site site = site_describe(analysis->observed.model->trace, call->form->site, NULL);

	for (size_t i = 0; i < analysis->first_use_line_count; i++)
		if (!site_compare(&analysis->first_use_lines[i].site, &site) &&
		    !strcmp(analysis->first_use_lines[i].function, call->form->function->name))
			return &analysis->first_use_lines[i];
	analysis->first_use_lines =
		memory_grow(analysis->first_use_lines, analysis->first_use_line_count, capacity,
			    sizeof(*analysis->first_use_lines));
	analysis->first_use_lines[analysis->first_use_line_count] =
		(struct first_use_line){.site = site, .function = call->form->function->name};
	return &analysis->first_use_lines[analysis->first_use_line_count++];
}

static void count_label(struct first_use_line *line, const struct first_use_label *label)
{
	if (label->judgement == JUDGED_MOVABLE &&
	    (!line->counts[JUDGED_MOVABLE] || label->by_ns < line->movable_ns))
		line->movable_ns = label->by_ns;
	if (label->judgement == JUDGED_NEEDED && label->by_ns > line->needed_ns)
		line->needed_ns = label->by_ns;
	line->counts[label->judgement]++;
}

void first_use_waits(struct analysis *analysis)
{
	struct instances found = {0};
	size_t capacity = 0;

	if (!analysis->observed.model->trace->first_use_count)
		return;
	host_wait_each(&analysis->observed, is_asked_about, take_wait, &found);
	for (size_t i = 0; i < found.count; i++) {
		struct first_use_label label = host_waited_of(&found.items[i]).label;

		count_label(find_line(analysis, &capacity, found.items[i].call), &label);
	}
	free(found.items);
}

#include "detectors/copies/kept_sources.h"

#include "base/thresholds.h"
#include "facts/content.h"

static uint64_t line_key(const struct trace_operation *sent)
{
	return (uint64_t)(uintptr_t)sent->call->form->site;
}

void kept_sources_pass(struct kept_sources *sources, const struct trace_operation *sent)
{
	const struct trace_call_form *form = sent->call->form;
	size_t before = map_find(&sources->hashes, form->src);
	struct kept_source_line *line;

	if (!form->src || !form->numbers)
		return;
	map_set(&sources->hashes, form->src, form->numbers);
	if (before == MAP_NONE || (before ^ form->numbers) & CONTENT_IS_WHOLE)
		return;
	if (map_add(&sources->lines, line_key(sent), sources->counts.count))
		*vector_add(&sources->counts) = (struct kept_source_line){0};
	line = &sources->counts.items[map_find(&sources->lines, line_key(sent))];
	if (before == form->numbers)
		line->same++;
	else
		line->other++;
}

bool kept_sources_have(const struct kept_sources *sources, const struct trace_operation *sent)
{
	size_t found = map_find(&sources->lines, line_key(sent));

	return found != MAP_NONE && !sources->counts.items[found].other &&
	       sources->counts.items[found].same >= TYPICAL_LEAST_TIMES;
}

void kept_sources_free(struct kept_sources *sources)
{
	map_free(&sources->hashes);
	map_free(&sources->lines);
	vector_free(&sources->counts);
}

#include "render/tried.h"

#include "base/format.h"
#include "base/memory.h"
#include "render/json_parts.h"
#include "render/render.h"

#include <stdlib.h>
#include <string.h>

/* The last row of the finding, or NULL. */
static const struct trace_trial *find_trial(const struct trace *trace,
					    const struct finding *finding)
{
	const struct trace_trial *found = NULL;
	char *place;

	if (!trace->trial_count)
		return NULL;
	place = render_sites(trace, finding);
	for (size_t i = 0; i < trace->trial_count; i++)
		if (!strcmp(trace->trials[i].finding, finding->id) &&
		    !strcmp(trace->trials[i].place, place))
			found = &trace->trials[i];
	free(place);
	return found;
}

char *tried_text(const struct trace *trace, const struct finding *part)
{
	const struct trace_trial *trial = find_trial(trace, part);
	struct format count;

	if (!trial)
		return NULL;
	if (!trial->others)
		return memory_format("as %s: %s", trial->fix, trial->outcome);
	return memory_format("as %s, with %s other fix%s: %s", trial->fix,
			     format_count(&count, trial->others), trial->others == 1 ? "" : "es",
			     trial->outcome);
}

static json_t *trial_object(const struct trace_trial *trial)
{
	const struct stated predicted = {trial->predicted_low_ns, trial->predicted_ns,
					 trial->predicted_high_ns};
	const struct stated tried = {trial->tried_low_ns, trial->tried_ns, trial->tried_high_ns};

	return json_pack("{s:s, s:s, s:s, s:I, s:s, s:o, s:o}", "place", trial->place, "fix",
			 trial->fix, "verdict", trial->verdict, "other_fixes",
			 (json_int_t)trial->others, "outcome", trial->outcome, "predicted_ns",
			 interval_object(&predicted), "tried_ns",
			 trial->has_saving ? interval_object(&tried) : json_null());
}

json_t *tried_json(const struct trace *trace, const struct finding *finding)
{
	json_t *array = NULL;

	for (size_t i = 0; i < finding_part_count(finding); i++) {
		const struct trace_trial *trial = find_trial(trace, finding_part(finding, i));

		if (!trial)
			continue;
		if (!array)
			array = json_array();
		json_array_append_new(array, trial_object(trial));
	}
	return array ? array : json_null();
}

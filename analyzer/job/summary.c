#include "job/summary.h"

#include "incident/incident.h"

#include "base/mix.h"

#include <stdlib.h>

static uint64_t hash_text(const char *text)
{
	uint64_t hash = 1;

	for (; text && *text; text++)
		hash = mix(hash, (unsigned char)*text);
	return hash;
}

uint64_t summary_member_id(const struct summary *summary)
{
	uint64_t process = (uint64_t)(summary->process_id + 1);

	if (summary->rank != SUMMARY_NO_RANK)
		return (uint64_t)summary->rank << 32 | process;
	return UINT64_C(1) << 63 | (hash_text(summary->host) >> 33) << 32 | process;
}

void summary_free(struct summary *summary)
{
	if (!summary)
		return;
	free(summary->devices);
	free(summary->findings);
	free(summary->idle_lines);
	free(summary->communicators);
	free(summary->arrivals);
	free(summary->notes);
	paths_free(summary->paths);
	arena_free(&summary->texts);
	free(summary);
}

void summary_set_incident(struct summary *summary, const struct incident *incident,
			  const char *text, const char *why)
{
	const struct trace_step *step = incident->step;

	summary->incident = (struct summary_incident){
		.text = arena_text(&summary->texts, text),
		.why = why ? arena_text(&summary->texts, why) : NULL,
		.step = incident->row->step,
		.step_ns = step ? step->end_ns - step->start_ns : -1,
		.extra_ns = step ? incident->extra_ns : -1,
		.own_ns = step ? incident->own_ns : -1,
		.late_ns = incident->late_ns,
	};
}

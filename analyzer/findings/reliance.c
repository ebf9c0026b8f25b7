#include "findings/reliance.h"

#include "detectors/evidence/host_wait.h"
#include "detectors/instance.h"
#include "races/race_words.h"

static bool is_at(const struct trace_operation *operation, const struct trace_operation *other)
{
	const struct trace_call *call = race_call_of(operation);

	return call && call->form->site == race_call_of(other)->form->site;
}

/* The fix changes the call that waits, not one before it; or it takes out the barrier between both. */
static bool takes_out(const struct instance *instance, const struct reliance *reliance)
{
	const struct trace_call *call = instance->call;

	if (reliance->wait)
		return call && call == instance->site_call &&
		       call->form->site == reliance->wait->form->site &&
		       call->form->function == reliance->wait->form->function;
	return instance->operation && instance->cause &&
	       is_at(instance->operation, reliance->second) &&
	       is_at(instance->cause, reliance->first);
}

static bool part_takes_out(const struct finding *part, const struct reliance *reliance)
{
	for (size_t i = 0; i < part->instance_count; i++)
		if (takes_out(&part->instances[i], reliance))
			return true;
	return false;
}

const struct reliance *finding_reliance(const struct analysis *analysis,
					const struct finding *finding)
{
	for (size_t i = 0; i < analysis->races.reliance_count; i++)
		for (size_t k = 0; k < finding_part_count(finding); k++)
			if (part_takes_out(finding_part(finding, k), &analysis->races.reliances[i]))
				return &analysis->races.reliances[i];
	return NULL;
}

/* Adds the lines whose waits the part's fix takes out. False: it takes out something else. */
static bool add_lines(const struct analysis *analysis, const struct finding *part,
		      struct map *lines)
{
	for (size_t i = 0; i < part->instance_count; i++) {
		const struct trace_call *call = part->instances[i].call;
		const struct first_use_line *line;

		if (!call || call != part->instances[i].site_call || !host_wait_is_sync(call))
			return false;
		line = first_use_line_of(&analysis->first_uses, analysis->whole, call);
		if (line)
			map_add(lines, (uintptr_t)line,
				(size_t)(line - analysis->first_uses.items));
	}
	return true;
}

bool finding_is_unrelied(const struct analysis *analysis, const struct finding *finding,
			 struct unrelied *unrelied)
{
	struct map lines = {0};
	bool is_unrelied = analysis->first_uses.count && !analysis->races.unseen &&
			   !analysis->races.lacks_reliances && !finding_reliance(analysis, finding);

	for (size_t k = 0; is_unrelied && k < finding_part_count(finding); k++)
		is_unrelied = add_lines(analysis, finding_part(finding, k), &lines);
	*unrelied = (struct unrelied){0};
	for (size_t i = 0; is_unrelied && i < analysis->first_uses.count; i++) {
		const struct first_use_line *line = &analysis->first_uses.items[i];

		if (map_find(&lines, (uintptr_t)line) == MAP_NONE)
			continue;
		is_unrelied = !line->relied_on;
		unrelied->places += line->places;
		unrelied->watched += line->watched;
	}
	map_free(&lines);
	return is_unrelied && unrelied->watched;
}

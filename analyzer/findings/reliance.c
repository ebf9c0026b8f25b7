#include "findings/reliance.h"

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

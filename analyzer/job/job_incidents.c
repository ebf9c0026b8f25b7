#include "job/job_incidents.h"

#include "base/vector.h"

#include <stdlib.h>

enum {
	OWN_SHARE = 4, /* a process is late by itself if a quarter of its extra time is its own, */
	LARGEST_SHARE = 2 /* and half of the largest own time of all */
};

static const struct summary_incident *incident_of(const struct job_member *member)
{
	return &member->summary->incident;
}

static int compare_members(const void *a, const void *b)
{
	const struct summary_incident *x = incident_of(*(const struct job_member *const *)a);
	const struct summary_incident *y = incident_of(*(const struct job_member *const *)b);

	if (x->step != y->step)
		return x->step < y->step ? -1 : 1;
	if (x->own_ns != y->own_ns)
		return x->own_ns < y->own_ns ? 1 : -1;
	return 0;
}

static bool is_late(const struct summary_incident *incident, int64_t largest_ns)
{
	return incident->own_ns > 0 && incident->late_ns >= 0 &&
	       incident->own_ns >= incident->extra_ns / OWN_SHARE &&
	       incident->own_ns >= largest_ns / LARGEST_SHARE;
}

static void find_first(struct job_incident *incident)
{
	const int64_t largest_ns = incident_of(incident->members[0])->own_ns;

	for (size_t i = 0; i < incident->count; i++) {
		const struct summary_incident *one = incident_of(incident->members[i]);

		if (is_late(one, largest_ns) &&
		    (!incident->first || one->late_ns < incident_of(incident->first)->late_ns))
			incident->first = incident->members[i];
	}
}

static bool is_slow_step(const struct job_member *member)
{
	return incident_of(member)->step >= 0 && incident_of(member)->step_ns >= 0;
}

struct job_incidents job_incidents_find(const struct job *job)
{
	VECTOR(const struct job_member *) members = {0};
	VECTOR(struct job_incident) found = {0};
	struct job_incidents incidents;

	for (size_t i = 0; i < job->member_count; i++)
		if (incident_of(&job->members[i])->text)
			*vector_add(&members) = &job->members[i];
	vector_sort(&members, compare_members);
	for (size_t begin = 0, end; begin < members.count; begin = end) {
		const int64_t step = incident_of(members.items[begin])->step;
		struct job_incident *incident = vector_add(&found);

		/* Of hangs and triggers nothing is known that ranks share. */
		for (end = begin + 1; is_slow_step(members.items[begin]) && end < members.count &&
				      incident_of(members.items[end])->step == step &&
				      is_slow_step(members.items[end]);
		     end++)
			;
		*incident = (struct job_incident){.step = step, .count = end - begin};
		incident->members = memory_array(incident->count, sizeof(*incident->members));
		for (size_t i = 0; i < incident->count; i++)
			incident->members[i] = members.items[begin + i];
		find_first(incident);
	}
	vector_free(&members);
	vector_move(&found, incidents.items, incidents.count);
	return incidents;
}

void job_incidents_free(struct job_incidents *incidents)
{
	for (size_t i = 0; i < incidents->count; i++)
		free(incidents->items[i].members);
	free(incidents->items);
}

#include "watch/incident.h"

#include "watch/steps.h"

void incident_begin(struct incident *incident, const struct watch_cause *cause, int64_t since_ns)
{
	*incident = (struct incident){.since_ns = since_ns,
				      .noticed_ns = cause->noticed_ns,
				      .device_start_ns = STORE_NULL,
				      .device_end_ns = STORE_NULL,
				      .causes = 1,
				      .first = *cause};
}

static void store_cause(struct store *store, const struct incident *incident, int id,
			const struct watch_cause *cause, struct atom *site)
{
	const bool has_call = cause->call.function >= 0;
	struct incidents_row row = {
		.id = id,
		.cause = cause->word,
		.noticed_ns = cause->noticed_ns,
		.step = cause->step,
		.median_ns = cause->median_ns,
		.normal_before = cause->normal_before,
		.thread_id = has_call ? cause->call.thread_id : STORE_NULL,
		.entered_ns = has_call ? cause->call.entered_ns : STORE_NULL,
		.device_start_ns = incident->device_start_ns,
		.device_end_ns = incident->device_end_ns,
	};

	store_incident(store, &row, cause->call.function, site);
}

void incident_store(struct store *store, const struct incident *incident)
{
	store_cause(store, incident, 1, &incident->first, incident->site);
}

void incident_add_cause(struct store *store, struct incident *incident,
			const struct watch_cause *cause)
{
	store_cause(store, incident, ++incident->causes, cause, NULL);
}

static bool is_after(const struct incident *incident, const struct watched_step *step)
{
	return step->start_ns >= incident->noticed_ns ||
	       (incident->first.step != STORE_NULL && (int64_t)step->number > incident->first.step);
}

/* That it was running then; the next one may have begun a little earlier than that was known. */
static bool is_current(const struct incident *incident, const struct watched_step *step)
{
	if (incident->first.step != STORE_NULL)
		return (int64_t)step->number == incident->first.step;
	return !step->end_ns || step->end_ns > incident->noticed_ns;
}

/* NULL: the step is none to compare with. */
static const char *kind_of(const struct incident *incident, const struct watched_step *step)
{
	if (step->kind == STEP_SLOW_NEWS || step->kind == STEP_SLOW_AGAIN)
		return "slow";
	if (is_after(incident, step))
		return "after";
	if (is_current(incident, step))
		return "current";
	/* Of one that began before since_ns calls may be in the file before. */
	return step->kind == STEP_NORMAL && step->start_ns >= incident->since_ns ? "normal" : NULL;
}

static void store_step_row(struct store *store, const struct incident *incident,
			   const struct watched_step *step)
{
	static const char *const by[] = {
		[WATCH_STEPS_NVTX] = "nvtx",
		[WATCH_STEPS_CALLED] = "step",
		[WATCH_STEPS_PERIOD] = "period",
	};
	const char *kind = kind_of(incident, step);

	if (kind)
		store_watched_step(
			store,
			&(struct steps_row){.number = (int64_t)step->number,
					    .thread_id = step->thread_id,
					    .start_ns = step->start_ns,
					    .end_ns = step->end_ns ? step->end_ns : STORE_NULL,
					    .how = by[step->by],
					    .read_bytes = step->end_ns && step->read_bytes >= 0
								  ? step->read_bytes
								  : STORE_NULL,
					    .kind = kind});
}

static bool is_wanted(const struct incident *incident, const struct watched_step *step)
{
	return step && (!step->end_ns || step->end_ns > incident->since_ns) &&
	       !(incident->has_steps && step->number <= incident->stored_step);
}

/* Only those that CUPTI saw from their begin on. */
static bool is_counted(const struct incident *incident, const struct watched_step *step)
{
	/* STORE_NULL is earlier than any time. */
	return step->start_ns >= incident->noticed_ns &&
	       step->start_ns >= incident->device_start_ns;
}

void incident_store_steps(struct store *store, struct incident *incident, bool is_last)
{
	const struct watched_step *step;
	unsigned count = 0;

	while (is_wanted(incident, steps_ended(count)))
		count++;
	while (count-- > 0) {
		step = steps_ended(count);
		store_step_row(store, incident, step);
		incident->has_steps = true;
		incident->stored_step = step->number;
		incident->steps_after += is_counted(incident, step);
	}
	step = steps_running();
	if (is_last && step)
		store_step_row(store, incident, step);
}

/*
 * The rows about an incident: the tables incidents and steps. Writer thread only.
 */
#ifndef STREAMTRACE_WATCH_INCIDENT_H
#define STREAMTRACE_WATCH_INCIDENT_H

#include "store/store.h"
#include "watch/watch.h"

struct atom;

/* An incident whose file is being written, of one cause or more. */
struct incident {
	int64_t since_ns;			/* the file has all calls that began later */
	int64_t noticed_ns;			/* of the first cause */
	int64_t device_start_ns, device_end_ns; /* STORE_NULL: not, or not yet */
	int causes;
	struct watch_cause first; /* cause */
	struct atom *site;	  /* of the first cause's call; NULL: not known */
	bool has_steps;		  /* stored_step is set */
	uint64_t stored_step;	  /* the last one that has a row */
	unsigned steps_after;	  /* the number of steps that began with CUPTI on and have ended */
};

/* Begins an incident for this cause. */
void incident_begin(struct incident *incident, const struct watch_cause *cause, int64_t since_ns);

/* Stores the first cause's row, or replaces it: call when something about it is known. */
void incident_store(struct store *store, const struct incident *incident);

/* Stores a further cause. */
void incident_add_cause(struct store *store, struct incident *incident,
			const struct watch_cause *cause);

/* Stores the steps that have ended since the last call; with is_last also the running one. */
void incident_store_steps(struct store *store, struct incident *incident, bool is_last);

#endif

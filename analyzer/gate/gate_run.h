/*
 * What a gate keeps of a trace: the findings by identity, the calls of the places, and the doubts.
 * One thread at a time for each struct gate_run.
 */
#ifndef STREAMTRACE_GATE_RUN_H
#define STREAMTRACE_GATE_RUN_H

#include "findings/analysis.h"
#include "gate/gate.h"
#include "gate/places.h"
#include "gate/scale.h"

/* What a detector found in one line. A place can have several lines. A finding of several lines,
 * which share one fix, becomes one struct for each line, with the line's part of the saving. The
 * part is the line's share of the time blocked. So a place's data do not depend on the places of
 * the finding's other lines. */
struct gate_finding {
	const char *identity; /* "pageable-copy load.cu:load_batch": the same in every trace */
	const char *id, *title, *fix; /* as in struct finding (findings/analysis.h) */
	const char *place;	      /* the place's name, as in the identity */
	struct gate_place at;	      /* the line */
	enum copy_sizes copies;	      /* which copies of the line; the identity is the same */
	const char *evidence;	      /* the finding's longest wait, as text; "": none */
	const char *reason;	      /* why the finding is allowed, or NULL */
	VECTOR(const char *) kinds;   /* kinds of the line's calls, as in struct place_calls */
	int64_t count;		      /* calls or operations at the line */
	/* The saving and the count of the whole finding, in all its lines. others: where the other
	 * lines are, as text; NULL unless this is the first of several lines. */
	struct stated all_saved;
	int64_t all_count;
	size_t number; /* of the finding in the report, from 1 on */
	const char *others;
	uint64_t bytes; /* of the line's copies and sets; UINT64_MAX: as many or more */
	/* The line's part; the ends by range_compared(). If a place has lines of several findings,
	 * the parts of all add up to what these findings save there together. */
	int64_t saved_ns, low_ns, high_ns;
	int pass;	   /* the pass that found it: from 2 on only with other fixes in */
	bool is_shown;	   /* the report lists the finding, and its fix may save something */
	bool is_further;   /* the finding has several lines, and this is not the first */
	bool is_undecided; /* set by gate_check_against(): diff says GATE_UNDECIDED */
	bool is_address;   /* the place's name is an address, which differs from build to build */
};

/* A race (races/races.h). */
struct gate_race {
	enum race_certainty certainty;
	const char *identity;	     /* "race load.cu:load_batch load.cu:use" */
	struct gate_place at, other; /* the lines of both accesses */
	const char *text;	     /* race_sentence() */
	size_t count;
};

struct gate_run {
	const char *path, *program, *device; /* NULL: not known */
	const char *rank;		     /* given by the launcher, or NULL */
	const char *words, *driver;	     /* command_words(); of CUDA; NULL: not known */
	int64_t untraced_ns;		     /* as in struct self_check */
	int64_t lead_ns, tail_ns;	     /* as in struct headline */
	bool has_estimates;		     /* as in struct self_check */
	struct stated lost; /* what all listed findings save together: the report's headline */
	/* The estimate of what the listed findings cost together, without the allowed ones. 0: all
	 * listed findings are allowed, or none is listed. -1: not known. */
	int64_t lost_ns;
	VECTOR(struct gate_finding) findings; /* by identity, then listed ones, then by saving */
	VECTOR(struct gate_race) races;
	place_calls_vector calls; /* as places_sort() sorts them */
	work_counts work;	  /* of scale_count() (scale.h) */
	/* Why the gate cannot decide by this trace (doubts.h): half a sentence each. */
	VECTOR(const char *) doubts;
	struct arena arena;
};

/* Copies what the gate needs: the caller may free trace and analysis afterwards. Marks the entries
 * of rules->allowed that match a finding as used. Release the result with gate_run_free(). */
struct gate_run *gate_run_collect(const struct trace *trace, const struct analysis *analysis,
				  const struct gate_rules *rules);

/* The first finding with this identity; *count is how many such findings follow each other from it
 * on. NULL: there is none, and *count is 0. */
const struct gate_finding *gate_run_find(const struct gate_run *run, const char *identity,
					 size_t *count);

/* Sorts run->findings as struct gate_run says. */
void gate_run_sort(struct gate_run *run);

/* Frees the run with all texts. run must not be NULL. */
void gate_run_free(struct gate_run *run);

#endif

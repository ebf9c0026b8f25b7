/*
 * Decides which fix `streamtrace try` makes for each finding, at which call sites, or why it makes none. Calculates only;
 * one thread at a time for each trace.
 *
 * A fix is made only where what it relies on is known (trial_conditions.h), and where libstrace_try.so can make it: at a
 * call of a shared CUDA runtime.
 */
#ifndef STREAMTRACE_TRIAL_PLAN_H
#define STREAMTRACE_TRIAL_PLAN_H

#include "base/vector.h"
#include "facts/trial_page.h"
#include "findings/analysis.h"

/* A call site with its fix. */
struct trial_place {
	enum trial_fix fix;
	/* The call that the fix changes: the first of its site. NULL: the fix is for the whole run. */
	const struct trace_call *call;
	uint64_t value; /* of a fix of the whole run: bytes of a stack; else 0 */
	/* Of the calls at the place in the whole run, on the thread of `call`: how many, and when the first and the last began. */
	uint64_t calls;
	int64_t first_ns, last_ns;
};

/* A finding, or one that is joined to it (struct finding). */
struct trial_part {
	size_t number; /* of the finding in the report */
	const struct finding *finding;
	enum trial_fix fix; /* TRIAL_FIX_COUNT: none */
	size_t places;	    /* call sites where it is made */
	size_t left;	    /* number of the finding's instances that the trial does not fix */
	/* Why no fix is made or, if one is, why some instances stay as they are: the end of a sentence. NULL: all are fixed. */
	char *refusal;
};

struct trial_plan {
	VECTOR(struct trial_part) parts;
	VECTOR(struct trial_place) places; /* each once */
	/* The findings with only those instances that the fixes change, for whatif_replay(), and their detectors, whose fix is what
	 * is made in the program. */
	struct finding *tried;
	size_t **tried_places; /* of each of their instances, the index of its place */
	struct detector *detectors;
	size_t tried_count;
	bool has_unseen_work, has_unseen_copies; /* trial_waits.h */
};

/* The plan for the count findings of the analysis, each once. numbers: theirs in the report. Pointers belong to the
 * analysis and its trace. Free by trial_plan_free(). */
struct trial_plan trial_plan_make(const struct analysis *analysis,
				  const struct finding *const *findings, size_t count);
void trial_plan_free(struct trial_plan *plan);

/* Why calls cannot be tried that do not go through libcudart.so, as the end of a sentence. */
#define TRIAL_NEEDS_SHARED_RUNTIME                                                                 \
	"its CUDA calls do not go through libcudart.so: link the CUDA runtime as a shared "        \
	"library (nvcc -cudart shared)"

/* "pinned-ring" */
const char *trial_fix_name(enum trial_fix fix);

/* What the fixes save together by the replay of the analysis that the plan was made for, which must have estimates. The plan must
 * have a place. is_made: by place, one at least; the others are left as they are. NULL: all are made. */
struct stated trial_plan_predict(const struct trial_plan *plan, const struct analysis *analysis,
				 const bool *is_made);

/* Fills in the first part of the page of a run: with the fixes if is_fixed, else as the control. False: there are more call
 * sites than it has room for, or a module's name is too long. */
bool trial_plan_fill(const struct trial_plan *plan, bool is_fixed, struct trial_page *page);

/* Whether libstrace_touch.so must be loaded, too. */
bool trial_plan_needs_touch(const struct trial_plan *plan);

/* The environment of fixed runs: name and value in turn, then NULL. Static. */
enum { TRIAL_MOST_VARIABLES = 4 };
struct trial_environment {
	const char *words[2 * TRIAL_MOST_VARIABLES + 1];
};
struct trial_environment trial_plan_environment(const struct trial_plan *plan);

#endif

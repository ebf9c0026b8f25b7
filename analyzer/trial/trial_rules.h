/* Which fix of a running program suits an instance of a finding: a rule for each detector that has one. Any thread. */
#ifndef STREAMTRACE_TRIAL_RULES_H
#define STREAMTRACE_TRIAL_RULES_H

#include "detectors/instance.h"
#include "facts/trial_page.h"
#include "findings/analysis.h"

struct trial_choice {
	enum trial_fix fix;
	const struct trace_call
		*call;	/* that the fix changes; NULL: the fix is for the whole run */
	uint64_t value; /* as in struct trial_place */
};

/* The rule for a finding, with what it needs to know of all its instances. */
struct trial_rules {
	const struct analysis *analysis;
	const char *(*choose)(const struct trial_rules *rules, const struct instance *instance,
			      struct trial_choice *choice); /* NULL: there is none */
	bool uses_memory_again; /* the finding's copies use each memory again and again */
};

struct trial_rules trial_rules_of(const struct analysis *analysis, const struct finding *finding);

/* Sets *choice to the fix for the instance of the finding. Returns why there is none: static text, the end of a sentence, and
 * *choice is undefined; NULL: there is one. */
const char *trial_rules_choose(const struct trial_rules *rules, const struct instance *instance,
			       struct trial_choice *choice);

#endif

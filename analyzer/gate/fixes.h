/*
 * The fixes of what a trace's report lists at some places: findings cut down to these places, so
 * that a replay with them (findings/whatif_run.h) says what the fixes save there together. Savings
 * of findings cannot be added. One thread.
 *
 *	struct fixes fixes = fixes_at(analysis, identities, count);
 *	if (fixes.count)
 *		saved_ns = whatif_estimate(analysis, fixes.findings, fixes.count, NULL);
 *	fixes_free(&fixes);
 */
#ifndef STREAMTRACE_GATE_FIXES_H
#define STREAMTRACE_GATE_FIXES_H

#include "findings/analysis.h"

struct fixes {
	const struct finding **findings; /* copies; their instances are those at the places */
	size_t count;
};

/* The listed findings of the analysis at the places with these identities (struct gate_finding,
 * gate_run.h). The analysis must outlive the result, which fixes_free() frees. */
struct fixes fixes_at(const struct analysis *analysis, const char *const *identities, size_t count);

void fixes_free(struct fixes *fixes);

#endif

/*
 * Advice: the fix of a finding in the words of a framework or of C, what the fix relies on, and
 * what the fix costs. The rows are in advice.def. The detectors' own fixes name CUDA calls. Texts
 * are static. Any thread.
 */
#ifndef STREAMTRACE_ADVICE_H
#define STREAMTRACE_ADVICE_H

#include "findings/analysis.h"
#include "trace/framework.h"

/* What a finding's waits were for. */
enum situation {
	SITUATION_ANY,
	SITUATION_TO_DEVICE, /* H2D copies */
	SITUATION_TO_HOST,   /* D2H copies */
	SITUATION_SCALAR,    /* D2H copies of a number or two */
	SITUATION_KERNELS    /* kernels that waited for kernels, no copies */
};

struct advice {
	const char *id; /* the detector's id */
	enum framework framework;
	enum situation situation;
	const char *fix;	       /* NULL: the detector's own */
	const char *relies_on, *price; /* NULL: unknown */
	bool is_of_step;	       /* relies_on: the host waits for nothing in a step */
};

/* The row for the detector's id, the framework and the situation, or else for SITUATION_ANY. NULL:
 * there is none. */
const struct advice *advice_find(const char *id, enum framework framework,
				 enum situation situation);

/* Whether advice for the detector's id has this text as relies_on and is_of_step. */
bool advice_is_of_step(const char *id, const char *relies_on);

/* Sets relies_on, price and is_of_step of the finding, and fix if the advice has one. The finding must have its
 * site, its instances and the detector's fix. Without advice nothing changes. */
void advice_give(struct finding *finding);

#endif

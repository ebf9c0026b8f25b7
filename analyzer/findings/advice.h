/*
 * What a fix is in the words of who has to write it, what it relies on and what it costs:
 * advice.def. The detectors' own fixes name CUDA calls.
 */
#ifndef STREAMTRACE_ADVICE_H
#define STREAMTRACE_ADVICE_H

#include "findings/analysis.h"
#include "trace/framework.h"

/* What the waits of a finding were for. */
enum situation {
	SITUATION_ANY,
	SITUATION_TO_DEVICE, /* copies to the device */
	SITUATION_TO_HOST,   /* copies back */
	SITUATION_SCALAR,    /* copies back of a number or two */
	SITUATION_KERNELS    /* no copy's: kernels waited for kernels */
};

struct advice {
	const char *id; /* of the detector */
	enum framework framework;
	enum situation situation;
	const char *fix; /* NULL: the detector's own */
	const char *relies_on, *price;
};

/* The advice, or that for any situation; NULL: there is none. */
const struct advice *advice_find(const char *id, enum framework framework,
				 enum situation situation);

/* Fills in relies_on and price, and fix where a framework made the calls. Needs the finding's
 * instances, and its fix for a program in C. */
void advice_give(struct finding *finding);

#endif

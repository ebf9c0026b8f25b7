/*
 * The fix of a finding in the terms of whoever must write it (a framework's, or C), what it relies
 * on, and what it costs: advice.def. The detectors' own fixes name CUDA calls. Texts are static.
 * One thread.
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
	const char *fix; /* NULL: the detector's own */
	const char *relies_on, *price;
};

/* The advice for this situation, otherwise for SITUATION_ANY; NULL: none. */
const struct advice *advice_find(const char *id, enum framework framework,
				 enum situation situation);

/* Fills in relies_on and price; also fix, if a framework made the calls. The finding must have its
 * instances, and its fix for C. */
void advice_give(struct finding *finding);

#endif

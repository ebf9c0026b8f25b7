/* Why a trace cannot tell what a gate asks. One thread. */
#ifndef STREAMTRACE_GATE_DOUBTS_H
#define STREAMTRACE_GATE_DOUBTS_H

#include "gate/run.h"

/* Fills in run->doubts. */
void doubts_collect(const struct trace *trace, const struct analysis *analysis,
		    struct gate_run *run);

#endif

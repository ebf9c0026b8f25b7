/* Why a gate cannot decide by a trace: what was lost, and a replay that fails its self-check. One thread. */
#ifndef STREAMTRACE_GATE_DOUBTS_H
#define STREAMTRACE_GATE_DOUBTS_H

#include "gate/gate_run.h"

/* Appends each reason to run->doubts. The texts are constants or in run->arena. */
void doubts_collect(const struct trace *trace, const struct analysis *analysis,
		    struct gate_run *run);

#endif

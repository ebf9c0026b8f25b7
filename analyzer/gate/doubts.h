/* Why a gate cannot decide by a trace: records were lost, or a replay fails its self-check. One
 * thread. */
#ifndef STREAMTRACE_GATE_DOUBTS_H
#define STREAMTRACE_GATE_DOUBTS_H

#include "gate/gate_run.h"

/* Appends a text for each reason to run->doubts; none if the trace can be judged. Texts are
 * constants or in run->arena. */
void doubts_collect(const struct trace *trace, const struct analysis *analysis,
		    struct gate_run *run);

#endif

/*
 * Why the watch mode wrote a trace: which step was slow and where its extra time went, beside the normal steps of the
 * same run; or which call has not returned.
 *
 * Evidence: what the slow step has more than the mean of the normal steps in the file, by line (step_parts.h). The
 * cause is the largest row, or that of the line whose calls together have more. What a call waited for is not seen, because the device was not recorded then. Inference:
 * it is behind what the step enqueued before it that a normal step does not enqueue, or else behind what was enqueued
 * since the last wait: the operation that takes the device the longest in the steps after it. The kernels' names are those of the launches of the same line in the steps after it, which were recorded.
 *
 * Times are the trace's ns. Everything belongs to the incident, the texts to the trace, which must outlive it. One
 * thread.
 */
#ifndef STREAMTRACE_INCIDENT_H
#define STREAMTRACE_INCIDENT_H

#include "incident/step_parts.h"

/* What a call that took longer has to do with the step's other calls. */
enum incident_reason {
	REASON_NONE,	   /* nothing is known */
	REASON_OTHER_COPY, /* `other`: a copy that a normal step does not make, or of more bytes */
	REASON_OTHER_LAUNCH, /* `other`: a launch that a normal step does not make, or makes less often */
	REASON_FREED, /* `other`: a call before it that gives memory back, which a normal step does not make */
	REASON_PENDING, /* `other`: of what was enqueued since the last wait the longest; in a normal step, too */
	REASON_FIRST_LAUNCH, /* no call of the trace before it launched this kernel */
	REASON_LARGER,	     /* the call itself copies or sets more */
	REASON_LOOKED_UP, /* page faults at the line of a kernel's first launch, right before it */
	REASON_READ	  /* the thread read from storage what normal steps do not */
};

/* What the device did while it was recorded. */
struct incident_device {
	int64_t recorded_ns; /* 0: it was not */
	size_t operation_count;
	const struct trace_operation *last; /* that ended last; NULL: none */
};

struct incident {
	const struct trace *trace; /* the file as it is */
	const struct trace_incident *row;
	const struct trace_step
		*step; /* the slow one, or that ran; NULL: none is known that has ended */
	struct step_parts *parts; /* NULL: there is no step */
	/* The largest row that is more than in a normal step; NULL: none. */
	const struct step_part *cause;
	/* By how much all calls of the line of `cause` took longer than in a normal step. 0: `cause` alone explains most of
	 * that. */
	int64_t line_ns;
	int64_t extra_ns; /* what the step took more than a normal one, the mean, or else the median; >= 0 */
	/* Of the extra time, what the thread did not spend in waits for the device: there a rank can wait for another
	 * one. And when the largest part of that began, after the step; -1: there is none. */
	int64_t own_ns, late_ns;
	enum incident_reason reason;
	const struct step_part *other; /* of the reason; or NULL */
	const char *kernel;   /* mangled, of `other`, or of a first launch; NULL: not known */
	size_t pending_count; /* REASON_PENDING: calls that enqueued something since the last wait */
	size_t collective_count; /* of a wait for the device: NCCL's collectives since the last wait */
	/* Of a hang: how long the call had not returned; it is over if it returned before the file's end. */
	int64_t hangs_ns;
	bool is_over;
	struct incident_device device;
	struct map
		first_launches; /* by a kernel's handle: the index of the call that launched it first */
};

/* NULL: the trace has no incident. trace: the whole file. Free by incident_free(), which takes NULL, too. */
struct incident *incident_make(const struct trace *trace);
void incident_free(struct incident *incident);

/* Whether calls of this class can wait for the device: synchronizations, what allocates and frees memory, and what
 * enqueues while its queue is full. */
bool incident_waits(enum function_class class);

/* Whether calls of this class enqueue an operation. */
bool incident_enqueues(enum function_class class);

#endif

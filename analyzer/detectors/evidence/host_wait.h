/*
 * Calls that blocked the host, and whether it needed that: what the detectors of host waits share.
 *
 * What cannot be seen counts as needed: the host may read each D2H copy since its thread's last
 * wait, as many bytes as the time before it enqueues more allows. Where the trace says when the
 * host first touched a result (trace_first_use), that decides.
 */
#ifndef STREAMTRACE_HOST_WAIT_H
#define STREAMTRACE_HOST_WAIT_H

#include "detectors/detector.h"
#include "detectors/evidence/first_use.h"

struct host_wait {
	const struct trace_call *call;
	const struct trace_call *since;	     /* its thread's wait before, or NULL */
	const struct trace_operation *cause; /* the end that it waited for (evidence.h) */
	const struct trace_operation *next;  /* what its thread enqueued then */
	struct span span;		     /* from its start to the cause's end */
	/* Of the results that it let the host read, those that the host had time to read whole, or
	 * is seen to have used before it enqueued more: */
	bool is_read;			      /* there is at least one */
	bool is_used;			      /* and one is seen to be used */
	bool has_result;		      /* there are any that may be needed, read or not */
	const struct trace_operation *needed; /* what the host waited for, if is_read */
	const struct trace_operation *last_result; /* the last to end that may be needed */
	uint64_t work; /* what its thread enqueued since its wait before: model_work_between() */
	/* The cudaEventElapsedTime() that it is there for (time_reads.h), or NULL. */
	const struct trace_call *reads_time;
	struct first_use_label label;
};

/* Hands over each call for which is_judged() is true, which waited, and after which its thread
 * enqueued more work. */
void host_wait_each(const struct observed *observed,
		    bool (*is_judged)(const struct trace_call *call),
		    void (*take)(const struct model *model, const struct host_wait *wait,
				 struct instances *found),
		    struct instances *found);

/* Adds to waits that were found the synchronizes of the same call sites that had nothing to wait
 * for, each with an empty span: where the line goes they go, too. Not those that gave the host a
 * result. */
void host_wait_add_idle(const struct observed *observed, struct instances *found);

/* cudaDeviceSynchronize, cudaStreamSynchronize or cudaEventSynchronize. */
bool host_wait_is_sync(const struct trace_call *call);

/* Whether the next call waits for the same anyway, such as cudaMemcpy behind the work. Then
 * dropping this wait saves nothing. */
bool host_wait_is_repeated(const struct host_wait *wait);

/* Counts a wait as assumed necessary, for the report, unless its use was seen. */
void host_wait_doubt(const struct model *model, const struct host_wait *wait,
		     struct instances *found);

/* Whether the host read a clock right behind the wait, and so may have waited for that: counts it as
 * assumed necessary then. */
bool host_wait_is_for_clock(const struct model *model, const struct host_wait *wait,
			    struct instances *found);

/* Of an instance of a detector of host waits. */
struct host_waited {
	/* Of the results that the host waited for, the one that it needed, and the last that it can
	 * have needed; NULL except for wide-sync and memset-sync. */
	const struct trace_operation *needed, *last_needed;
	uint64_t work; /* struct host_wait */
	struct first_use_label label;
};
/* For a detector all of whose instances are of host_wait_instance(). */
#define HOST_WAIT_POINTERS                                                                         \
	{                                                                                          \
		DETAIL_POINTER_ANYWHERE(struct host_waited, needed),                               \
			DETAIL_POINTER_ANYWHERE(struct host_waited, last_needed)                   \
	}

static inline struct host_waited host_waited_of(const struct instance *instance)
{
	return instance_detail(instance, struct host_waited);
}

/* An instance with what the wait knows. */
struct instance host_wait_instance(const struct host_wait *wait);

/* Found; or doubtful where the host had time to read a result, or needed for its clock. */
void host_wait_take(const struct model *model, const struct host_wait *wait,
		    struct instances *found);

/* What blocked the call, what started only after it, and whether its results were used: for
 * describe() of a detector. */
void host_wait_describe(const struct observed *observed, const struct instance *instance,
			char *text, size_t size);

/* Whether the wait is one for several streams, of which the host can have needed only some: until
 * *needed, which counts as the result that is read. What else ended by then costs nothing. */
bool host_wait_is_wide(const struct model *model, const struct host_wait *wait,
		       const struct trace_operation **needed);

#endif

/*
 * Host waits: calls that blocked the host, and whether it needed to wait. Shared by the detectors
 * of host waits. One thread.
 *
 * What cannot be seen counts as needed: the host is assumed to read each D2H copy since its
 * thread's last wait, but no more bytes than fit in the time until it enqueues again. If the trace
 * tells when the host first touched a result (trace_first_use), that decides.
 */
#ifndef STREAMTRACE_HOST_WAIT_H
#define STREAMTRACE_HOST_WAIT_H

#include "detectors/detector.h"
#include "detectors/evidence/first_use.h"

struct host_wait {
	const struct trace_call *call;
	const struct trace_call *since;	     /* its thread's wait before, or NULL */
	const struct trace_operation *cause; /* the operation that it waited for (evidence.h) */
	const struct trace_operation *next;  /* the operation that its thread enqueued next */
	struct span span;		     /* from the call's start to the cause's end */
	/* About its results that the host had time to read whole, or is seen to have used before it
	 * enqueued more: */
	bool is_read;			      /* there is at least one */
	bool is_used;			      /* one is seen to be used */
	bool has_result;		      /* there are results that may be needed, read or
					       * not */
	const struct trace_operation *needed; /* the result that the host waited for, if is_read */
	const struct trace_operation *last_result; /* of the results that may be needed, the one
						    * that ended last */
	uint64_t work; /* a hash of what its thread enqueued since its wait before:
		        * model_work_between() */
	/* The cudaEventElapsedTime() that the wait is made for (time_reads.h), or NULL. */
	const struct trace_call *reads_time;
	struct first_use_label label;
};

/* Calls take() for each call for which is_judged() is true, that waited, and after which its thread
 * enqueued more work. found: passed to take(). */
void host_wait_each(const struct observed *observed,
		    bool (*is_judged)(const struct trace_call *call),
		    void (*take)(const struct model *model, const struct host_wait *wait,
				 struct instances *found),
		    struct instances *found);

/* Adds to the waits found the synchronizations of the same call sites that had nothing to wait for,
 * each with an empty span: a fix that removes the line removes them, too. Leaves out those that
 * gave the host a result. */
void host_wait_add_idle(const struct observed *observed, struct instances *found);

/* Whether it is cudaDeviceSynchronize, cudaStreamSynchronize or cudaEventSynchronize. */
bool host_wait_is_sync(const struct trace_call *call);

/* Whether the next call waits for the same work anyway, such as a cudaMemcpy: then dropping this
 * wait saves nothing. */
bool host_wait_is_repeated(const struct host_wait *wait);

/* Counts the wait as assumed necessary, for the report, unless the use of a result was seen. */
void host_wait_doubt(const struct model *model, const struct host_wait *wait,
		     struct instances *found);

/* Whether the host read a clock right after the wait, and so may have waited for the time: if so,
 * counts it as assumed necessary. */
bool host_wait_is_for_clock(const struct model *model, const struct host_wait *wait,
			    struct instances *found);

/* What a detector of host waits keeps in an instance. */
struct host_waited {
	/* Of the results waited for, the one that the host needed, and the last one that it can
	 * have needed; NULL except for wide-sync and memset-sync. */
	const struct trace_operation *needed, *last_needed;
	uint64_t work; /* as in struct host_wait */
	struct first_use_label label;
};
/* For detectors whose instances all come from host_wait_instance(). */
#define HOST_WAIT_POINTERS                                                                         \
	{                                                                                          \
		DETAIL_POINTER_ANYWHERE(struct host_waited, needed),                               \
			DETAIL_POINTER_ANYWHERE(struct host_waited, last_needed)                   \
	}

static inline struct host_waited host_waited_of(const struct instance *instance)
{
	return instance_detail(instance, struct host_waited);
}

/* An instance for the wait. */
struct instance host_wait_instance(const struct host_wait *wait);

/* Adds the wait as an instance: doubtful if the host had time to read a result. Counts it as
 * assumed necessary instead if it was for a clock. */
void host_wait_take(const struct model *model, const struct host_wait *wait,
		    struct instances *found);

/* For describe() of a detector: writes what blocked the call, what started only after it, and
 * whether its results were used. */
void host_wait_describe(const struct observed *observed, const struct instance *instance,
			char *text, size_t size);

/* Whether the wait is for several streams of which the host can have needed only some. *needed:
 * the result that is read, until whose end it had to wait; anything that ended earlier costs
 * nothing. */
bool host_wait_is_wide(const struct model *model, const struct host_wait *wait,
		       const struct trace_operation **needed);

#endif

/*
 * Host waits: calls that blocked the host, and whether the host needed to wait. Shared by the
 * detectors of host waits. One thread at a time for each struct instances.
 *
 * What cannot be seen counts as needed: the host is assumed to read each D2H copy since the
 * thread's last wait, but no more bytes than fit in the time until the thread enqueues again. If
 * the trace tells when the host first touched a result (trace_first_use), that time decides.
 */
#ifndef STREAMTRACE_HOST_WAIT_H
#define STREAMTRACE_HOST_WAIT_H

#include "detectors/detector.h"
#include "detectors/evidence/first_use.h"

struct host_wait {
	const struct trace_call *call;
	const struct trace_call *since;	     /* the thread's wait before this one, or NULL */
	const struct trace_operation *cause; /* what the call waited for (evidence.h) */
	const struct trace_operation *next;  /* the operation that the thread enqueued next */
	struct span span; /* from the call's start to the earlier end: of the cause or the call */
	/* A result counts as read if the host had time to read it whole, or is seen to have used it
	 * before the thread enqueued more. */
	bool is_read;			      /* at least one result counts as read */
	bool is_used;			      /* at least one result is seen to be used */
	bool has_result;		      /* there are results that may be needed, read or
					       * not */
	const struct trace_operation *needed; /* the result that the host waited for; NULL unless
					       * is_read */
	const struct trace_operation *last_result; /* of the results that may be needed, the one
						    * that ended last; or NULL */
	uint64_t work; /* a hash of what the thread enqueued after `since`: model_work_between() */
	/* The cudaEventElapsedTime() that the wait is made for (time_reads.h), or NULL. */
	const struct trace_call *reads_time;
	struct first_use_label label; /* when the results were first touched (first_use.h) */
};

/* Calls take() for each call for which is_judged() is true, if the call waited and its thread
 * enqueued more work afterwards. *wait is valid only during take(). found: passed to take(). */
void host_wait_each(const struct observed *observed,
		    bool (*is_judged)(const struct trace_call *call),
		    void (*take)(const struct model *model, const struct host_wait *wait,
				 struct instances *found),
		    struct instances *found);

/* Adds the synchronizations that had nothing to wait for, at the call sites of the instances found:
 * a fix that removes the line removes them, too. Their spans are empty. Synchronizations that gave
 * the host a result are left out. */
void host_wait_add_idle(const struct observed *observed, struct instances *found);

/* Whether the call is cudaDeviceSynchronize, cudaStreamSynchronize or cudaEventSynchronize. */
bool host_wait_is_sync(const struct trace_call *call);

/* Whether the thread's next work, such as a cudaMemcpy, waits for the same work anyway. Dropping
 * this wait then saves nothing. */
bool host_wait_is_repeated(const struct host_wait *wait);

/* Counts the wait in found->doubtful, unless the use of a result was seen. */
void host_wait_doubt(const struct model *model, const struct host_wait *wait,
		     struct instances *found);

/* Whether the host read a clock right after the wait, and so may have waited for the time. If so,
 * the wait is counted in found->timed. */
bool host_wait_is_for_clock(const struct model *model, const struct host_wait *wait,
			    struct instances *found);

/* What a detector of host waits keeps in an instance. */
struct host_waited {
	/* The result that the host needed, and the last result that the host can have needed. Both
	 * NULL except for wide-sync and memset-sync. */
	const struct trace_operation *needed, *last_needed;
	uint64_t work; /* as in struct host_wait, and so is label */
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

/* An instance for the wait, with a struct host_waited as its detail. The instance is doubtful if
 * wait->has_result. */
struct instance host_wait_instance(const struct host_wait *wait);

/* Adds the wait as an instance, unless it may have been needed: if a result counts as read, calls
 * host_wait_doubt(); if the wait was for a clock, counts it in found->timed. */
void host_wait_take(const struct model *model, const struct host_wait *wait,
		    struct instances *found);

/* For apply() of a detector: drops the calls that waited. Where Python called a framework for them,
 * the framework's own work for a call goes, too, but at the low end. Instances with a host function
 * are skipped: their calls waited for nothing. */
void host_wait_fix(const struct observed *observed, const struct instance *instances, size_t count,
		   enum doubt doubt, struct edits *edits);

/* For describe() of a detector: writes what blocked the call, which operation started only after
 * the wait, and whether the wait's results were used. */
void host_wait_describe(const struct observed *observed, const struct instance *instance,
			char *text, size_t size);

/* Whether the call waits for several streams, and longer than the host needed. *needed is then the
 * result that the host needed, which ended earlier, in another stream than wait->cause. If false,
 * *needed is undefined. */
bool host_wait_is_wide(const struct model *model, const struct host_wait *wait,
		       const struct trace_operation **needed);

#endif

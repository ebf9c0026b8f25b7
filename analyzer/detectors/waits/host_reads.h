/*
 * What readback-in-loop keeps of a read, and the edits that take a read away. Any thread.
 */
#ifndef STREAMTRACE_HOST_READS_H
#define STREAMTRACE_HOST_READS_H

#include "base/minmax.h"
#include "detectors/detector.h"

/* Of an instance: its call waited for the copy; the thread's calls around that. */
struct host_read {
	const struct trace_operation *copy;
	const struct trace_call *before;  /* before the read's first call, or NULL */
	const struct trace_call *next;	  /* behind the instance's call, or NULL */
	const struct trace_call *awaited; /* as in struct readback */
	/* Where another thread read: its first call for that; what told the host that the copy was
	 * done. The host waited before the instance's call. */
	const struct trace_call *first;
	const struct trace_host_function *told;
	uint32_t loop;	     /* as in struct readback_line */
	uint32_t between_ns; /* as in struct readback */
	/* is_value: of the line's reads most give values that kernels are told. */
	bool is_behind_others, is_undecided, is_value;
};

static inline struct host_read host_read_of(const struct instance *instance)
{
	return instance_detail(instance, struct host_read);
}

/* The host's own time between two calls; 0 if one is NULL. */
static inline int64_t host_read_gap_ns(const struct trace_call *before,
				       const struct trace_call *call)
{
	return before && call ? max_ns(0, call->start_ns - before->end_ns) : 0;
}

/* The call that begins the read. */
static inline const struct trace_call *host_read_first_call(const struct host_read *read)
{
	return read->awaited ? read->awaited : read->copy->call;
}

/* The host's own work around reads. */
struct host_read_work {
	int64_t before_ns, behind_ns; /* medians; frameworks do no more for a call than this */
	int64_t around_ns;	      /* so much of them goes with the read, by the times */
	int64_t least_ns;	      /* of reads by another thread: the least of both together */
};

/* Of a line's reads, or of several lines'. */
struct host_read_work host_read_work_around(const struct instance *instances, size_t count);

/* Drops the copy and the calls for it, and the host's work around them: with DOUBT_WEIGH what goes with
 * the read by the times, with DOUBT_DROP all that may go with it. */
void host_read_drop(const struct model *model, const struct instance *instance,
		    const struct host_read_work *work, enum doubt doubt, struct edits *edits);

#endif

/*
 * What a detector finds: one event with evidence.
 *
 * A wait, a copy made twice, a launch that costs more than its kernel, a device that idles. Each
 * has a span; the rest is there where there is such a thing, else NULL. Pointers belong to the
 * trace.
 */
#ifndef STREAMTRACE_INSTANCE_H
#define STREAMTRACE_INSTANCE_H

#include "detectors/first_use.h"
#include "replay/edits.h"

struct retimed;

/* What only some detectors know of an instance, and read again in apply() and describe(). */
enum instance_detail {
	DETAIL_NONE,
	DETAIL_HOST_WAIT,     /* .host_wait */
	DETAIL_HOST_FUNCTION, /* .host_function */
	DETAIL_PAGEABLE_COPY, /* .pageable_copy */
	DETAIL_TRANSFER,      /* .transfer */
	DETAIL_RELEASE,	      /* .release */
	DETAIL_WORK,	      /* .work */
	DETAIL_SEQUENCE,      /* .sequence */
	DETAIL_LOAD,	      /* .load */
	DETAIL_LOCAL,	      /* .local_bytes */
	DETAIL_SPIN,	      /* .spin */
	DETAIL_READ,	      /* .read */
	DETAIL_GRAPH,	      /* .graph */
	DETAIL_COPIES,	      /* .copies */
	DETAIL_FAULTS	      /* .faults */
};

struct instance {
	struct span span; /* when time was lost: the sum of them is reported */
	/* The most that the fix can save here, alone and together with fixes of the other
	 * constraint: see struct model_wait. instance_add() takes the span where they are empty. */
	struct span reach, reach_of_both;
	const struct trace_call *site_call;	 /* whose line is to be changed; NULL: no line's */
	const struct trace_call *call;		 /* the call that took the time */
	const struct trace_operation *operation; /* what waited or cost; a waiting call's next */
	const struct trace_operation *cause;	 /* what it waited for */
	bool takes_other_fix;			 /* detector.other_fix suits it better */
	const char *fix; /* suits it better than both of the detector's; or NULL */
	/* The fix removes a wait that may be needed, though no use was seen: DOUBT_KEEP leaves
	 * it. */
	bool is_doubtful;
	bool is_later; /* found in a later pass (struct finding): the spans are of a replay */
	enum instance_detail detail;
	union {
		struct {
			/* Of the results that the host waited for, the one that it needed, and the
			 * last that it can have needed; NULL except for wide-sync. */
			const struct trace_operation *needed, *last_needed;
			uint64_t work; /* struct host_wait */
			struct first_use_label label;
		} host_wait;
		const struct trace_host_function *host_function;
		struct {
			bool is_fresh;	/* the first copy to this host address */
			bool is_reused; /* a later copy reads the same host memory */
			/* The call of the copy to this host address before it, or NULL. */
			const struct trace_call *before;
		} pageable_copy;
		struct {
			/* The copy that makes instance.operation redundant. */
			const struct trace_operation *other;
			/* Its call, where it is one to the host that need not be made, either. */
			const struct trace_call *fetch;
			bool is_likely; /* doubtful, but likely to be so */
		} transfer;
		/* Of instance.call: loading alone; without loading. */
		struct {
			int64_t loading_ns, own_ns;
		} load;
		uint32_t local_bytes;		  /* the most that a thread took before */
		const struct trace_call *release; /* what gave back the memory before the call */
		/* From instance.call on. */
		struct {
			const struct trace_call *last; /* of the thread's queries */
			size_t queries, calls;	       /* calls: of other threads, beside them */
			int64_t calls_ns, quiet_ns;    /* what those took; would take otherwise */
			int64_t taken_ns; /* that other threads waited for a processor */
		} spin;
		/* The host's own, before instance.call. */
		struct {
			const struct trace_call *since; /* the thread's call before it */
			const struct trace_call
				*before; /* the call that it came before last time */
			int64_t idle_ns; /* no GPU was busy meanwhile */
		} work;
		/* instance.call waited for instance.operation; the thread's calls around that. */
		struct {
			const struct trace_call *before; /* before the copy's call, or NULL */
			const struct trace_call *next;	 /* behind instance.call, or NULL */
			/* Where another thread read: its first call for that; what told the host
			 * that the copy was done. The host waited before instance.call. */
			const struct trace_call *first;
			const struct trace_host_function *told;
		} read;
		/* instance.call instantiated a graph. */
		struct {
			/* The first that captured or added its nodes, of those that nothing else
			 * was instantiated from; and cudaGraphExecDestroy() of the instance that
			 * could have been updated; or NULL. */
			const struct trace_call *first, *release;
			const struct trace_call *upload; /* cudaGraphUpload(), or NULL */
			uint32_t nodes, changes;	 /* changes: nodes to be updated */
		} graph;
		/* Calls of one thread, from instance.call on. */
		struct {
			const struct trace_call *last;
			size_t launches;
			int64_t kernels_ns, idle_ns; /* what they took; no GPU was busy */
		} sequence;
		/* Small copies of one thread, from instance.call on: see copy_runs.h. */
		struct {
			const struct trace_call *last;
			size_t count;
			uint64_t bytes;
			int64_t calls_ns, one_ns; /* their calls'; that of one copy of as much */
		} copies;
		/* Managed memory that moved to the device during the kernel instance.operation; and
		 * to the host in the work before a later call (NULL: nothing did). */
		struct {
			const struct trace_call *touched;
			uint64_t bytes, host_bytes;
			int64_t kernel_ns; /* what the kernel takes without its faults */
			int64_t host_ns;   /* what the movements to the host took */
		} faults;
	};
};

/* Waits that would be instances, but count as needed. */
struct needed_waits {
	double count; /* of a sample: times their weights */
	int64_t ns;
};

struct instances {
	struct instance *items;
	size_t count, capacity;
	/* For what the trace cannot show; and because the host reads a clock right behind them. */
	struct needed_waits doubtful, timed;
};

/* Counts one: of the first, and of the second. */
void instance_add_doubtful(struct instances *instances, const struct trace *trace, int64_t start_ns,
			   int64_t length_ns);
void instance_add_timed(struct instances *instances, const struct trace *trace, int64_t start_ns,
			int64_t length_ns);

/* Counts those of the other ones, too. */
void instances_add_needed(struct instances *instances, const struct instances *other);

/* The array is freed with free(). */
void instance_add(struct instances *instances, struct instance instance);

/* The time of the instance's call where the edits take it away: its reach covers that. */
int64_t instance_gone_ns(const struct instance *instance, const struct model *model,
			 const struct edits *edits);

/* The call that took the time, or that enqueued what waited; NULL: none. */
const struct trace_call *instance_call(const struct instance *instance);

/* When it happened: the start of its call, else of its operation, else of its span. */
int64_t instance_start_ns(const struct instance *instance);

/* By that, for qsort(). */
int instance_compare_starts(const void *a, const void *b);

/* For how many like it in the run it stands: 1, but of a sample. */
double instance_weight(const struct instance *instance, const struct trace *trace);

/* Of a sample: whether all that its fix changes is in slices that go on one
 * behind the other. What came before a slice is not known. */
bool instance_is_in_slice(const struct instance *instance, const struct trace *trace);

/* From the replayed run back to the trace, but for the spans. Nothing else knows all pointers
 * of an instance. */
void instance_bring_back(struct instance *instance, const struct retimed *retimed);

#endif

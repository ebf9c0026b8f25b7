/*
 * What the program's host threads did, and who ran while one of them waited.
 *
 *	struct host_doing *doing = &work->doings[host_doing_of(work, state)];
 *	host_record_each(work, thread_id, span, piece, context); // the thread's time, cut into pieces
 *	host_others_add(&others, work, state, span);	       // who ran while it waited
 *
 * Evidence: a thread was looked at now and then (trace_host_state). At a look it did what the row
 * says, and until the next look it may have done something else. A look that fell into a CUDA call,
 * by its time or its stack, tells what the call did: the time between that call and the next look is HOST_BETWEEN_LOOKS.
 *
 * Inference: no trace has who woke whom. A thread that did not run cannot have woken another one, so
 * the threads that ran during a wait are those that can have been waited for: each by the time for
 * which it ran. A thread that runs for reasons of its own, or that spins, is among them. Where none
 * ran, a thread that waited for the outside (input, a child, a time) and went on by the end of the
 * wait can have been waited for. Where there is none, either, nobody is named.
 *
 * Times are the trace's ns. Everything is const after host_record_create(); any thread may read it.
 */
#ifndef STREAMTRACE_HOST_RECORD_H
#define STREAMTRACE_HOST_RECORD_H

#include "base/memory.h"
#include "model/host_frames.h"
#include "model/span.h"
#include "trace/site.h"

#include <string.h>

/* In place of an index in host_record.doings. */
#define HOST_NOT_SEEN UINT32_MAX

/* What a doing is, beside its state. */
enum host_action {
	HOST_ACTION_STATE,     /* what the state says */
	HOST_ACTION_COMPILING, /* by its frames, whether the thread ran or waited */
	HOST_ACTION_UNKNOWN    /* nobody looked: the time led to a call of the line */
};

/* What a thread was found doing, of all looks that found the same. Texts belong to the trace or to
 * the work. */
struct host_doing {
	enum host_state state;
	enum host_action action; /* if not HOST_ACTION_STATE, the state is HOST_STATE_RUNNING */
	/* The program's own line, as site_describe() chooses it; of a library's thread the
	 * library's. Without a file the offset is 0: looks come to any instruction, and the
	 * function, or else the module, is what they share. All members are empty if the look
	 * brought no stack. */
	struct site site;
	const char *called; /* what the line called: "NumPy", "queue.get", "memcpy", or the stack's
			     * framework; NULL: nothing that is known */
	const char *name;   /* what it waited for: a file's path, "pipe"; NULL: it has no name */
	uint32_t line;	    /* the same number for the same site and `called`, whatever the state */
	uint32_t at_work;   /* if HOST_ACTION_STATE: the doing of the same line that runs */
};

struct host_record {
	const struct trace *trace;
	struct host_doing *doings;
	uint32_t doing_count;
	struct host_record_index *index; /* host_record.c */
};

/* NULL: the trace has no host states. trace must outlive the result. Time and memory are linear in
 * calls and states. Free by host_record_free(), which takes NULL, too. */
struct host_record *host_record_create(const struct trace *trace);
void host_record_free(struct host_record *work);

/* The index in work->doings; state: one of trace->host_states. */
uint32_t host_doing_of(const struct host_record *work, const struct trace_host_state *state);

/* The doing of the call's line with HOST_ACTION_UNKNOWN. HOST_NOT_SEEN: the call has no line of the
 * program's own. */
uint32_t host_doing_of_call(const struct host_record *work, const struct trace_call *call);

/* Whether the thread ran the program's own code: at some look, or when it made some call. */
bool host_has_own_code(const struct host_record *work, uint32_t thread_id);

/* Whether the stack, one of trace->sites or NULL, has the program's own code; what its frames say. */
bool host_site_is_own(const struct host_record *work, const struct trace_site *site);
enum host_frame_doing host_site_doing(const struct host_record *work,
				      const struct trace_site *site);

/* The stack that tells the state's line: its own. Inference: if a look at a thread with own code
 * brought none of it (stacks of running threads can be cut off), that of a look beside it, between
 * the same calls, that goes through the same library; else the stack of the thread's next call.
 * NULL: unknown. */
const struct trace_site *host_site_of(const struct host_record *work,
				      const struct trace_host_state *state);

/* The thread's first call that starts at the time or later; NULL: none. */
const struct trace_call *host_next_call(const struct host_record *work, uint32_t thread_id,
					int64_t time_ns);

enum host_piece_kind {
	HOST_SEEN,	    /* a look found the thread doing `state` */
	HOST_IN_CALL,	    /* the thread was in `call` */
	HOST_BETWEEN_LOOKS, /* the last look fell into a CUDA call, and the next one came later */
	HOST_UNSEEN,	    /* nobody looked */
	HOST_AWAITING	    /* only host_chains_each(): as HOST_SEEN, and nobody is known who ended
			     * the wait */
};

/* A part of a thread's time. */
struct host_piece {
	struct span span; /* not empty */
	enum host_piece_kind kind;
	uint32_t doing;			      /* only HOST_SEEN; else HOST_NOT_SEEN */
	const struct trace_host_state *state; /* HOST_SEEN, HOST_BETWEEN_LOOKS; else NULL */
	const struct trace_host_state *at;    /* the look that tells its line: `state` here */
	const struct trace_call *call;	      /* only HOST_IN_CALL: the outermost; else NULL */
};

/* The threads that have states, in the order of their ids. */
size_t host_thread_count(const struct host_record *work);
uint32_t host_thread_id(const struct host_record *work, size_t thread);

/* Calls piece(context, ...) for each part of the thread's time in the span, in order of time. The
 * parts fill the span. *piece is valid during the call only. */
typedef void (*host_piece_function)(void *context, const struct host_piece *piece);
void host_record_each(const struct host_record *work, uint32_t thread_id, struct span span,
		      host_piece_function piece, void *context);

/* How much of the state's time without a processor, of its page faults, and of its time in the kernel
 * falls on the span, which lies in it: in proportion to time. The last two return -1 if unknown. */
int64_t host_ready_ns_in(const struct trace_host_state *state, struct span span);
double host_faults_in(const struct trace_host_state *state, struct span span);
double host_system_ns_in(const struct trace_host_state *state, struct span span);

/* How long the thread had no processor in the span, being ready to run, in calls and between them. */
int64_t host_thread_ready_ns(const struct host_record *work, uint32_t thread_id, struct span span);

/* Whether one of the state's looks fell into the span. Looks of one state count as equally far apart. */
bool host_has_look_in(const struct trace_host_state *state, struct span span);

/* Whether the state is a wait for another thread, or for the interpreter: whom it waited for is
 * asked by host_others_add(). */
static inline bool host_is_wait_for_thread(enum host_state state)
{
	return state == HOST_STATE_THREAD || state == HOST_STATE_INTERPRETER;
}

/* Whether the state is a wait for a lock: "mutex" is the library's name for the futex of one
 * (preload/host/waits.def). */
static inline bool host_is_lock(const struct trace_host_state *state)
{
	return state->state == HOST_STATE_THREAD && state->name && !strcmp(state->name, "mutex");
}

/* Whether the state is a wait for something outside of the program's threads. */
static inline bool host_is_outside(enum host_state state)
{
	return state == HOST_STATE_ASLEEP || state == HOST_STATE_INPUT || state == HOST_STATE_CHILD;
}

/* What other threads did during waits: one line of them, or one line's CUDA calls. */
struct host_other {
	int64_t ns;	/* of the waits' time, when one of these threads at least did so */
	uint32_t doing; /* HOST_NOT_SEEN: they were in CUDA calls */
	const struct trace_call *call; /* only if they were: the first of these calls */
	uint32_t thread_id;	       /* of the thread that did it first */
	uint32_t thread_count; /* how many did; at most HOST_OTHERS_THREADS are told apart */
	uint64_t threads;      /* a bit for each of them */
};

#define HOST_OTHERS_THREADS 64

/* A sum over waits. Zero-initialize it; host_others_free() it. */
struct host_others {
	int64_t wait_ns;	  /* of all waits */
	int64_t known_ns;	  /* of that, when somebody is named */
	struct host_other *items; /* after host_others_sort(): longest first */
	size_t count;
	struct host_others_private *own;
};

/* Adds the wait of the state's thread during the span, which lies in the state. The state must be a
 * wait for a thread. Of a wait for the interpreter only threads with Python's frames are named. */
void host_others_add(struct host_others *others, const struct host_record *work,
		     const struct trace_host_state *state, struct span span);
void host_others_sort(struct host_others *others);
void host_others_free(struct host_others *others);

/* The other one that explains the waits alone: it took HOST_ALONE_SHARE of their time. NULL: several
 * did, or nobody is known. Call after host_others_sort(). */
const struct host_other *host_others_alone(const struct host_others *others);

#endif

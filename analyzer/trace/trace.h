/*
 * A trace in memory: the tables of preload/schema.sql as arrays, joined and sorted.
 *
 *	struct trace *trace = trace_load(path, &error);
 *	for (i = 0; i < trace->call_count; i++) ... trace->calls[i] ...
 *	trace_close(trace);
 *
 * Units and meanings are the schema's. Members made by CALL_KEEPS and its like are columns as
 * recorded; facts/columns.def has their types, and their values for NULL. All arrays and texts
 * belong to the trace and live until trace_close(). Nothing is changed after trace_load(), except
 * by the functions below that say so: these must have the trace for themselves. Any thread may read
 * the arrays and call the other functions, but only one thread at a time trace_demangle().
 */
#ifndef STREAMTRACE_TRACE_H
#define STREAMTRACE_TRACE_H

#include "facts/facts.h"
#include "facts/graph_edge_kinds.h"
#include "trace/framework.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The unit of the device that runs an operation. Sets, and copies inside a device, run on compute
 * or a copy engine, as the driver chooses; here they count as compute. */
enum engine { ENGINE_COMPUTE, ENGINE_H2D, ENGINE_D2H, ENGINE_PEER, ENGINE_COUNT };

struct trace_function {
	const char *name;
	enum function_class class;
};

struct trace_stream {
	uint32_t context_id, id;
	enum stream_flag flag;
#define STREAM_KEEPS(name, type, missing) type name;
#include "facts/columns.def"
};

struct trace_context {
	uint32_t id, device_id, null_stream_id;
};

/* A device. The last line of members: the number of multiprocessors, and what each multiprocessor
 * can hold; 0: unknown. */
struct trace_device {
	uint32_t id;
	const char *name;
	const char *uuid;		       /* or NULL */
	uint64_t link_bytes_per_s;	       /* 0: unknown */
	uint32_t compute_major, compute_minor; /* compute capability */
	uint32_t multiprocessors, max_warps, max_blocks, max_shared_bytes, max_registers;
};

/* One frame of a call site. Without debug information file is NULL and line 0, without a symbol
 * function is NULL, too. */
struct trace_frame {
	const char *module;   /* path, or NULL */
	const char *build_id; /* hexadecimal, or NULL */
	uint64_t offset;
	const char *function; /* mangled */
	const char *file;
	int line;
	/* The library's function, inlined here, through which the line made the call; or NULL. */
	const char *through;
	enum framework framework; /* of the module */
	bool is_library;	  /* the module is not the program's own (site.h) */
	bool is_library_line;	  /* the module is the program's own, but the file a library's */
};

/* A frame of the Python stack. line: 0 if the code has no lines. */
struct trace_python_frame {
	const char *file, *function;
	int line;
	enum framework framework; /* of the file */
};

/* A call stack. depth and python_depth: how many frames of each kind. */
struct trace_site {
	int64_t id;
	int depth;
	const struct trace_frame *frames; /* innermost first */
	int python_depth;
	const struct trace_python_frame *python_frames; /* innermost first */
	bool is_lent; /* the Python frames are of another thread, which waited (lent_sites.c) */
};

/* A source file as it was when the program had ended. */
struct trace_source_file {
	const char *file; /* as frames name it */
	uint64_t hash;
};

/* A finding whose fix was tried in the running program: a row of trials, in the order of ids. Texts belong to the trace, or
 * to the caller of trace_store_trials(). */
struct trace_trial {
	int64_t trial; /* the same for what was tried together */
	size_t others; /* rows with the same number */
	const char *finding, *place, *fix, *verdict, *outcome;
	int64_t predicted_low_ns, predicted_ns, predicted_high_ns;
	bool has_saving; /* else the next are 0 */
	int64_t tried_low_ns, tried_ns, tried_high_ns;
};

struct trace_operation;
struct trace_graph_node;

/* An edge of a CUDA graph. kind: as in the table graph_edges. */
struct trace_graph_edge {
	const struct trace_graph_node *from;
	uint32_t kind;
};

/* A node with edges, of a graph that was made executable. Operations of all executable graphs that
 * were made of it lead to the same node. */
struct trace_graph_node {
	uint64_t id;			       /* graph_nodes.id */
	const struct trace_graph_edge *before; /* the edges that lead to it */
	uint32_t before_count;
	uint32_t behind_count; /* how many edges lead from it, but for those into it */
	uint32_t child_count;  /* of a child graph: how many of its nodes it begins with */
};

/* A pointer passed to a kernel by a launch, or a number that might be one. */
struct trace_argument {
	uint64_t address;
	uint32_t parameter, offset_bytes; /* its position: which parameter, and where in it */
};

struct trace_arguments {
	const struct trace_argument *items;
	size_t count;
};

/* Memory that was allocated or registered. Releases are left out: nothing uses memory between its
 * release and its next allocation. */
struct trace_allocation {
	int64_t time_ns;
	uint64_t address, size_bytes;
	bool is_mapped; /* cuMemMap: continues in the allocation mapped right after it */
	bool is_host;	/* pinned, registered or managed: the host reads it without a copy */
	bool is_static; /* a __device__ or __managed__ variable: any kernel can reach it */
};

/* The form of a call: everything but its times. Most of millions of calls have the form of an
 * earlier call, so calls share forms. Never changed after loading. */
struct trace_call_form {
	const struct trace_function *function;
	const struct trace_site *site;		 /* NULL: unknown */
	const struct trace_arguments *arguments; /* of a launch; NULL: not recorded */
	uint64_t stream_handle;
	/* Of a call that gave memory of pools (cudaMallocAsync) back to the device, or could have:
	 * the bytes that the pools kept unused afterwards, plus one. 0: not such a call. */
	uint64_t pool_spare_bytes;
#define CALL_KEEPS(name, type, missing) type name;
#include "facts/columns.def"
	bool via_driver_callback : 1; /* recorded by CUPTI's driver callback, not by a wrapper */
	bool has_stream : 1;	      /* stream_handle was recorded */
	bool is_timed : 1;	      /* its thread read a clock right after it */
};

struct trace_call {
	int64_t start_ns, end_ns;
	const struct trace_call_form *form;
	struct trace_operation *operation; /* the first that it enqueued, or NULL */
};

/* False for NULL. */
static inline bool trace_is_graph_launch(const struct trace_call *call)
{
	return call && call->form->function->class == CLASS_GRAPH_LAUNCH;
}

#define NO_CHANNEL UINT32_MAX /* an operation's channel_id: unknown */

/* The form of an operation: everything but its times and call. Shared like calls' forms. */
struct trace_operation_form {
	/* In a graph launch: the call that captured or added the operation's node. NULL: unknown,
	 * or no graph. */
	struct trace_call *node_call;
	const struct trace_graph_node *node; /* in a graph launch; NULL: unknown, or no edges */
	/* The call that added the child graph that begins with the node; NULL: unknown, or none does. */
	struct trace_call *child_call;
	const char *name;	     /* kernels: mangled */
	struct trace_stream *stream; /* never NULL: one is added for a stream without a row */
	/* Kernels: the number of blocks, and what each block takes; see also thread_registers. */
	uint64_t blocks;
	uint32_t block_threads, block_shared_bytes;
#define OPERATION_KEEPS(name, type, missing) type name;
#include "facts/columns.def"
	enum operation_kind kind : 8;
	enum engine engine : 8;
	uint8_t thread_registers; /* kernels: registers of a thread */
	bool is_graph;		  /* all nodes of a graph's launch, as one kernel without a name */
	bool is_gone;		  /* only in a replayed run (retimed.h): a fix has removed it */
};

struct trace_operation {
	int64_t start_ns, end_ns; /* always known: operations without times are counted, not
				   * loaded */
	const struct trace_operation_form *form;
	struct trace_call *call; /* NULL: not found */
};

/* A stream's wait for an event: work enqueued in `waiter` from wait_ns on runs after what was in
 * `recorder` when the event was recorded. Found from calls, or from rows of event_records and
 * synchronizations of type 2. Sorted by wait_ns. Branches of a graph wait so, too (graph_waits.c): then
 * both calls are the launch, and both times its start. */
struct trace_event_wait {
	const struct trace_stream *recorder, *waiter;
	/* End of the recording call, and start of the waiting call. If the recording call is
	 * unknown, record_ns is wait_ns: all work in the recorder until then counts. */
	int64_t record_ns, wait_ns;
	const struct trace_call *recording, *waiting; /* NULL: unknown */
	/* In a graph, indexes in trace.operations plus one: the record is behind `before`, and the wait
	 * before `behind`. 0: the record is before all of the launch, or the wait behind all. */
	uint32_t before, behind;
};

static inline bool trace_is_graph_wait(const struct trace_event_wait *wait)
{
	return wait->before || wait->behind;
}

static inline bool trace_begins_branch(const struct trace_event_wait *wait)
{
	return wait->behind && !wait->before;
}

static inline bool trace_ends_branch(const struct trace_event_wait *wait)
{
	return wait->before && !wait->behind;
}

/* A run of a host function, called by CUDA in stream order. Sorted by start_ns. */
struct trace_host_function {
	int64_t start_ns, end_ns;
	const struct trace_call *call;	    /* the call that enqueued it; NULL: unknown */
	const struct trace_call *node_call; /* in a graph: the call that captured or added it; or
					     * NULL */
	/* The stream that waited for the host function; NULL: unknown. In a graph the stream is
	 * known only if the host function ran after all other work of the launch. */
	const struct trace_stream *stream;
	uint32_t thread_id; /* that ran it */
};

#define TRACE_RANGE_ROWS 64

/* A range that the program named with NVTX. Sorted by thread; a thread's pushed ranges come before
 * its started ones; then by start, outer ranges first. */
struct trace_range {
	int64_t start_ns, end_ns; /* if is_open: the end of the trace */
	int64_t id;
	const char *name, *domain; /* NULL: no name; the default domain */
	/* The last range of this thread and kind (pushed or started) that was open when this one
	 * began; NULL: none. It may end before this one. */
	const struct trace_range *outer;
	uint32_t thread_id;
	uint32_t color; /* ARGB */
	uint8_t row; /* row for drawing, below TRACE_RANGE_ROWS: the first one that earlier ranges
		      * leave free */
	bool has_color, is_pushed;
	bool is_open; /* its end is unknown */
};

/* When the host first touched what a copy brought. Sorted by copy. */
struct trace_first_use {
	const struct trace_operation *copy;
	const struct trace_call *wait; /* the first that waited for the copy; NULL: the watch ended
				        * before */
	int64_t touch_ns;	       /* INT64_MAX: not touched */
	/* The touching thread's first call after the touch, or the call during which the touch
	 * came; NULL: none. */
	const struct trace_call *before;
	const struct trace_site *site; /* of the touching instruction, one frame; or NULL */
	uint64_t watched_bytes;
	enum first_use_kind kind;
	bool is_of_stranger; /* the touching thread made no CUDA call */
};

/* Host memory of an asynchronous copy that was watched from the copy's call on. In the order in which the watches ended. */
struct trace_copy_watch {
	const struct trace_operation
		*copy; /* or a kernel that was given this memory; then is_source is true */
	const struct trace_site *site; /* of the touch, one frame; or NULL */
	int64_t end_ns;		       /* of the touch, or of the watch without one */
	uint64_t address, watched_bytes;
	uint64_t touch_address; /* 0: none, or not known */
	uint32_t thread_id;	/* that ended it */
	enum first_use_kind kind;
	bool is_source; /* the copy reads this memory; otherwise it writes it */
};

#define NO_END_CALL UINT32_MAX

/* A span of time, [start_ns, end_ns), in which the program was recorded. Sorted; windows do not
 * overlap. */
struct trace_window {
	int64_t start_ns, end_ns;
	int64_t before_ns; /* recorded time in the windows before, weighted */
	/* The members below are of a sample only (sample/sample.h). The window stands for `weight`
	 * slices. The window counts from counted_ns on, when counted_call began and the work
	 * enqueued before was done; its earlier calls run up to that. The window ends when end_call
	 * began and the work enqueued before was done; NO_END_CALL: at the run's end. Both calls
	 * are indexes in trace.calls. goes_on: the window begins where the window before ends; row:
	 * the index of the first window of such a sequence. */
	double weight;
	int64_t counted_ns;
	uint32_t counted_call, end_call, row;
	bool goes_on;
};

/* A time that a thread spent, in a call or between calls, on other than the program's work. Sorted
 * by thread, then start_ns; overheads of one thread do not overlap. */
struct trace_overhead {
	int64_t start_ns, end_ns;
	uint32_t thread_id;
	uint32_t kind;	 /* as in facts/overhead_kinds.def, or of a newer version */
	bool is_loading; /* true: code for the device was compiled or loaded; false: the tracer's
			  * work */
};

/* The kernel's counters for a thread that made calls, from start_ns to end_ns. */
struct trace_thread_times {
	int64_t start_ns, end_ns;
	int64_t cpu_ns, ready_ns; /* on a processor; ready to run without one */
	int64_t runs;		  /* how often it got a processor: at least as often as it slept */
	uint32_t thread_id;
};

/* A name that a thread had at its end, or at that of the tracing. Sorted by id. */
struct trace_thread {
	int64_t id;
	const char *name; /* NULL: unknown */
};

/* What a host thread was found doing from start_ns to end_ns, by looks at a distance. Sorted by
 * thread, then start_ns; states of one thread do not overlap. */
struct trace_host_state {
	int64_t start_ns, end_ns;
	int64_t ready_ns;  /* of that time: ready to run, but without a processor */
	int64_t faults;	   /* page faults between start_ns and end_ns; -1: unknown */
	int64_t system_ns; /* time in the kernel between start_ns and end_ns; -1: unknown */
	int64_t object;	   /* of its wait (schema.sql); -1: unknown */
	const char *name;  /* of what it waited for; NULL: it has none */
	const struct trace_site *site; /* its stack; NULL: unknown */
	uint32_t thread_id, looks;
	enum host_state state;
};

enum migration_kind {
	MIGRATION_TO_DEVICE, /* a kernel there used the memory: on a page fault, or ahead of an
			      * expected fault */
	MIGRATION_TO_HOST,   /* the host used the memory: from its page fault on */
	MIGRATION_FAULTS,    /* no migration: page faults of a device, served together */
	MIGRATION_HOST_FAULT /* no migration: a page fault of the host that moved nothing, which is
			      * the first use of that memory */
};

#define TRACE_NO_DEVICE UINT32_MAX

/* Managed memory that moved because it was used elsewhere. Sorted by start_ns. */
struct trace_migration {
	int64_t start_ns, end_ns; /* end_ns equals start_ns if unknown */
	uint64_t bytes;		  /* 0 for faults */
	enum migration_kind kind;
	uint32_t device_id; /* the device that used or had the memory; TRACE_NO_DEVICE: unknown */
};

struct trace_loss {
	const char *kind, *detail; /* detail may be NULL */
	const char *text;	   /* what is missing, in words, for printing after the count */
	bool is_event;		   /* `count` events happened and are not in the file */
	int64_t count;
};

/* The tracer's cost of recording calls of a class, outside of the calls' recorded times and inside:
 * sums over `calls`, the number of calls that were measured. */
struct trace_tool_cost {
	enum function_class class;
	bool via_driver_callback;
	int64_t calls; /* > 0 */
	int64_t outside_ns, inside_ns;
};

/* A row of the metadata. */
struct trace_metadata_row {
	const char *key, *value;
};

/* Why the watch mode wrote the file (STREAMTRACE_MODE=watch): incidents.cause. */
enum incident_cause {
	INCIDENT_SLOW_STEP,
	INCIDENT_HANG,
	INCIDENT_SIGNAL,
	INCIDENT_TRIGGER,
	INCIDENT_OTHER /* of a newer version */
};

/* A row of incidents, in the order of ids. -1: a time or number that is not known. */
struct trace_incident {
	enum incident_cause cause;
	int64_t noticed_ns;
	int64_t step; /* steps.number */
	int64_t median_ns, normal_before;
	const struct trace_function *function; /* of a hang; NULL: not known */
	const struct trace_site *site;	       /* of a hang; NULL: not known */
	int64_t entered_ns;		       /* of a hang */
	uint32_t thread_id;		       /* of a hang */
	int64_t device_start_ns, device_end_ns;
};

enum step_kind { STEP_SLOW, STEP_NORMAL, STEP_AFTER, STEP_CURRENT, STEP_OTHER };

/* A step that the watch mode saw. By number. */
struct trace_step {
	int64_t number;
	int64_t start_ns, end_ns; /* end_ns -1: it had not ended */
	int64_t read_bytes;	  /* that its thread read from storage; -1: not known */
	uint32_t thread_id;
	enum step_kind kind;
};

/* How many rows a table of the file has. */
struct trace_table {
	const char *name;
	bool holds_events; /* true: rows are events; false: what events refer to, or facts about the
			    * run */
	uint64_t rows;
};

struct kernel_uses; /* ptx/kernel_uses.h */
struct trace_kernels;
struct trace_communicator; /* trace/collectives.h */
struct trace_collective;

struct trace {
	const char *file;	/* the path as given */
	const char *path;	/* the path made printable, for showing it */
	const char *unread;	/* why a part of the file could not be read, one line; or NULL */
	int64_t schema_version; /* MAJOR * 1000 + MINOR */
	struct trace_metadata_row *metadata; /* by key */
	struct trace_table *tables;	     /* only after trace_load_counted() */
	struct trace_function *functions;
	struct trace_stream *streams;
	struct trace_context *contexts;
	struct trace_device *devices;
	struct trace_site *sites;
	struct trace_source_file
		*source_files;	    /* by file; none: not recorded by `streamtrace run` */
	struct trace_trial *trials; /* none: no fix was tried */
	/* Only source files below these folders are opened, real paths with a newline between them; NULL: any. Set
	 * by the caller, who owns it. */
	const char *source_folders;
	struct trace_call *calls;	    /* by start_ns */
	struct trace_operation *operations; /* by start_ns */
	struct trace_graph_node *graph_nodes;
	struct trace_graph_edge *graph_edges; /* none: not recorded */
	struct trace_event_wait *event_waits;
	struct trace_host_function *host_functions;
	struct trace_first_use *first_uses; /* none: not recorded */
	struct trace_copy_watch *copy_watches;
	struct trace_range *ranges;
	struct trace_loss *losses;
	struct trace_tool_cost *tool_costs; /* none: they were not measured */
	struct trace_overhead *overheads;
	struct trace_migration *migrations;
	bool is_looked_at; /* the run's threads were, whether host_states is kept or not */
	struct trace_host_state *host_states; /* none: not recorded */
	struct trace_incident *incidents;     /* none: no file of the watch mode */
	struct trace_step *steps;	      /* likewise */
	struct trace_thread *threads;
	struct trace_thread_times *thread_times; /* by thread, one each */
	struct trace_communicator *communicators;
	struct trace_collective *collectives; /* none: NCCL was not used, or not seen */
	struct trace_window *windows;	      /* none: the whole run was recorded */
	struct trace_allocation *allocations; /* by time_ns; none without sees_arguments */
	struct trace_arguments *arguments;    /* sets of launch arguments */
	struct trace_kernels *kernels;	      /* NULL before trace_resolve_kernels() */
	size_t metadata_count, table_count;
	size_t function_count, stream_count, context_count, device_count, site_count, call_count;
	size_t graph_node_count, graph_edge_count;
	size_t operation_count, event_wait_count, loss_count, window_count;
	size_t host_function_count, first_use_count, copy_watch_count;
	size_t tool_cost_count, overhead_count;
	size_t allocation_count, arguments_count, migration_count, range_count;
	size_t communicator_count, collective_count, thread_times_count, host_state_count;
	size_t thread_count, source_file_count, trial_count, incident_count, step_count;
	bool is_sample;	      /* the windows are slices that stand for the whole run */
	bool sees_arguments;  /* of some launch that ran a kernel, pointers or none */
	bool lacks_addresses; /* recorded by another tool, without the copies' addresses */
	size_t untimed_operations;
	size_t matched_operations; /* how many of the operations have a call */
	/* Of a trace that trace_device_part() has made: the file as it is. Otherwise NULL. */
	struct trace *whole;
	struct trace_private *private; /* memory behind the arrays (trace/trace_private.h) */
};

/* By index in trace->overheads: the index in trace->calls of the call in which the overhead begins.
 * TRACE_NO_CALL: in no call, or is_loading is false. The caller must free() the array. */
#define TRACE_NO_CALL UINT32_MAX
uint32_t *trace_loading_calls(const struct trace *trace);

/* Opens and loads a trace; path must outlive the trace. Times are between 0 and INT64_MAX / 2, no
 * end is before its start, and the sum of all durations fits into an int64_t. *error is NULL
 * afterwards, unless NULL is returned: then it is one line for the user, without the program's
 * name, the path and a newline, which the caller must free(). End by trace_close(). */
struct trace *trace_load(const char *path, char **error);

/* Like trace_load(), and fills in trace->tables. */
struct trace *trace_load_counted(const char *path, char **error);

/* Like trace_load(), but reads only the metadata. */
struct trace *trace_load_metadata(const char *path, char **error);

/* Of a trace of the watch mode, the part in which the device was recorded: there the calls before it have no
 * operations, and nothing can be said of what they waited for. A window (above) is what is left; calls that ended
 * before are left out, and so is what refers to them. Takes over the trace, which is `whole` of the result and closed
 * with it. Returns the trace itself if that is no trace of the watch mode, or the device was not recorded. */
struct trace *trace_device_part(struct trace *trace);

/* The value of a metadata key, owned by the trace; NULL: the trace lacks the key. */
const char *trace_metadata(const struct trace *trace, const char *key);

/* The recorded time until time_ns: without the gaps between windows; for a sample, weighted to the
 * whole run. Only differences of two results mean something. */
int64_t trace_recorded_ns(const struct trace *trace, int64_t time_ns);

/* The recorded time between two times. */
static inline int64_t trace_recorded_between(const struct trace *trace, int64_t start_ns,
					     int64_t end_ns)
{
	return trace->window_count
		       ? trace_recorded_ns(trace, end_ns) - trace_recorded_ns(trace, start_ns)
		       : end_ns - start_ns;
}

/* How many similar times of the run this time in the trace stands for. Without a sample: 1. In a
 * sample: the weight of the window that the time is in, or 0 outside of what counts. */
double trace_weight(const struct trace *trace, int64_t time_ns);

/* A duration at time_ns in the trace, weighted. */
static inline int64_t trace_weigh_ns(const struct trace *trace, int64_t time_ns, int64_t length_ns)
{
	return trace->is_sample ? (int64_t)(trace_weight(trace, time_ns) * (double)length_ns)
				: length_ns;
}

/* For samples only: the index of the window with this call (an index in trace->calls). */
size_t trace_window_with(const struct trace *trace, uint32_t call);

/* The index of the window in which the operation counts; SIZE_MAX: none. Without a sample always
 * 0. */
size_t trace_window_of(const struct trace *trace, const struct trace_operation *operation);

/* sum_ns plus length_ns, which is weighted by the window (an index) in a sample. The result in a
 * sample is at most INT64_MAX / 4. */
int64_t trace_weigh_more(const struct trace *trace, size_t window, int64_t sum_ns,
			 int64_t length_ns);

/* For samples only: the member `row` of the window with this call (an index in trace->calls). */
static inline size_t trace_row_with(const struct trace *trace, uint32_t call)
{
	return trace->windows[trace_window_with(trace, call)].row;
}

/* How many similar calls of the run this call (an index in trace->calls) stands for. Without a
 * sample: 1. In a sample: its window's weight, or 0 if the call does not count. */
double trace_weight_of_call(const struct trace *trace, uint32_t call);

/* Fills in counted_ns, end_ns and before_ns of a sample's windows from the sample's calls and
 * operations. There must be a window. Changes the trace. */
void trace_measure_windows(struct trace *trace);

/* Clips a span to the window in which it starts, or to the next one; may leave nothing (start
 * equals end). */
void trace_clip_to_window(const struct trace *trace, int64_t *start_ns, int64_t *end_ns);

/* The first use of what the copy brought, owned by the trace; NULL: not watched. */
const struct trace_first_use *trace_first_use_of(const struct trace *trace,
						 const struct trace_operation *copy);

/* The range of the call's thread that the call begins in: the innermost pushed range, otherwise the
 * range started last. NULL: none, or call is NULL. The range belongs to the trace. */
const struct trace_range *trace_range_of(const struct trace *trace, const struct trace_call *call);

/* The next range around `range`, which trace_range_of() or this function gave for the call; NULL:
 * none. */
const struct trace_range *trace_range_around(const struct trace *trace,
					     const struct trace_range *range,
					     const struct trace_call *call);

/* Whether the call allocates managed memory (cudaMallocManaged() and its like). */
bool trace_is_managed(const struct trace_call *call);

/* Whether the kind says that the host touched the memory, or may have after the watch ended. */
bool trace_is_touch(enum first_use_kind kind);

/* Sorts the first uses by copy. Changes the trace. */
void trace_sort_first_uses(struct trace *trace);

/* The name of a function or kernel as in its source, with parameters; `name` if it is not mangled.
 * name must belong to the trace, as the result does. Each name is demangled once. One thread at a
 * time for each trace. */
const char *trace_demangle(const struct trace *trace, const char *name);

/* How many texts of the trace were cut to ARENA_TEXT_MOST (base/memory.h). */
size_t trace_cut_texts(const struct trace *trace);

/* Bytes of the longest text, demangled names included. Calls trace_demangle(). */
size_t trace_longest_text(const struct trace *trace);

/* Fills in missing function, file and line of frames, from the modules' symbols and debug
 * information (symbols.h). Changes the trace. Skips modules that are missing or have another build
 * id. Does nothing if the file already has the results of trace_store_sites() with no module
 * missing. If calls were inlined, an address stands for several frames: takes the innermost one of
 * the application (site.h), otherwise the outermost. */
void trace_resolve_sites(struct trace *trace);

/* Finds out what the kernels do with their arguments' memory, from the PTX in the modules that call sites name
 * (ptx/kernel_search.h). Changes the trace. Skips modules that are missing, have another build id or, without one, are
 * younger than the trace. Does nothing if no launch's arguments are known. Uses all processors. */
void trace_resolve_kernels(struct trace *trace);

/* What the kernel with this name, a text of the trace, uses; owned by the trace. NULL: not known. */
const struct kernel_uses *trace_kernel_uses(const struct trace *trace, const char *name);

/* Writes what trace_resolve_sites() found into the file, and what the program's own source files are now. 0, or -1: failed, and *error is as in
 * trace_load(). */
int trace_store_sites(struct trace *trace, char **error);

/* A row of metadata to write (annotate.c). The key is owned by the caller. */
struct trace_note {
	const char *key;
	char value[32];
};

/* Adds copies of the notes to the metadata in memory, which must not have the keys yet. Changes the
 * trace, not the file. */
void trace_add_metadata(struct trace *trace, const struct trace_note *notes, size_t count);

/* Adds the count rows to the file's trials, all with the same new number: their members trial and others are not read. The
 * trace in memory stays. A file of a format without that table is not changed, which is a failure. 0, or -1: failed, and
 * *error is as in trace_load(). */
int trace_store_trials(struct trace *trace, const struct trace_trial *rows, size_t count,
		       char **error);

/* Adds the notes to the file's metadata, replacing rows with equal keys; the trace in memory stays.
 * 0, or -1: failed, and *error is as in trace_load(). */
int trace_store_metadata(struct trace *trace, const struct trace_note *notes, size_t count,
			 char **error);

/* Makes the trace's file a single file, without a log beside it. False: somebody else reads the
 * file, or it cannot be written (database_join_log()). */
bool trace_join_log(const struct trace *trace);

/* Frees the trace with all arrays and texts; NULL does nothing. */
void trace_close(struct trace *trace);

#endif

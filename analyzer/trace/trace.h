/*
 * A trace in memory: the recorded tables of preload/schema.sql as arrays, joined and sorted.
 *
 * Units and meanings are the schema's. Members that CALL_KEEPS and its like make are columns as
 * they were recorded; facts/columns.def has their types, and their values where the trace has none.
 * Everything belongs to the trace and lives until trace_close(); nothing is written to after
 * trace_load(). One thread.
 */
#ifndef STREAMTRACE_TRACE_H
#define STREAMTRACE_TRACE_H

#include "facts/facts.h"
#include "trace/framework.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The unit of the device that runs an operation. Sets and copies inside a device run on compute or
 * a copy engine as the driver likes; they are counted as compute, where they show as kernels do. */
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

/* What can be resident on a multiprocessor, and how many there are; 0 where the trace does not
 * say. */
struct trace_device {
	uint32_t id;
	const char *name;
	const char *uuid;		       /* or NULL */
	uint64_t link_bytes_per_s;	       /* 0: not known */
	uint32_t compute_major, compute_minor; /* compute capability */
	uint32_t multiprocessors, max_warps, max_blocks, max_shared_bytes, max_registers;
};

/* One frame of a call site. file is NULL and line 0 where there is no debug information,
 * function NULL where there is no symbol either. */
struct trace_frame {
	const char *module;   /* path, or NULL */
	const char *build_id; /* hexadecimal, or NULL */
	uint64_t offset;
	const char *function; /* mangled */
	const char *file;
	int line;
	/* The library's function, inlined here, through which the line makes the call; or NULL. */
	const char *through;
	enum framework framework; /* that the module is of */
	bool is_library;	  /* in a module that is not the program's own (site.h) */
	bool is_library_line;	  /* in the program's own, but the file is a library's */
};

/* line is 0 where the code has none. */
struct trace_python_frame {
	const char *file, *function;
	int line;
	enum framework framework; /* that the file is of */
};

struct trace_site {
	int64_t id;
	int depth;
	const struct trace_frame *frames;
	int python_depth;
	const struct trace_python_frame *python_frames; /* innermost first */
};

struct trace_operation;

/* A pointer that a launch gave its kernel, or a number that could be one. */
struct trace_argument {
	uint64_t address;
	uint32_t parameter, offset_bytes; /* where it stood */
};

struct trace_arguments {
	const struct trace_argument *items;
	size_t count;
};

/* Memory that was allocated or registered. When it was released is left out: nothing uses it
 * between that and the next allocation of the same memory. */
struct trace_allocation {
	int64_t time_ns;
	uint64_t address, size_bytes;
	bool is_mapped; /* cuMemMap: goes on in the one that is mapped right behind it */
	bool is_host;	/* pinned, registered or managed: the host reads it without a copy */
};

/* What calls can have in common, which is all but when they were made: there are millions of calls,
 * and most were made before. Calls share a form, so it is not written to. */
struct trace_call_form {
	const struct trace_function *function;
	const struct trace_site *site;		 /* NULL: unknown */
	const struct trace_arguments *arguments; /* a launch's; NULL: not seen */
	uint64_t stream_handle;
	/* Of a call that gave memory of pools (cudaMallocAsync) back to the device, or could have:
	 * what they had afterwards beside what was in use, plus one. 0: it did not. */
	uint64_t pool_spare_bytes;
#define CALL_KEEPS(name, type, missing) type name;
#include "facts/columns.def"
	bool via_driver_callback : 1; /* seen by CUPTI's driver callback, not by a wrapper */
	bool has_stream : 1;	      /* stream_handle was recorded */
	bool is_timed : 1;	      /* its thread read a clock right behind it */
};

struct trace_call {
	int64_t start_ns, end_ns;
	const struct trace_call_form *form;
	struct trace_operation *operation; /* the first one it enqueued, or NULL */
};

#define NO_CHANNEL UINT32_MAX /* of an operation: not known */

/* The same of operations. */
struct trace_operation_form {
	/* Of a graph launch: what captured or added the graph's node; else, or unknown, NULL. */
	struct trace_call *node_call;
	const char *name;	     /* kernels: mangled */
	struct trace_stream *stream; /* never NULL: one is made up for a stream without a row */
	/* kernels: blocks in the grid, and what each takes; see thread_registers, too */
	uint64_t blocks;
	uint32_t block_threads, block_shared_bytes;
#define OPERATION_KEEPS(name, type, missing) type name;
#include "facts/columns.def"
	enum operation_kind kind : 8;
	enum engine engine : 8;
	uint8_t thread_registers; /* kernels: that a thread takes */
	bool is_gone;		  /* of a replayed run (replay/retiming/retimed.h): a fix has dropped it */
};

struct trace_operation {
	int64_t start_ns, end_ns; /* timed operations only: untimed ones are counted, not loaded */
	const struct trace_operation_form *form;
	struct trace_call *call; /* NULL: no call was found */
};

/* A stream waits for an event, as the calls say, or rows of event_records and of synchronizations of
 * type 2: from now on `waiter` runs after what was in `recorder` when the event was recorded. Sorted
 * by wait_ns. */
struct trace_event_wait {
	const struct trace_stream *recorder, *waiter;
	/* End of the recording call and start of the waiting call. Where the trace lacks the
	 * recording call, record_ns is wait_ns: all that was in the recorder by then counts. */
	int64_t record_ns, wait_ns;
	const struct trace_call *recording, *waiting; /* NULL where the trace lacks them */
};

/* A run of a host function that CUDA called in the order of a stream. Sorted by start_ns. */
struct trace_host_function {
	int64_t start_ns, end_ns;
	const struct trace_call *call;	    /* that enqueued it, or NULL */
	const struct trace_call *node_call; /* of a graph's: that captured or added it; or NULL */
	/* NULL: the stream that it stalled is not known. In a graph only a host function that runs
	 * behind all other work of the launch has one. */
	const struct trace_stream *stream;
};

#define TRACE_RANGE_ROWS 64

/* A time that the program named with NVTX. By thread, of each the pushed ones before the started ones; then
 * by start, the outer ones first. */
struct trace_range {
	int64_t start_ns, end_ns; /* of one that is_open: when the trace ends */
	int64_t id;
	const char *name, *domain; /* NULL: none; the default domain */
	/* Of those of the same thread, pushed as this one is or started as it is, the last that had begun
	 * and was open when this one began; NULL: none. It may end before this one. */
	const struct trace_range *outer;
	uint32_t thread_id;
	uint32_t color; /* ARGB */
	uint8_t row; /* of TRACE_RANGE_ROWS, the first in which the ranges before it leave it room */
	bool has_color, is_pushed;
	bool is_open; /* its end is not known */
};

/* When the host first touched what a copy brought. Ordered by copy. */
struct trace_first_use {
	const struct trace_operation *copy;
	const struct trace_call *wait; /* the first that covered it; NULL: it ended before */
	int64_t touch_ns;	       /* INT64_MAX: it did not */
	/* The touching thread's call that the touch came before, or in at its start; NULL: none. */
	const struct trace_call *before;
	const struct trace_site *site; /* of the touch, one frame; or NULL */
	uint64_t watched_bytes;
	enum first_use_kind kind;
	bool is_of_stranger; /* a thread touched it that made no call */
};

#define NO_END_CALL UINT32_MAX

/* A time in which the program was recorded, ordered and apart from each other. */
struct trace_window {
	int64_t start_ns, end_ns;
	int64_t before_ns; /* recorded in the windows before it, by their weights */
	/* Of a sample (sample/sample.h): the window counts so many times, from the end of what was
	 * enqueued before counted_call; from the window's first call until then calls run up to it. It
	 * ends where end_call is made and what was enqueued before that is done. NO_END_CALL: with the
	 * run. Of calls the indexes. One that goes on begins where the window before it ends; row: the first
	 * one of those that go on one behind the other. */
	double weight;
	int64_t counted_ns;
	uint32_t counted_call, end_call, row;
	bool goes_on;
};

/* A time that a thread spent on something other than the program's work, in a call or between calls.
 * By thread, then by start_ns; those of a thread are apart from each other. */
struct trace_overhead {
	int64_t start_ns, end_ns;
	uint32_t thread_id;
	bool is_loading; /* code for the device was compiled or loaded; else it is the tracer's */
};

/* What the kernel counted of a thread that made calls, from start_ns to end_ns. */
struct trace_thread_times {
	int64_t start_ns, end_ns;
	int64_t cpu_ns, ready_ns; /* on a processor; ready to run without one */
	int64_t runs;		  /* how often it got one: at least as often as it slept */
	uint32_t thread_id;
};

enum migration_kind {
	MIGRATION_TO_DEVICE, /* a kernel there used it: on a page fault, or ahead of one that the
				driver expected */
	MIGRATION_TO_HOST,   /* the host used it: likewise; from its fault on */
	MIGRATION_FAULTS,    /* none: page faults of a device that were served together */
	MIGRATION_KINDS
};

#define TRACE_NO_DEVICE UINT32_MAX

/* Managed memory that moved because it was used elsewhere than where it was. By start_ns. */
struct trace_migration {
	int64_t start_ns, end_ns; /* end_ns is start_ns where it is not known */
	uint64_t bytes;		  /* 0 for faults */
	enum migration_kind kind;
	uint32_t device_id; /* that used or had it; TRACE_NO_DEVICE: not known */
};

struct trace_loss {
	const char *kind, *detail; /* detail may be NULL */
	const char *text;	   /* behind the count: what is missing, in words */
	bool is_event;		   /* each is an event that happened and is not in the file */
	int64_t count;
};

/* What recording calls of a class cost the program: sums over those that were measured. */
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

/* How many rows a table of the file has. */
struct trace_table {
	const char *name;
	bool holds_events; /* rows are events; else what events refer to, or facts about the run */
	uint64_t rows;
};

struct trace_communicator; /* trace/collectives.h */
struct trace_collective;

struct trace {
	const char *file;	/* the path, as it was given */
	const char *path;	/* the same to be shown: nothing in it can harm a terminal */
	const char *unread;	/* why a part of the file could not be read, one line, or NULL */
	int64_t schema_version; /* MAJOR * 1000 + MINOR */
	struct trace_metadata_row *metadata; /* by key */
	struct trace_table *tables;	     /* only of trace_load_counted() */
	struct trace_function *functions;
	struct trace_stream *streams;
	struct trace_context *contexts;
	struct trace_device *devices;
	struct trace_site *sites;
	struct trace_call *calls;	    /* by start_ns */
	struct trace_operation *operations; /* by start_ns */
	struct trace_event_wait *event_waits;
	struct trace_host_function *host_functions;
	struct trace_first_use *first_uses; /* none where they were not recorded */
	struct trace_range *ranges;
	struct trace_loss *losses;
	struct trace_tool_cost *tool_costs; /* none: they were not measured */
	struct trace_overhead *overheads;
	struct trace_migration *migrations;
	struct trace_thread_times *thread_times; /* by thread, one each */
	struct trace_communicator *communicators;
	struct trace_collective *collectives; /* none: NCCL was not used, or not seen */
	struct trace_window *windows;	      /* none: the run was recorded as a whole */
	struct trace_allocation *allocations; /* by time_ns; none where no launch has arguments */
	struct trace_arguments *arguments;    /* sets of launches */
	size_t metadata_count, table_count;
	size_t function_count, stream_count, context_count, device_count, site_count, call_count;
	size_t operation_count, event_wait_count, loss_count, window_count;
	size_t host_function_count, first_use_count, tool_cost_count, overhead_count;
	size_t allocation_count, arguments_count, migration_count, range_count;
	size_t communicator_count, collective_count, thread_times_count;
	bool is_sample;	      /* the windows are of a few slices that stand for the run */
	bool lacks_addresses; /* another tool recorded it, and not where copies read and write */
	size_t untimed_operations;
	size_t matched_operations;     /* of operation_count, those with a call */
	struct trace_private *private; /* the memory behind the arrays (trace/private.h) */
};

/* By index in trace.overheads, of loading, the index in trace.calls of the call in which it begins, or
 * TRACE_NO_CALL; freed with free(). */
#define TRACE_NO_CALL UINT32_MAX
uint32_t *trace_loading_calls(const struct trace *trace);

/* Opens and loads a trace; path must outlive it. Times are between 0 and INT64_MAX / 2, no end is
 * before its start, and all durations together fit into an int64_t. NULL on failure: *error is then
 * one line for the user, without the program's name, the path and a newline, malloc'ed. */
struct trace *trace_load(const char *path, char **error);

/* The same, with the rows of the tables counted. */
struct trace *trace_load_counted(const char *path, char **error);

/* The same with nothing but the metadata. */
struct trace *trace_load_metadata(const char *path, char **error);

/* Value of a metadata key, or NULL. */
const char *trace_metadata(const struct trace *trace, const char *key);

/* The time recorded by then: within windows. A difference of two is a time without the gaps between
 * windows; of a sample, of the whole run, as far as that is like the sample. */
int64_t trace_recorded_ns(const struct trace *trace, int64_t time_ns);

/* The same of a span. */
static inline int64_t trace_recorded_between(const struct trace *trace, int64_t start_ns,
					     int64_t end_ns)
{
	return trace->window_count
		       ? trace_recorded_ns(trace, end_ns) - trace_recorded_ns(trace, start_ns)
		       : end_ns - start_ns;
}

/* For how many times like this in the run a time in the trace stands: 1, but of a sample. */
double trace_weight(const struct trace *trace, int64_t time_ns);

/* A time in the trace, as often. */
static inline int64_t trace_weigh_ns(const struct trace *trace, int64_t time_ns, int64_t length_ns)
{
	return trace->is_sample ? (int64_t)(trace_weight(trace, time_ns) * (double)length_ns)
				: length_ns;
}

/* Of a sample. The window with the call, by its index. */
size_t trace_window_with(const struct trace *trace, uint32_t call);

/* Where the operation counts, by index; SIZE_MAX: nowhere. Without a sample there is one window, 0. */
size_t trace_window_of(const struct trace *trace, const struct trace_operation *operation);

/* The sum and so long a time, as often as the window counts; a sample's stays far from an overflow. */
int64_t trace_weigh_more(const struct trace *trace, size_t window, int64_t sum_ns,
			 int64_t length_ns);

/* The row of the window with the call. */
static inline size_t trace_row_with(const struct trace *trace, uint32_t call)
{
	return trace->windows[trace_window_with(trace, call)].row;
}

/* For how many calls like this, by its index, it stands: 1, but of a sample. */
double trace_weight_of_call(const struct trace *trace, uint32_t call);

/* Fills in a sample's counted_ns, end_ns and before_ns. */
void trace_measure_windows(struct trace *trace);

/* Cuts what lies outside of the window in which it starts, or of the next one; that can be all. */
void trace_clip_to_window(const struct trace *trace, int64_t *start_ns, int64_t *end_ns);

/* The first use of what the copy brought; NULL: it was not watched. */
const struct trace_first_use *trace_first_use_of(const struct trace *trace,
						 const struct trace_operation *copy);

/* The innermost range of the call's thread that it begins in, or else the last started one; NULL: none. The
 * call is the trace's own. */
const struct trace_range *trace_range_of(const struct trace *trace, const struct trace_call *call);

/* The next one around a range that trace_range_of() or this gave for the call; NULL: none. */
const struct trace_range *trace_range_around(const struct trace *trace,
					     const struct trace_range *range,
					     const struct trace_call *call);

/* Whether the call allocates managed memory. */
bool trace_is_managed(const struct trace_call *call);

/* Whether the host touched it; what was watched no longer may have been touched from then on. */
bool trace_is_touch(enum first_use_kind kind);

/* Into the order of their copies. */
void trace_sort_first_uses(struct trace *trace);

/* A function's or kernel's name as its source spells it, with parameters; name itself where it is
 * not mangled. name must belong to the trace, as the result does: each is demangled once. */
const char *trace_demangle(const struct trace *trace, const char *name);

/* How many texts of the trace were cut (ARENA_TEXT_MOST in base/memory.h). */
size_t trace_cut_texts(const struct trace *trace);

/* Bytes of the longest text, of demangled names too. */
size_t trace_longest_text(const struct trace *trace);

/* Fills in function, file and line of frames that lack them, from the modules' symbols and debug
 * information (symbols.h). Modules that are missing or have another build id are left alone. Does nothing
 * where trace_store_sites() did, once, and no module was missing.
 * Where calls were inlined one address stands for several frames: the innermost that is the
 * application's own code is taken (site.h), or else the outermost. */
void trace_resolve_sites(struct trace *trace);

/* Writes what trace_resolve_sites() found into the file. 0, or -1 with *error as above. */
int trace_store_sites(struct trace *trace, char **error);

/* A row of metadata to be written (annotate.c). */
struct trace_note {
	const char *key;
	char value[32];
};

/* Adds rows to the metadata in memory, of keys that it does not have. */
void trace_add_metadata(struct trace *trace, const struct trace_note *notes, size_t count);

/* Adds rows to the file's metadata, or replaces them. 0, or -1 with *error as above. */
int trace_store_metadata(struct trace *trace, const struct trace_note *notes, size_t count,
			 char **error);

/* Makes the file whole by itself, to be copied: see database_join_log(). */
bool trace_join_log(const struct trace *trace);

void trace_close(struct trace *trace);

#endif

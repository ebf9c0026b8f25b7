#include "large_trace.h"

#include "build_trace.h"
#include "trace_blocks.h"
#include "base/memory.h"
#include "facts/facts.h"

#include <err.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

#define FIRST_THREAD 100
#define NULL_STREAM  7
#define SLOTS	     16 /* kernels at a time: each of them fills a sixteenth of the device */
#define LAYERS	     8	/* of the program's model, each with lines of its own */
#define LAYER_LINES  20
#define COPY_BYTES   65536
#define BUFFER_BYTES 1048576
#define BUFFERS	     4 /* of a stream: copied to, two between, copied from */

/* The functions' ids in large_trace.sql. */
enum function {
	COPY_ASYNC = 1,
	LAUNCH,
	DEVICE_SYNC,
	STREAM_SYNC,
	EVENT_RECORD,
	EVENT_SYNC,
	STREAM_WAIT,
	COPY,
	ALLOC,
	FREE,
	HOST_FUNCTION
};

enum insert { ADD_STREAM, ADD_ALLOCATION, ADD_ARGUMENT, ADD_HOST_FUNCTION, INSERT_COUNT };

static const char *const inserts[INSERT_COUNT] = {
	[ADD_STREAM] = "INSERT INTO streams (context_id, id, flag, priority, handle)"
		       " VALUES (1, ?, ?, 0, ?)",
	[ADD_ALLOCATION] = "INSERT INTO allocations (time_ns, is_release, memory_kind, address,"
			   " size_bytes) VALUES (?, 0, 3, ?, ?)",
	[ADD_ARGUMENT] = "INSERT INTO launch_arguments VALUES (?, ?, ?, 0, ?)",
	[ADD_HOST_FUNCTION] = "INSERT INTO host_functions (thread_id, offset, start_ns, end_ns,"
			      " stream_handle, correlation_id) VALUES (99, 0, ?, ?, ?, ?)",
};

struct stream {
	int64_t id, handle, end_ns; /* end of what was enqueued so far */
	int64_t device, host;	    /* its buffers */
	bool is_blocking;
};

struct thread {
	int64_t id, now_ns, turns;
	struct stream *streams;
	int64_t stream_count;
};

struct making {
	sqlite3 *database;
	struct trace_blocks *blocks;
	sqlite3_stmt *statements[INSERT_COUNT];
	struct thread *threads;
	struct stream *streams;
	int64_t thread_count, stream_count;
	uint64_t random;
	int64_t operations, correlation_id;
	/* When each engine is free again, and each side of the default stream's barrier done. */
	int64_t slots_ns[SLOTS], in_ns, out_ns, host_ns, legacy_ns, blocking_ns;
};

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Between least and three times that. */
static int64_t about(struct making *making, int64_t least_ns)
{
	making->random ^= making->random << 13;
	making->random ^= making->random >> 7;
	making->random ^= making->random << 17;
	return least_ns + (int64_t)(making->random % (uint64_t)(2 * least_ns));
}

static void insert(struct making *making, enum insert which, const int64_t *values, size_t count)
{
	sqlite3_stmt *statement = making->statements[which];
	int status = sqlite3_clear_bindings(statement);

	for (size_t i = 0; !status && i < count; i++)
		status = sqlite3_bind_int64(statement, (int)i + 1, values[i]);
	if (status || sqlite3_step(statement) != SQLITE_DONE || sqlite3_reset(statement))
		errx(1, "%s", sqlite3_errmsg(making->database));
}

#define INSERT(making, which, ...)                                                                 \
	insert(making, which, (const int64_t[]){__VA_ARGS__},                                      \
	       sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

struct call {
	enum function function;
	int64_t line, until_ns; /* it lasts until then at least */
	int64_t stream, object, dst, src, bytes, arguments;
};

/* The thread's next call; what the thread does behind it is done, too. */
static void add_call(struct making *making, struct thread *thread, struct call call)
{
	int64_t start_ns = thread->now_ns;
	int64_t end_ns = later(call.until_ns, start_ns + about(making, 1500));

	trace_blocks_call(making->blocks,
			  &(struct calls_row){
				  .thread_id = thread->id,
				  .function_id = call.function,
				  .start_ns = start_ns,
				  .end_ns = end_ns,
				  .site_id = call.line,
				  .correlation_id = ++making->correlation_id,
				  .stream_handle = call.stream,
				  .object = call.object,
				  .dst = call.dst,
				  .src = call.src,
				  .size_bytes = call.bytes,
				  .arguments_id = call.arguments ? call.arguments : ROW_NULL,
			  });
	thread->now_ns = end_ns + about(making, 300);
}

static void end_in_stream(struct making *making, struct stream *stream, int64_t end_ns)
{
	stream->end_ns = end_ns;
	if (stream->is_blocking)
		making->blocking_ns = later(making->blocking_ns, end_ns);
}

/* When the stream's next operation can start on an engine that is free then. */
static int64_t start_in_stream(const struct making *making, const struct thread *thread,
			       const struct stream *stream, int64_t free_ns)
{
	int64_t start_ns = later(thread->now_ns + 4000, later(stream->end_ns, free_ns) + 900);

	return stream->is_blocking ? later(start_ns, making->legacy_ns + 900) : start_ns;
}

/* Of the last call. */
static struct operations_row operation_of(const struct making *making, enum operation_kind kind,
					  int64_t start_ns, int64_t end_ns, int64_t stream_id)
{
	struct operations_row row = operations_null();

	row.kind = kind;
	row.start_ns = start_ns;
	row.end_ns = end_ns;
	row.device_id = 0;
	row.context_id = 1;
	row.stream_id = stream_id;
	row.correlation_id = making->correlation_id;
	return row;
}

static void add_kernel(struct making *making, int64_t start_ns, int64_t end_ns, int64_t stream_id,
		       int64_t kernel)
{
	static const char *const names[] = {"_Z4loadPKfPf", "_Z4workPKfPf", "_Z4savePKfPf"};
	struct operations_row row =
		operation_of(making, OPERATION_KERNEL, start_ns, end_ns, stream_id);

	row.grid_x = 66;
	row.block_x = 256;
	row.grid_y = row.grid_z = row.block_y = row.block_z = 1;
	row.registers_per_thread = 32;
	row.static_shared_bytes = row.dynamic_shared_bytes = 0;
	trace_blocks_operation(making->blocks, &row, names[kernel - 1]);
	making->operations++;
}

/* memory: the host's kind. */
static void add_copy(struct making *making, int64_t start_ns, int64_t end_ns, int64_t stream_id,
		     bool is_in, int64_t memory, bool is_async)
{
	struct operations_row row =
		operation_of(making, OPERATION_COPY, start_ns, end_ns, stream_id);

	row.copy_kind = is_in ? 1 : 2;
	row.src_kind = is_in ? memory : 3;
	row.dst_kind = is_in ? 3 : memory;
	row.is_async = is_async;
	row.size_bytes = COPY_BYTES;
	trace_blocks_operation(making->blocks, &row, NULL);
	making->operations++;
}

static void launch(struct making *making, struct thread *thread, struct stream *stream,
		   int64_t line, int64_t kernel)
{
	int64_t *slot = &making->slots_ns[0], start_ns;

	for (int i = 1; i < SLOTS; i++)
		if (making->slots_ns[i] < *slot)
			slot = &making->slots_ns[i];
	start_ns = start_in_stream(making, thread, stream, *slot);
	*slot = start_ns + about(making, 6000);
	end_in_stream(making, stream, *slot);
	add_call(making, thread,
		 (struct call){.function = LAUNCH,
			       .line = line,
			       .stream = stream->handle,
			       .arguments = stream->id * BUFFERS + kernel});
	add_kernel(making, start_ns, *slot, stream->id, kernel);
}

static void copy_async(struct making *making, struct thread *thread, struct stream *stream,
		       int64_t line, bool is_in, bool is_pageable)
{
	int64_t *engine_ns = is_in ? &making->in_ns : &making->out_ns;
	int64_t start_ns = start_in_stream(making, thread, stream, *engine_ns);
	int64_t memory = is_pageable ? 1 : 2, out = stream->device + 3 * BUFFER_BYTES;

	*engine_ns = start_ns + about(making, is_pageable ? 2500 : 1000);
	end_in_stream(making, stream, *engine_ns);
	add_call(making, thread,
		 (struct call){.function = COPY_ASYNC,
			       .line = line,
			       .until_ns = is_pageable ? stream->end_ns + 2000 : 0,
			       .stream = stream->handle,
			       .dst = is_in ? stream->device : stream->host + BUFFER_BYTES,
			       .src = is_in ? stream->host : out,
			       .bytes = COPY_BYTES});
	add_copy(making, start_ns, stream->end_ns, stream->id, is_in, memory, true);
}

/* A result, by cudaMemcpy in the default stream. */
static void copy_out(struct making *making, struct thread *thread, const struct stream *stream,
		     int64_t line)
{
	int64_t start_ns = later(thread->now_ns + 4000, later(making->out_ns, making->legacy_ns));

	start_ns = later(start_ns, making->blocking_ns + 900);
	making->out_ns = making->legacy_ns = start_ns + about(making, 1000);
	add_call(making, thread,
		 (struct call){.function = COPY,
			       .line = line,
			       .until_ns = making->legacy_ns + 2000,
			       .dst = stream->host + BUFFER_BYTES,
			       .src = stream->device + 3 * BUFFER_BYTES,
			       .bytes = COPY_BYTES});
	add_copy(making, start_ns, making->legacy_ns, NULL_STREAM, false, 2, false);
}

static void record_event(struct making *making, struct thread *thread, const struct stream *stream,
			 int64_t line)
{
	add_call(making, thread,
		 (struct call){.function = EVENT_RECORD,
			       .line = line,
			       .stream = stream->handle,
			       .object = stream->handle});
}

static void wait_for_event(struct making *making, struct thread *thread, struct stream *stream,
			   const struct stream *other, int64_t line)
{
	add_call(making, thread,
		 (struct call){.function = STREAM_WAIT,
			       .line = line,
			       .stream = stream->handle,
			       .object = other->handle});
	end_in_stream(making, stream, later(stream->end_ns, other->end_ns));
}

static void call_host(struct making *making, struct thread *thread, struct stream *stream,
		      int64_t line)
{
	int64_t start_ns = later(thread->now_ns + 6000, later(stream->end_ns, making->host_ns));

	making->host_ns = start_ns + about(making, 2000);
	end_in_stream(making, stream, making->host_ns);
	add_call(making, thread,
		 (struct call){.function = HOST_FUNCTION, .line = line, .stream = stream->handle});
	INSERT(making, ADD_HOST_FUNCTION, start_ns, making->host_ns, stream->handle,
	       making->correlation_id);
}

/* With the stream's own line, in some of its turns, a thread waits; seldom it does worse. */
static void wait(struct making *making, struct thread *thread, const struct stream *stream,
		 int64_t line)
{
	int64_t all_ns = making->legacy_ns, turn = thread->turns;
	struct call call = {.stream = stream->handle, .until_ns = stream->end_ns + 3000};

	for (int64_t i = 0; i < making->stream_count; i++)
		all_ns = later(all_ns, making->streams[i].end_ns);
	call.line = line;
	call.function = turn % 2 ? EVENT_SYNC : STREAM_SYNC;
	call.object = call.function == EVENT_SYNC ? stream->handle : 0;
	if (turn % 7 == 6)
		add_call(making, thread, call);
	if (turn % 32 == 31)
		add_call(making, thread,
			 (struct call){.function = DEVICE_SYNC,
				       .line = line + 1,
				       .until_ns = all_ns + 3000});
	if (turn % 64 == 63)
		copy_out(making, thread, stream, line + 2);
	if (turn % 128 != 127)
		return;
	call = (struct call){.function = ALLOC,
			     .dst = stream->device - BUFFER_BYTES,
			     .bytes = BUFFER_BYTES,
			     .line = line + 3};
	add_call(making, thread, call);
	INSERT(making, ADD_ALLOCATION, thread->now_ns, call.dst, call.bytes);
	call = (struct call){
		.function = FREE, .dst = call.dst, .line = line + 4, .until_ns = all_ns + 3000};
	add_call(making, thread, call);
}

static void take_turn(struct making *making, struct thread *thread)
{
	int64_t turn = thread->turns++;
	struct stream *stream = &thread->streams[turn % thread->stream_count];
	const struct stream *other = &thread->streams[(turn + 1) % thread->stream_count];
	int64_t layer = turn / thread->stream_count % LAYERS, line = 1 + layer * LAYER_LINES;

	copy_async(making, thread, stream, line++, true, layer == 3);
	if (turn % 4 == 1)
		wait_for_event(making, thread, stream, other, line);
	for (int64_t kernel = 1; kernel < BUFFERS; kernel++)
		launch(making, thread, stream, ++line, kernel);
	if (turn % 16 == 5)
		call_host(making, thread, stream, ++line);
	copy_async(making, thread, stream, ++line, false, false);
	record_event(making, thread, stream, ++line);
	wait(making, thread, stream, ++line);
}

static void add_streams(struct making *making)
{
	for (int64_t i = 0; i < making->stream_count; i++) {
		struct stream *stream = &making->streams[i];

		stream->id = 13 + i;
		stream->handle = stream->id * 100;
		stream->is_blocking = i % 2;
		stream->device = (i + 1) * 64 * BUFFER_BYTES;
		stream->host = stream->device + ((int64_t)1 << 40);
		INSERT(making, ADD_STREAM, stream->id, stream->is_blocking ? 1 : 2, stream->handle);
		for (int64_t k = 0; k < BUFFERS; k++)
			INSERT(making, ADD_ALLOCATION, 1, stream->device + k * BUFFER_BYTES,
			       BUFFER_BYTES);
		for (int64_t k = 1; k < BUFFERS; k++)
			for (int64_t end = 0; end < 2; end++)
				INSERT(making, ADD_ARGUMENT, stream->id * BUFFERS + k, end, end,
				       stream->device + (k - 1 + end) * BUFFER_BYTES);
		INSERT(making, ADD_ALLOCATION, 1, stream->host, 2 * BUFFER_BYTES);
	}
}

static void execute(struct making *making, const char *sql)
{
	if (sqlite3_exec(making->database, sql, NULL, NULL, NULL))
		errx(1, "%s", sqlite3_errmsg(making->database));
}

/* The thread that is behind goes on, so that all stay at about the same time. */
static void make_rows(struct making *making, int64_t operations)
{
	add_streams(making);
	while (making->operations < operations) {
		struct thread *next = &making->threads[0];

		for (int64_t i = 1; i < making->thread_count; i++)
			if (making->threads[i].now_ns < next->now_ns)
				next = &making->threads[i];
		take_turn(making, next);
	}
}

void large_trace_make(const char *path, int64_t operations, int64_t threads, int64_t streams)
{
	char *schema = read_file(SCHEMA_FILE, NULL), *rows = read_file(LARGE_TRACE_FILE, NULL);
	struct making making = {.threads = memory_array((size_t)threads, sizeof(struct thread)),
				.streams = memory_array((size_t)streams, sizeof(struct stream)),
				.thread_count = threads,
				.stream_count = streams,
				.random = 1};

	for (int64_t i = 0; i < threads; i++)
		making.threads[i] = (struct thread){
			.id = FIRST_THREAD + i,
			.now_ns = 1000000000 + i * 50000,
			.streams = making.streams + i * streams / threads,
			.stream_count = (i + 1) * streams / threads - i * streams / threads};
	unlink(path);
	if (sqlite3_open(path, &making.database))
		errx(1, "%s: %s", path, sqlite3_errmsg(making.database));
	execute(&making, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
	execute(&making, schema);
	execute(&making, "BEGIN");
	execute(&making, rows);
	for (int i = 0; i < INSERT_COUNT; i++)
		if (sqlite3_prepare_v2(making.database, inserts[i], -1, &making.statements[i],
				       NULL))
			errx(1, "%s", sqlite3_errmsg(making.database));
	making.blocks = trace_blocks_open(making.database, FIRST_THREAD, threads);
	make_rows(&making, operations);
	trace_blocks_close(making.blocks);
	execute(&making, "COMMIT");
	for (int i = 0; i < INSERT_COUNT; i++)
		sqlite3_finalize(making.statements[i]);
	sqlite3_close(making.database);
	free(making.streams);
	free(making.threads);
	free(rows);
	free(schema);
}

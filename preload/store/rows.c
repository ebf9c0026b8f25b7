#include "store/private.h"

#include "base/atoms.h"
#include "base/clock.h"
#include "base/argument_position.h"
#include "stack/modules.h"
#include "stack/python_frames.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void insert(struct store *store, enum statement statement, const int64_t *values, int count)
{
	for (int i = 0; i < count; i++)
		store_bind_int(store->statements[statement], i + 1, values[i]);
	store_run(store, statement);
}

#define INSERT(store, statement, ...)                                                              \
	do {                                                                                       \
		const int64_t row_[] = {__VA_ARGS__};                                              \
		insert(store, STATEMENT_##statement, row_, (int)(sizeof(row_) / sizeof(row_[0]))); \
	} while (0)

/* Without memory the row that would name this is left out: a loss as any other. */
static int64_t id_or_lost(struct store *store, int64_t id)
{
	if (id)
		return id;
	store_lost(store, "out of memory");
	return STORE_NULL;
}

/* Interned texts: id, and the row the first time. */
static int64_t string_id(struct store *store, const char *text)
{
	bool is_new;
	int64_t id = intern(&store->strings, text, strlen(text), &is_new);

	if (is_new) {
		store_bind_int(store->statements[STATEMENT_STRING], 1, id);
		store_bind_text(store->statements[STATEMENT_STRING], 2, text);
		store_run(store, STATEMENT_STRING);
	}
	return id_or_lost(store, id);
}

static void note_function(struct store *store, unsigned function)
{
	if (function >= FUNCTION_COUNT || store->is_known_function[function])
		return;
	store->is_known_function[function] = true;
	store_bind_int(store->statements[STATEMENT_FUNCTION], 1, function);
	store_bind_text(store->statements[STATEMENT_FUNCTION], 2, function_infos[function].name);
	store_bind_text(store->statements[STATEMENT_FUNCTION], 3, function_infos[function].class);
	store_run(store, STATEMENT_FUNCTION);
}

static void note_thread(struct store *store, uint32_t thread_id)
{
	bool is_new;
	char path[64], name[32] = "";
	int file;

	if (thread_id == store->last_thread_id)
		return;
	store->last_thread_id = thread_id;
	id_or_lost(store, intern(&store->threads, &thread_id, sizeof(thread_id), &is_new));
	if (!is_new)
		return;
	snprintf(path, sizeof(path), "/proc/self/task/%u/comm", thread_id);
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file >= 0) {
		if (read(file, name, sizeof(name) - 1) < 0)
			name[0] = '\0';
		close(file);
	}
	name[strcspn(name, "\n")] = '\0';
	store_bind_int(store->statements[STATEMENT_THREAD], 1, thread_id);
	store_bind_text(store->statements[STATEMENT_THREAD], 2, name[0] ? name : NULL);
	store_run(store, STATEMENT_THREAD);
}

static int64_t module_id(struct store *store, const struct module *module)
{
	bool is_new;
	int64_t id = intern(&store->modules, module->path, strlen(module->path), &is_new);

	if (is_new) {
		store_bind_int(store->statements[STATEMENT_MODULE], 1, id);
		store_bind_text(store->statements[STATEMENT_MODULE], 2, module->path);
		store_bind_text(store->statements[STATEMENT_MODULE], 3,
				module->build_id[0] ? module->build_id : NULL);
		store_run(store, STATEMENT_MODULE);
	}
	return id_or_lost(store, id);
}

static void store_frame(struct store *store, int64_t site_id, int depth, uint64_t address)
{
	struct module module;

	/* One byte back: a call that never returns can end its module. */
	if (module_find(address - 1, &module))
		INSERT(store, FRAME, site_id, depth, module_id(store, &module),
		       (int64_t)(address - module.load_address));
	else
		INSERT(store, FRAME, site_id, depth, STORE_NULL, (int64_t)address);
}

static void store_python_frame(struct store *store, int64_t site_id, int depth,
			       const struct atom *atom)
{
	const struct python_frame *frame = (const void *)atom->words;
	sqlite3_stmt *prepared = store->statements[STATEMENT_PYTHON_FRAME];

	store_bind_int(prepared, 1, site_id);
	store_bind_int(prepared, 2, depth);
	store_bind_text(prepared, 3, frame->text);
	store_bind_int(prepared, 4, frame->line ? frame->line : STORE_NULL);
	store_bind_text(prepared, 5, frame->text + strlen(frame->text) + 1);
	store_run(store, STATEMENT_PYTHON_FRAME);
}

static int64_t site_id(struct store *store, struct atom *site)
{
	if (!site)
		return STORE_NULL;
	if (site->row_generation == store->generation)
		return site->row_id;
	site->row_generation = store->generation;
	site->row_id = ++store->site_count;
	INSERT(store, SITE, site->row_id, site->frame_count);
	for (int depth = 0; depth < site->frame_count; depth++)
		store_frame(store, site->row_id, depth, site->words[depth]);
	for (int i = site->frame_count; i < site->count; i++)
		store_python_frame(store, site->row_id, i - site->frame_count,
				   (const struct atom *)site->words[i]);
	return site->row_id;
}

static int64_t arguments_id(struct store *store, struct atom *arguments)
{
	if (!arguments)
		return STORE_NULL;
	if (arguments->row_generation == store->generation)
		return arguments->row_id;
	arguments->row_generation = store->generation;
	arguments->row_id = ++store->arguments_count;
	for (int i = 0; i < arguments->count / 2; i++)
		INSERT(store, ARGUMENT, arguments->row_id, i,
		       argument_position_parameter(arguments->words[2 * i]),
		       argument_position_offset(arguments->words[2 * i]),
		       (int64_t)arguments->words[2 * i + 1]);
	return arguments->row_id;
}

static void insert_node(struct store *store, const struct pending *node, int64_t call_id)
{
	INSERT(store, GRAPH_NODE, (int64_t)node->node_id,
	       node->source_id ? (int64_t)node->source_id : STORE_NULL, node->correlation,
	       node->node_kind, call_id);
}

static uint64_t thread_bit(uint32_t thread_id)
{
	return (uint64_t)1 << thread_id % 64;
}

static void store_pending(struct store *store, const struct record *record, uint32_t thread_id,
			  int64_t call_id)
{
	size_t kept = 0;

	for (size_t i = 0; i < store->pending_count; i++) {
		struct pending pending = store->pending[i];

		if (pending.thread_id != thread_id)
			store->pending[kept++] = pending;
		else if (pending.is_node)
			insert_node(store, &pending,
				    pending.serial == record->serial ? call_id : STORE_NULL);
		else if (pending.serial == record->serial)
			INSERT(store, CORRELATION, pending.correlation, call_id);
		/* An older one's call was lost in an overflow, which is counted. */
	}
	store->pending_count = kept;
	if (!kept)
		store->pending_threads = 0;
}

static void wait_for_call(struct store *store, struct pending pending)
{
	if (store->pending_count == store->pending_capacity) {
		size_t capacity = store->pending_capacity ? store->pending_capacity * 2 : 64;
		struct pending *bigger = realloc(store->pending, capacity * sizeof(*bigger));

		if (!bigger) {
			store_lost(store, "out of memory");
			return;
		}
		store->pending = bigger;
		store->pending_capacity = capacity;
	}
	store->pending[store->pending_count++] = pending;
	store->pending_threads |= thread_bit(pending.thread_id);
}

void store_correlation(struct store *store, const struct record *record, uint32_t thread_id)
{
	wait_for_call(store, (struct pending){.serial = record->serial,
					      .thread_id = thread_id,
					      .correlation = record->correlation});
}

void store_graph_node(struct store *store, const struct record *record, uint32_t thread_id)
{
	struct pending node = {.serial = record->serial,
			       .thread_id = thread_id,
			       .correlation = record->correlation,
			       .is_node = true,
			       .node_kind = record->result,
			       .node_id = record->object,
			       .source_id = record->src};

	if (record->serial == RECORD_NO_CALL)
		insert_node(store, &node, STORE_NULL);
	else
		wait_for_call(store, node);
}

void store_call(struct store *store, const struct record *record, uint32_t thread_id)
{
	int64_t id = ++store->call_count;
	bool is_driver = record->function >= FUNCTION_DRIVER_FIRST;
	/* The clock was set back during the call: counted by the writer. */
	int64_t end_ns = record->end_ns < record->start_ns ? record->start_ns : record->end_ns;

#define IF(bit, field) (record->has & RECORD_HAS_##bit ? (int64_t)record->field : STORE_NULL)
	note_function(store, record->function);
	note_thread(store, thread_id);
	INSERT(store, CALL, id, thread_id, record->function, record->start_ns, end_ns,
	       record->result, is_driver, (record->has & RECORD_IS_PER_THREAD) != 0,
	       site_id(store, record->site), IF(CORRELATION, correlation), IF(STREAM, stream),
	       IF(OBJECT, object), IF(DST, dst), IF(SRC, src), IF(SIZE, size_bytes),
	       IF(COPY_KIND, copy_kind), arguments_id(store, record->arguments));
#undef IF
	if (store->pending_threads & thread_bit(thread_id))
		store_pending(store, record, thread_id, id);
}

/* The loader is asked once for a function that runs again and again. */
static void find_function(struct store *store, uint64_t address)
{
	struct module module;

	if (address == store->last_function)
		return;
	store->last_function = address;
	store->last_function_module_id = STORE_NULL;
	store->last_function_offset = (int64_t)address;
	if (module_find(address, &module)) {
		store->last_function_module_id = module_id(store, &module);
		store->last_function_offset = (int64_t)(address - module.load_address);
	}
}

void store_host_function(struct store *store, const struct record *record, uint32_t thread_id)
{
	note_thread(store, thread_id);
	find_function(store, record->object);
	INSERT(store, HOST_FUNCTION, record->start_ns, record->end_ns, thread_id,
	       (int64_t)record->stream, store->last_function_module_id, store->last_function_offset,
	       record->correlation);
}

#define PLACE_OF(row)                                                                              \
	(row)->kind, (row)->start_ns, (row)->end_ns, (row)->device_id, (row)->context_id,          \
		(row)->stream_id, (row)->correlation_id, (row)->graph_node_id, (row)->channel_id,  \
		(row)->channel_type

/* Only the columns that the kind has: a bound NULL costs as much as a value. */
void store_operation(struct store *store, const struct operation_row *row)
{
	if (row->kind == 1)
		INSERT(store, KERNEL, PLACE_OF(row),
		       row->name ? string_id(store, row->name) : STORE_NULL, row->grid[0],
		       row->grid[1], row->grid[2], row->block[0], row->block[1], row->block[2],
		       row->registers_per_thread, row->static_shared_bytes,
		       row->dynamic_shared_bytes, row->local_bytes_per_thread);
	else
		INSERT(store, COPY, PLACE_OF(row), row->copy_kind, row->src_kind, row->dst_kind,
		       row->is_async, row->size_bytes, row->src_device_id, row->dst_device_id);
}

void store_device(struct store *store, const struct device_row *row)
{
	sqlite3_stmt *prepared = store->statements[STATEMENT_DEVICE];

	store_bind_int(prepared, 1, row->id);
	store_bind_text(prepared, 2, row->name);
	for (int i = 0; i < 10; i++)
		store_bind_int(prepared, 3 + i, row->values[i]);
	store_run(store, STATEMENT_DEVICE);
}

void store_context(struct store *store, int64_t id, int64_t device_id, int64_t null_stream_id)
{
	INSERT(store, CONTEXT, id, device_id, null_stream_id);
}

void store_stream(struct store *store, const struct stream_row *row)
{
	INSERT(store, STREAM, row->context_id, row->id, row->flag, row->priority, row->handle,
	       row->created_ns, row->destroyed_ns);
}

void store_event_record(struct store *store, int64_t context_id, int64_t stream_id,
			int64_t event_id, int64_t correlation_id, int64_t sync_id)
{
	INSERT(store, EVENT_RECORD, context_id, stream_id, event_id, correlation_id, sync_id);
}

void store_synchronization(struct store *store, const struct synchronization_row *row)
{
	INSERT(store, SYNCHRONIZATION, row->type, row->start_ns, row->end_ns, row->context_id,
	       row->stream_id, row->event_id, row->correlation_id, row->sync_id);
}

void store_allocation(struct store *store, const struct allocation_row *row)
{
	INSERT(store, ALLOCATION, row->time_ns, row->is_release, row->memory_kind, row->address,
	       row->size_bytes, row->device_id, row->context_id, row->stream_id,
	       row->correlation_id);
}

void store_managed_memory(struct store *store, const struct managed_memory_row *row)
{
	INSERT(store, MANAGED_MEMORY, row->kind, row->start_ns, row->end_ns, row->src_device_id,
	       row->dst_device_id, row->address, row->value, row->flags);
}

void store_memory_pool(struct store *store, const struct memory_pool_row *row)
{
	INSERT(store, MEMORY_POOL, row->time_ns, row->operation, row->type, row->device_id,
	       row->address, row->size_bytes, row->utilized_bytes, row->release_threshold_bytes,
	       row->kept_bytes, row->correlation_id);
}

void store_overhead(struct store *store, int64_t kind, int64_t start_ns, int64_t end_ns,
		    int64_t thread_id)
{
	INSERT(store, OVERHEAD, kind, start_ns, end_ns, thread_id);
}

void store_first_use(struct store *store, const struct first_use_row *row)
{
	INSERT(store, FIRST_USE, row->correlation_id, row->address, row->watched_bytes,
	       row->wait_ns, row->wait_thread_id, row->kind, row->touch_ns, row->touch_thread_id,
	       row->touch_address, site_id(store, row->site));
}

void store_window(struct store *store, int64_t id, int64_t start_ns, int64_t end_ns,
		  const char *cause)
{
	sqlite3_stmt *prepared = store->statements[STATEMENT_WINDOW];

	store_bind_int(prepared, 1, id);
	store_bind_int(prepared, 2, start_ns);
	store_bind_int(prepared, 3, end_ns);
	store_bind_text(prepared, 4, cause);
	store_run(store, STATEMENT_WINDOW);
}

void store_loss(struct store *store, const char *kind, uint64_t count, int64_t thread_id,
		const char *detail)
{
	sqlite3_stmt *prepared = store->statements[STATEMENT_LOSS];

	store_bind_text(prepared, 1, kind);
	store_bind_int(prepared, 2, (int64_t)count);
	store_bind_int(prepared, 3, clock_now_ns());
	store_bind_int(prepared, 4, thread_id);
	store_bind_text(prepared, 5, detail);
	/* Also into a file that failed: it needs little room. */
	store_run_counted(store, STATEMENT_LOSS, count);
}

void store_clock_sample(struct store *store, int64_t realtime_ns, int64_t monotonic_raw_ns)
{
	INSERT(store, CLOCK_SAMPLE, realtime_ns, monotonic_raw_ns);
}

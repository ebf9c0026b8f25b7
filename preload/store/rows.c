#include "base/atoms.h"
#include "base/clock.h"
#include "stack/python_frames.h"
#include "store/private.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* If memory runs out, the row that would name this is left out, and counted as lost. */
static int64_t id_or_lost(struct store *store, int64_t id)
{
	if (id)
		return id;
	store_lost(store, "out of memory");
	return ROW_NULL;
}

/* The id of an interned text; its row is stored the first time. */
int64_t store_string_id(struct store *store, const char *text)
{
	bool is_new;
	int64_t id = intern(&store->strings, text, strlen(text), &is_new);

	if (is_new)
		INSERT(store, STRING, .id = id, .text = text);
	return id_or_lost(store, id);
}

void store_note_function(struct store *store, unsigned function)
{
	if (function >= FUNCTION_COUNT || store->is_known_function[function])
		return;
	store->is_known_function[function] = true;
	INSERT(store, FUNCTION, .id = function, .name = function_infos[function].name,
	       .class = function_class_word(function_infos[function].class));
}

void store_note_thread(struct store *store, uint32_t thread_id)
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
	INSERT(store, THREAD, .id = thread_id, .name = name[0] ? name : NULL);
}

/* Another build can appear at the same path. */
static int64_t insert_module(struct store *store, const struct module *module)
{
	static char path[PATH_MAX], key[sizeof(path) + sizeof(module->build_id)];
	bool is_new;
	int64_t id;
	int size;

	modules_path(module, path);
	size = snprintf(key, sizeof(key), "%s%c%s", path, '\0', module->build_id);
	id = intern(&store->modules, key, (size_t)size, &is_new);
	if (is_new)
		INSERT(store, MODULE, .id = id, .path = path,
		       .build_id = module->build_id[0] ? module->build_id : NULL);
	return id_or_lost(store, id);
}

/* The module and offset of a word of modules.h; for an address in no module: the address. */
struct module_place {
	int64_t module_id, offset;
};

static struct module_place place_of(struct store *store, uint64_t word)
{
	const uint32_t number = MODULE_NUMBER(word);
	const struct module *module = modules_get(number);
	const uint64_t address = MODULE_ADDRESS(word);

	if (!module)
		return (struct module_place){ROW_NULL, (int64_t)address};
	if (!store->module_ids[number])
		store->module_ids[number] = insert_module(store, module);
	return (struct module_place){store->module_ids[number],
				     (int64_t)(address - module->load_address)};
}

static void store_frame(struct store *store, int64_t site_id, int depth, uint64_t word)
{
	const struct module_place place = place_of(store, word);

	INSERT(store, FRAME, .site_id = site_id, .depth = depth, .module_id = place.module_id,
	       .offset = place.offset);
}

void store_clock_read(struct store *store, const struct record *record, uint32_t thread_id)
{
	INSERT(store, CLOCK_READ, .thread_id = thread_id, .time_ns = record->start_ns,
	       .module_id = place_of(store, record->object).module_id);
}

static void store_python_frame(struct store *store, int64_t site_id, int depth,
			       const struct atom *atom)
{
	const struct python_frame *frame = (const void *)atom->words;

	INSERT(store, PYTHON_FRAME, .site_id = site_id, .depth = depth, .file = frame->text,
	       .line = frame->line ? frame->line : ROW_NULL,
	       .function = frame->text + strlen(frame->text) + 1);
}

int64_t store_site_id(struct store *store, struct atom *site)
{
	if (!site)
		return ROW_NULL;
	if (site->row_generation == store->generation)
		return site->row_id;
	site->row_generation = store->generation;
	site->row_id = ++store->site_count;
	INSERT(store, SITE, .id = site->row_id, .depth = site->frame_count);
	for (int depth = 0; depth < site->frame_count; depth++)
		store_frame(store, site->row_id, depth, site->words[depth]);
	for (int i = site->frame_count; i < site->count; i++)
		store_python_frame(store, site->row_id, i - site->frame_count,
				   (const struct atom *)site->words[i]);
	return site->row_id;
}

static void insert_node(struct store *store, const struct pending *node, int64_t call_id)
{
	INSERT(store, GRAPH_NODE, .id = (int64_t)node->node_id,
	       .source_id = node->source_id ? (int64_t)node->source_id : ROW_NULL,
	       .graph_id = node->correlation, .kind = node->node_kind, .call_id = call_id);
}

static uint64_t thread_bit(uint32_t thread_id)
{
	return (uint64_t)1 << thread_id % 64;
}

void store_call_serial(struct store *store, uint32_t thread_id, uint64_t serial, int64_t call_id)
{
	size_t kept = 0;

	if (!(store->pending_threads & thread_bit(thread_id)))
		return;

	for (size_t i = 0; i < store->pending_count; i++) {
		struct pending pending = store->pending[i];

		if (pending.thread_id != thread_id)
			store->pending[kept++] = pending;
		else if (pending.is_node)
			insert_node(store, &pending, pending.serial == serial ? call_id : ROW_NULL);
		else if (pending.serial == serial)
			INSERT(store, CORRELATION, .correlation_id = pending.correlation,
			       .call_id = call_id);
		/* Older ones: their call was lost in an overflow, which is counted. */
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
		insert_node(store, &node, ROW_NULL);
	else
		wait_for_call(store, node);
}

void store_graph_edge(struct store *store, const struct record *record)
{
	INSERT(store, GRAPH_EDGE, .from_id = (int64_t)record->object, .to_id = (int64_t)record->src,
	       .kind = (int64_t)record->size_bytes, .from_port = record->numbers);
}

void store_tool_cost(struct store *store, unsigned function, const struct store_tool_cost *added)
{
	struct tool_cost *cost = &store->tool_costs[function >= FUNCTION_DRIVER_FIRST]
						   [function_infos[function].class];

	cost->calls++;
	cost->outside_ns += added->outside_ns;
	cost->inside_ns += added->inside_ns;
	cost->entry_ns += added->entry_ns;
	cost->is_stored = false;
}

void store_tool_costs(struct store *store)
{
	for (int path = 0; path < 2; path++) {
		for (int i = 0; i < CLASS_COUNT; i++) {
			struct tool_cost *cost = &store->tool_costs[path][i];

			if (!cost->calls || cost->is_stored)
				continue;
			cost->is_stored = true;
			INSERT(store, TOOL_COST,
			       .class = function_class_word((enum function_class)i),
			       .api_path = path, .calls = cost->calls,
			       .outside_ns = cost->outside_ns, .inside_ns = cost->inside_ns,
			       .entry_ns = cost->entry_ns);
		}
	}
}

void store_host_function(struct store *store, const struct record *record, uint32_t thread_id)
{
	const struct module_place place = place_of(store, record->object);

	store_note_thread(store, thread_id);
	INSERT(store, HOST_FUNCTION, .start_ns = record->start_ns, .end_ns = record->end_ns,
	       .thread_id = thread_id, .stream_handle = (int64_t)record->stream,
	       .module_id = place.module_id, .offset = place.offset,
	       .correlation_id = record->correlation);
}

void store_device(struct store *store, const struct devices_row *row)
{
	store_insert(store, STATEMENT_DEVICE, row);
}

void store_context(struct store *store, int64_t id, int64_t device_id, int64_t null_stream_id)
{
	INSERT(store, CONTEXT, .id = id, .device_id = device_id, .null_stream_id = null_stream_id);
}

void store_stream(struct store *store, const struct streams_row *row)
{
	store_insert(store, STATEMENT_STREAM, row);
}

void store_event_record(struct store *store, int64_t context_id, int64_t stream_id,
			int64_t event_id, int64_t correlation_id, int64_t sync_id)
{
	INSERT(store, EVENT_RECORD, .context_id = context_id, .stream_id = stream_id,
	       .event_id = event_id, .correlation_id = correlation_id, .sync_id = sync_id);
}

void store_synchronization(struct store *store, const struct synchronizations_row *row)
{
	store_insert(store, STATEMENT_SYNCHRONIZATION, row);
}

void store_allocation(struct store *store, const struct allocations_row *row)
{
	store_insert(store, STATEMENT_ALLOCATION, row);
}

void store_managed_memory(struct store *store, const struct managed_memory_row *row)
{
	store_insert(store, STATEMENT_MANAGED_MEMORY, row);
}

void store_memory_pool(struct store *store, const struct memory_pools_row *row)
{
	store_insert(store, STATEMENT_MEMORY_POOL, row);
}

void store_overhead(struct store *store, int64_t kind, int64_t start_ns, int64_t end_ns,
		    int64_t thread_id)
{
	INSERT(store, OVERHEAD, .kind = kind, .start_ns = start_ns, .end_ns = end_ns,
	       .thread_id = thread_id);
}

void store_thread_times(struct store *store, uint32_t thread_id, const struct thread_times *begun,
			const struct thread_times *ended)
{
	if (!begun->time_ns || ended->time_ns <= begun->time_ns)
		return;
	INSERT(store, THREAD_TIMES, .thread_id = thread_id, .start_ns = begun->time_ns,
	       .end_ns = ended->time_ns, .cpu_ns = ended->cpu_ns - begun->cpu_ns,
	       .ready_ns = ended->ready_ns - begun->ready_ns, .runs = ended->runs - begun->runs);
}

void store_host_state(struct store *store, struct host_states_row *row, struct atom *site,
		      const char *name)
{
	store_note_thread(store, (uint32_t)row->thread_id);
	row->site_id = store_site_id(store, site);
	row->object_id = name ? store_string_id(store, name) : ROW_NULL;
	store_insert(store, STATEMENT_HOST_STATE, row);
}

void store_first_use(struct store *store, struct first_uses_row *row, struct atom *site)
{
	row->site_id = store_site_id(store, site);
	store_insert(store, STATEMENT_FIRST_USE, row);
}

void store_copy_watch(struct store *store, struct copy_watches_row *row, struct atom *site)
{
	row->site_id = store_site_id(store, site);
	store_insert(store, STATEMENT_COPY_WATCH, row);
}

void store_code_image(struct store *store, const void *bytes, size_t size)
{
	const struct row_bytes image = {bytes, size};

	INSERT(store, CODE_IMAGE, .image = image);
}

void store_window(struct store *store, int64_t id, int64_t start_ns, int64_t end_ns,
		  const char *cause)
{
	INSERT(store, WINDOW, .id = id, .start_ns = start_ns, .end_ns = end_ns, .cause = cause);
}

void store_incident(struct store *store, struct incidents_row *row, int function, struct atom *site)
{
	row->site_id = store_site_id(store, site);
	row->function_id = ROW_NULL;
	if (function >= 0) {
		store_note_function(store, (unsigned)function);
		store_note_thread(store, (uint32_t)row->thread_id);
		row->function_id = function;
	}
	store_insert(store, STATEMENT_INCIDENT, row);
}

void store_watched_step(struct store *store, const struct steps_row *row)
{
	store_note_thread(store, (uint32_t)row->thread_id);
	store_insert(store, STATEMENT_WATCHED_STEP, row);
}

void store_loss(struct store *store, const char *kind, uint64_t count, int64_t thread_id,
		const char *detail)
{
	struct losses_row row = losses_null();

	row.kind = kind;
	row.count = (int64_t)count;
	row.time_ns = clock_now_ns();
	row.thread_id = thread_id;
	row.detail = detail;
	/* Also tried in a file that failed: it needs little room. */
	store_insert_counted(store, STATEMENT_LOSS, &row, count);
}

void store_clock_sample(struct store *store, int64_t realtime_ns, int64_t monotonic_raw_ns)
{
	INSERT(store, CLOCK_SAMPLE, .realtime_ns = realtime_ns,
	       .monotonic_raw_ns = monotonic_raw_ns);
}

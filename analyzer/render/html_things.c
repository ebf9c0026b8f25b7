#include "render/html_things.h"

#include "base/format.h"
#include "base/memory.h"
#include "base/mix.h"
#include "render/host_text.h"
#include "render/json_parts.h"
#include "render/render.h"
#include "trace/collectives.h"
#include "trace/short_name.h"
#include "trace/site.h"

#include <stdlib.h>
#include <string.h>

static const char *const memory_words[] = {
#define MEMORY_KIND(symbol, number, word) [number] = (word),
#include "facts/memory_kinds.def"
#undef MEMORY_KIND
};

enum viewer_class html_class_of(const struct trace_operation *operation)
{
	if (operation->form->kind == OPERATION_SET)
		return VIEWER_SET;
	switch (operation->form->engine) {
	case ENGINE_H2D:
		return VIEWER_H2D;
	case ENGINE_D2H:
		return VIEWER_D2H;
	case ENGINE_PEER:
		return VIEWER_PEER;
	default:
		return operation->form->kind == OPERATION_COPY ? VIEWER_COPY : VIEWER_KERNEL;
	}
}

static const char *memory_word(uint8_t kind)
{
	const char *word =
		kind < sizeof(memory_words) / sizeof(*memory_words) ? memory_words[kind] : NULL;

	return word ? word : "unknown";
}

/* Takes the row; its index. */
static uint32_t add_row(struct html_things *things, uint64_t key, json_t *row)
{
	if (!things->rows)
		things->rows = json_array();
	map_add(&things->numbers, key, things->counts.count);
	*vector_add(&things->counts) = (struct html_count){0};
	json_array_append_new(things->rows, row);
	return (uint32_t)(things->counts.count - 1);
}

static json_t *make_row(enum viewer_class class, const char *name, const char *full,
			const char *facts, const char *line, const char *function)
{
	return json_pack("[i, s, o, o, o, o]", class, name, text_or_null(full), text_or_null(facts),
			 text_or_null(line), text_or_null(function));
}

/* The first one of those that the kernel carries out, or NULL. */
static const struct trace_collective *collective_of(struct html_things *things,
						    const struct trace_operation *kernel)
{
	const struct trace *trace = things->trace;
	uint32_t index;

	if (!things->knows_collectives)
		things->collectives = trace_collectives_of_kernels(trace);
	things->knows_collectives = true;
	if (!things->collectives)
		return NULL;
	index = things->collectives[kernel - trace->operations];
	return index == NO_COLLECTIVE ? NULL : &trace->collectives[index];
}

/* "all-reduce of 4.1 kB: ", or nothing. */
static void describe_collective(const struct trace_collective *collective, char *text, size_t size)
{
	struct format bytes;

	text[0] = '\0';
	if (collective)
		snprintf(text, size, "%s of %s: ", collective_word(collective->operation),
			 format_bytes(&bytes, collective->bytes));
}

static json_t *kernel_row(const struct trace *trace, const struct trace_operation *kernel,
			  const struct trace_collective *collective)
{
	const char *full = kernel->form->name ? trace_demangle(trace, kernel->form->name) : NULL;
	struct format shared, blocks;
	struct short_name name;
	char what[64], facts[264];

	if (kernel->form->is_graph)
		return make_row(VIEWER_KERNEL, "graph", NULL, NULL, NULL, NULL);
	describe_collective(collective, what, sizeof(what));
	snprintf(facts, sizeof(facts), "%s%s blocks of %u threads, %s shared, %u registers", what,
		 format_count(&blocks, kernel->form->blocks), kernel->form->block_threads,
		 format_bytes(&shared, kernel->form->block_shared_bytes),
		 kernel->form->thread_registers);
	return make_row(VIEWER_KERNEL,
			full ? short_name(&name, full, SHORT_NAME_KERNEL) : "kernel without a name",
			full, facts, NULL, NULL);
}

static json_t *transfer_row(const struct trace_operation *operation)
{
	static const char *const names[VIEWER_CLASS_COUNT] = {[VIEWER_SET] = "memset",
							      [VIEWER_COPY] = "D2D copy",
							      [VIEWER_H2D] = "H2D copy",
							      [VIEWER_D2H] = "D2H copy",
							      [VIEWER_PEER] = "peer copy"};
	enum viewer_class class = html_class_of(operation);
	char facts[200];

	if (class == VIEWER_PEER)
		snprintf(facts, sizeof(facts), "from device %d to device %d",
			 (int)operation->form->src_device_id, (int)operation->form->dst_device_id);
	else
		snprintf(facts, sizeof(facts), "from %s to %s memory",
			 memory_word(operation->form->src_kind),
			 memory_word(operation->form->dst_kind));
	return make_row(class, names[class], NULL, class == VIEWER_SET ? NULL : facts, NULL, NULL);
}

uint32_t html_operation_thing(struct html_things *things, const struct trace_operation *operation)
{
	uint64_t key = mix(mix(0, operation->form->kind), (uintptr_t)operation->form->name);
	const struct trace_collective *collective = NULL;
	size_t index;

	if (operation->form->kind == OPERATION_KERNEL) {
		collective = collective_of(things, operation);
		if (collective)
			key = mix(mix(key, collective->operation), collective->bytes);
		key = mix(mix(key, operation->form->blocks), operation->form->block_threads);
		key = mix(key, operation->form->is_graph);
		key = mix(mix(key, operation->form->block_shared_bytes),
			  operation->form->thread_registers);
	} else {
		key = mix(mix(mix(key, operation->form->engine), operation->form->src_kind),
			  operation->form->dst_kind);
		key = mix(mix(key, operation->form->src_device_id), operation->form->dst_device_id);
	}
	index = map_find(&things->numbers, key);
	if (index != MAP_NONE)
		return (uint32_t)index;
	return add_row(things, key,
		       operation->form->kind == OPERATION_KERNEL
			       ? kernel_row(things->trace, operation, collective)
			       : transfer_row(operation));
}

/* A row of what a line does. */
static json_t *line_row(const struct trace *trace, enum viewer_class class, const char *name,
			const struct trace_call *call)
{
	const char *kernel = call && call->operation ? call->operation->form->name : NULL;
	struct site site = site_describe(trace, call ? call->form->site : NULL, kernel);
	struct short_name function;
	char *line = call && call->form->site ? render_site(trace, &site) : NULL;
	json_t *row = make_row(class, name, NULL, NULL, line,
			       render_more_function(trace, &site, &function));

	free(line);
	return row;
}

uint32_t html_call_thing(struct html_things *things, const struct trace_call *call)
{
	uint64_t key = mix(mix(mix(1, VIEWER_CALL), (uintptr_t)call->form->function),
			   (uintptr_t)call->form->site);
	size_t index = map_find(&things->numbers, key);

	if (index != MAP_NONE)
		return (uint32_t)index;
	return add_row(things, key,
		       line_row(things->trace, VIEWER_CALL, call->form->function->name, call));
}

uint32_t html_function_thing(struct html_things *things, const struct trace_host_function *function)
{
	const struct trace_call *call = function->node_call ? function->node_call : function->call;
	uint64_t key = mix(mix(2, VIEWER_FUNCTION), (uintptr_t)(call ? call->form->site : NULL));
	size_t index = map_find(&things->numbers, key);

	if (index != MAP_NONE)
		return (uint32_t)index;
	return add_row(things, key,
		       line_row(things->trace, VIEWER_FUNCTION, "host function", call));
}

/* Names are the trace's: each is there once. */
uint32_t html_range_thing(struct html_things *things, const struct trace_range *range)
{
	uint64_t key =
		mix(mix(mix(3, VIEWER_RANGE), (uintptr_t)range->name), (uintptr_t)range->domain);
	size_t index = map_find(&things->numbers, key);
	char *facts;

	if (index != MAP_NONE)
		return (uint32_t)index;
	facts = range->domain ? memory_format("domain %s", range->domain) : NULL;
	index = add_row(things, key,
			make_row(VIEWER_RANGE, range->name ? range->name : "range without a name",
				 NULL, NULL, NULL, facts));
	free(facts);
	return (uint32_t)index;
}

/* A line's texts; of code without a line what is known of it. */
static json_t *doing_row(const struct host_record *record, const struct host_doing *doing,
			 enum viewer_class class, const char *name)
{
	const struct host_texts texts = {record->trace, record, false};
	struct short_name function;
	char *line;
	json_t *row;

	if (doing->site.file)
		line = render_site(record->trace, &doing->site);
	else
		line = doing->site.module || doing->site.function ? host_place(&texts, &doing->site)
								  : NULL;
	row = make_row(class, name, doing->called, NULL, line,
		       doing->site.file ? render_function(&doing->site, &function) : NULL);
	free(line);
	return row;
}

uint32_t html_doing_thing(struct html_things *things, const struct host_record *record,
			  uint32_t doing)
{
	const struct host_doing *what = &record->doings[doing];
	uint64_t key = mix(mix(4, VIEWER_STATE_RUNNING), doing);
	size_t index = map_find(&things->numbers, key);
	char *name;

	if (index != MAP_NONE)
		return (uint32_t)index;
	name = host_state_phrase(what);
	index = add_row(things, key,
			doing_row(record, what,
				  (enum viewer_class)(VIEWER_STATE_RUNNING + (unsigned)what->state),
				  name));
	free(name);
	return (uint32_t)index;
}

uint32_t html_ready_thing(struct html_things *things, const struct host_record *record,
			  uint32_t doing)
{
	uint64_t key = mix(mix(4, VIEWER_READY), doing);
	size_t index = map_find(&things->numbers, key);

	if (index != MAP_NONE)
		return (uint32_t)index;
	return add_row(things, key,
		       doing_row(record, &record->doings[doing], VIEWER_READY,
				 "ready, without a processor"));
}

uint32_t html_calls_thing(struct html_things *things)
{
	uint64_t key = mix(4, VIEWER_CALL);
	size_t index = map_find(&things->numbers, key);

	if (index != MAP_NONE)
		return (uint32_t)index;
	return add_row(things, key, make_row(VIEWER_CALL, "in CUDA calls", NULL, NULL, NULL, NULL));
}

void html_count_thing(struct html_things *things, uint32_t thing, int64_t start_ns, int64_t end_ns)
{
	struct html_count *count = &things->counts.items[thing];

	if (!count->count || end_ns - start_ns > count->longest_ns) {
		count->longest_ns = end_ns - start_ns;
		count->longest_start_ns = start_ns;
	}
	count->count++;
	count->sum_ns += end_ns - start_ns;
}

json_t *html_things_take(struct html_things *things)
{
	json_t *rows = things->rows ? things->rows : json_array();

	for (size_t i = 0; i < things->counts.count; i++) {
		json_t *row = json_array_get(rows, i);

		json_array_append_new(row, json_integer(things->counts.items[i].count));
		json_array_append_new(row, json_integer(things->counts.items[i].sum_ns));
		json_array_append_new(row, json_integer(things->counts.items[i].longest_ns));
		json_array_append_new(row, json_integer(things->counts.items[i].longest_start_ns));
	}
	vector_free(&things->counts);
	map_free(&things->numbers);
	free(things->collectives);
	things->rows = NULL;
	return rows;
}

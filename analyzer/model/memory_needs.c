#include "model/memory_needs.h"

#include "base/thresholds.h"
#include "base/vector.h"
#include "model/accesses.h"
#include "model/clocks.h"
#include "model/nodes.h"
#include "model/extents.h"

#include <stdlib.h>

/* Stands for memory that is not seen: who may have written it is remembered there. */
enum { UNSEEN_START, UNSEEN_END };

/* Who touched a piece of memory, of one stream; 0 is none. */
struct entry {
	uint32_t stream, number; /* the last one, and its number there */
	node_index node;
	uint32_t next;
};

struct model_memory {
	const struct trace *trace;
	struct clocks *clocks;
	struct accesses *accesses;		 /* of the current operation */
	struct extents writers, readers;	 /* values: the first of some entries */
	VECTOR(struct entry) entries;		 /* 0 is none */
	const struct trace_operation *operation; /* the current one */
	uint32_t stream, number;
};

struct model_memory *model_memory_create(const struct trace *trace)
{
	struct clocks *clocks = trace->sees_arguments ? clocks_create(trace) : NULL;
	struct model_memory *memory;

	if (!clocks)
		return NULL;
	memory = memory_array(1, sizeof(*memory));
	memory->trace = trace;
	memory->clocks = clocks;
	memory->accesses = accesses_create(trace);
	memory->accesses->sees_nodes = trace->graph_edge_count > 0;
	*vector_add(&memory->entries) = (struct entry){0};
	return memory;
}

void model_memory_free(struct model_memory *memory)
{
	if (!memory)
		return;
	accesses_free(memory->accesses);
	vector_free(&memory->entries);
	extents_free(&memory->readers);
	extents_free(&memory->writers);
	clocks_free(memory->clocks);
	free(memory);
}

void model_memory_record(struct model_memory *memory, uint32_t wait)
{
	clocks_record(memory->clocks, wait);
}

void model_memory_wait(struct model_memory *memory, uint32_t wait)
{
	clocks_wait(memory->clocks, wait);
}

void model_memory_count(const struct model_memory *memory, struct model *model)
{
	model->seen = memory->accesses->seen;
}

/* Takes the allocations made before the operation was enqueued. Former accesses of the new memory
 * are forgotten: it was released in between, and is different memory. */
static void follow_allocations(struct model_memory *memory, int64_t time_ns)
{
	const struct trace_allocation *next;

	while ((next = accesses_next_allocation(memory->accesses, time_ns))) {
		uint64_t end = next->address + next->size_bytes;

		extents_set(&memory->writers, next->address, end, 0);
		extents_set(&memory->readers, next->address, end, 0);
	}
}

/* Whether the device's order, or a waiting host, guarantees that the entry comes before the current
 * operation. */
static bool is_before(const struct model_memory *memory, const struct model *model,
		      const struct entry *entry)
{
	return clocks_is_before(memory->clocks, entry->stream, entry->number, memory->stream) ||
	       model->nodes[entry->node].end_ns <= model_enqueue_ns(memory->operation);
}

/* Joins those that touched the memory to *node. False: some are unknown, because an entry that is
 * not before the current operation has replaced others that may be. */
static bool join_entries(const struct model_memory *memory, struct model *model,
			 const struct extents *extents, const struct access *access,
			 node_index *node)
{
	const struct extent *extent;
	uint64_t cursor = 0;
	uint32_t last = 0;
	int pieces = 0;

	while ((extent = extents_next(extents, access->start, access->end, &cursor))) {
		if (++pieces > PIECES_MOST)
			return false;
		if (extent->value == last)
			continue;
		last = extent->value;
		for (uint32_t i = extent->value; i; i = memory->entries.items[i].next) {
			if (!is_before(memory, model, &memory->entries.items[i]))
				return false;
			*node = model_nodes_join(model, *node, memory->entries.items[i].node);
		}
	}
	return true;
}

static const struct access unseen = {UNSEEN_START, UNSEEN_END, true, true};

static bool reads_device(const struct trace_operation *operation)
{
	return operation->form->kind == OPERATION_KERNEL ||
	       (operation->form->kind == OPERATION_COPY && operation->form->engine != ENGINE_H2D);
}

static bool find_needs(const struct model_memory *memory, struct model *model, node_index *needs)
{
	bool is_all = memory->accesses->reads_seen;

	/* A kernel that reaches no memory needs nothing. */
	if (is_all && memory->accesses->all.count && reads_device(memory->operation))
		is_all = join_entries(memory, model, &memory->writers, &unseen, needs);
	for (size_t i = 0; is_all && i < memory->accesses->all.count; i++)
		if (memory->accesses->all.items[i].is_read)
			is_all = join_entries(memory, model, &memory->writers,
					      &memory->accesses->all.items[i], needs);
	return is_all;
}

static bool find_reuses(const struct model_memory *memory, struct model *model, node_index *reuses)
{
	bool is_all = memory->accesses->writes_seen;

	for (size_t i = 0; is_all && i < memory->accesses->all.count; i++) {
		const struct access *access = &memory->accesses->all.items[i];

		if (access->is_written)
			is_all = join_entries(memory, model, &memory->writers, access, reuses) &&
				 join_entries(memory, model, &memory->readers, access, reuses) &&
				 join_entries(memory, model, &memory->writers, &unseen, reuses) &&
				 join_entries(memory, model, &memory->readers, &unseen, reuses);
	}
	return is_all;
}

/* Call after accesses_find(). */
static bool fills_buffer(const struct accesses *accesses, const struct trace_operation *operation)
{
	const struct access *access = accesses->all.items;
	const struct access *end = access + accesses->all.count;
	const struct trace_allocation *allocation;

	if (operation->form->kind != OPERATION_COPY || operation->form->engine != ENGINE_H2D)
		return false;
	while (access < end && !access->is_written)
		access++;
	allocation = access < end ? accesses_allocation_at(accesses, access->start) : NULL;
	return allocation && access->start == allocation->address &&
	       operation->form->size_bytes >= allocation->size_bytes;
}

struct model_touched model_memory_enter(struct model_memory *memory, struct model *model,
					const struct trace_operation *operation)
{
	struct model_touched touched = {.needs = NODE_NONE, .reuses = NODE_NONE};

	memory->operation = operation;
	memory->stream = (uint32_t)(operation->form->stream - memory->trace->streams);
	memory->number = clocks_enter(memory->clocks, memory->stream);
	follow_allocations(memory, model_enqueue_ns(operation));
	accesses_find(memory->accesses, operation);
	touched.needs_all = !find_needs(memory, model, &touched.needs);
	touched.reuses_all = !find_reuses(memory, model, &touched.reuses);
	touched.fills_buffer = fills_buffer(memory->accesses, operation);
	if (operation->form->kind == OPERATION_KERNEL)
		touched.result = memory->accesses->gives_result	 ? MODEL_RESULT_GIVEN
				 : memory->accesses->writes_seen ? MODEL_RESULT_NONE
								 : MODEL_RESULT_UNSEEN;
	return touched;
}

static uint32_t add_entry(struct model_memory *memory, struct entry entry)
{
	*vector_add(&memory->entries) = entry;
	return (uint32_t)memory->entries.count - 1;
}

/* One a stream: the first of the list from now on. */
static uint32_t merge_entry(struct model_memory *memory, struct model *model, uint32_t first,
			    struct entry entry)
{
	for (uint32_t i = first; i; i = memory->entries.items[i].next) {
		struct entry *same = &memory->entries.items[i];

		if (same->stream != entry.stream)
			continue;
		if (entry.number > same->number)
			same->number = entry.number;
		same->node = model_nodes_join(model, same->node, entry.node);
		return first;
	}
	entry.next = first;
	return add_entry(memory, entry);
}

/* Sets who touched [access->start, access->end) last: the current operation (unless node is
 * NODE_NONE), and those that it does not come after; with keeps_before also the others. */
static void put_entry(struct model_memory *memory, struct model *model, struct extents *extents,
		      const struct access *access, node_index node, bool keeps_before)
{
	const struct extent *extent;
	uint64_t cursor = 0;
	uint32_t last = 0, first = 0;

	if (node != NODE_NONE)
		first = add_entry(memory, (struct entry){memory->stream, memory->number, node, 0});
	while ((extent = extents_next(extents, access->start, access->end, &cursor))) {
		if (extent->value == last)
			continue;
		last = extent->value;
		for (uint32_t i = extent->value; i; i = memory->entries.items[i].next) {
			struct entry entry = memory->entries.items[i];

			if (keeps_before || !is_before(memory, model, &entry))
				first = merge_entry(memory, model, first, entry);
		}
	}
	extents_set(extents, access->start, access->end, first);
}

void model_memory_leave(struct model_memory *memory, struct model *model, node_index node)
{
	if (!memory->accesses->writes_seen)
		put_entry(memory, model, &memory->writers, &unseen, node, true);
	else if (!memory->accesses->reads_seen)
		put_entry(memory, model, &memory->readers, &unseen, node, true);
	for (size_t i = 0; i < memory->accesses->all.count; i++) {
		const struct access *access = &memory->accesses->all.items[i];

		if (access->is_written) {
			put_entry(memory, model, &memory->writers, access, node, false);
			put_entry(memory, model, &memory->readers, access, NODE_NONE, false);
		} else {
			put_entry(memory, model, &memory->readers, access, node, true);
		}
	}
}

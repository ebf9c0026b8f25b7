#include "replay/schedule/needs.h"

#include "base/memory.h"
#include "base/vector.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* So many items a node keeps; more become a join. Of so many chains each operation knows how far they
 * have come; those with the same number modulo it share a place. */
enum { MOST_ITEMS = 4, MOST_KNOWN = 16 };

#define NO_ITEM UINT32_MAX

/* The last operations of different chains, and joins; NO_ITEM behind them. */
struct set {
	uint32_t items[MOST_ITEMS];
};

struct join {
	uint32_t items[2 * MOST_ITEMS];
	uint32_t count;
	bool is_used;
};

struct finding_needs {
	const struct timeline *timeline;
	const struct model *model;
	/* By operation: its chain, a run of operations of its stream that each wait for the one
	 * before; and the one before that it waits for, or NO_ITEM. */
	uint32_t *chains;
	uint32_t *before;
	/* By operation, known_count each: the last operation of a chain that has ended when this one
	 * has, plus one; 0: none is known. */
	uint32_t *known;
	size_t known_count;
	struct set *sets; /* by node */
	VECTOR(struct join) joins;
	VECTOR(uint32_t) first, items; /* as in struct needs */
};

/* Marks streams with a host function that did not wait for the work before it: after it, that work
 * may not have ended. */
static bool *find_loose(const struct timeline *timeline, const struct edits *edits)
{
	const struct trace *trace = timeline->model->trace;
	bool *are_loose = memory_array(trace->stream_count, sizeof(*are_loose));

	for (size_t i = 0; i < trace->host_function_count; i++) {
		const struct trace_stream *stream = trace->host_functions[i].stream;

		if (stream && !timeline->host_functions[i].has_order &&
		    !(edits && edits->host_functions[i] & EDIT_TO_THREAD))
			are_loose[stream - trace->streams] = true;
	}
	return are_loose;
}

static void find_chains(struct finding_needs *finding, const struct edits *edits,
			size_t stream_count)
{
	const struct model *model = finding->model;
	const struct trace *trace = model->trace;
	bool *are_loose = find_loose(finding->timeline, edits);
	uint32_t *last = memory_array(stream_count, sizeof(*last)), count = 0;

	memset(last, 0xff, stream_count * sizeof(*last));
	for (size_t i = 0; i < model->operation_count; i++) {
		uint32_t before =
			(uint32_t)(model->operations[i].operation->form->stream - trace->streams);
		uint32_t now = edits && edits->streams ? edits->streams[i] : before;
		bool is_loose = now < trace->stream_count && are_loose[now];
		bool is_linked = (finding->timeline->operations[i].has_order || now != before) &&
				 last[now] != NO_ITEM && !is_loose;

		finding->before[i] = is_linked ? last[now] : NO_ITEM;
		finding->chains[i] = is_linked ? finding->chains[last[now]] : count++;
		last[now] = (uint32_t)i;
	}
	finding->known_count = count < MOST_KNOWN ? count : MOST_KNOWN;
	free(last);
	free(are_loose);
}

static bool is_operation(const struct finding_needs *finding, uint32_t item)
{
	return item < finding->model->operation_count;
}

static uint32_t *known_of(const struct finding_needs *finding, uint32_t operation)
{
	return finding->known + operation * finding->known_count;
}

/* Whether the item is the other one, or has ended when that has. */
static bool is_within(const struct finding_needs *finding, uint32_t item, uint32_t other)
{
	uint32_t chain, last;

	if (item == other)
		return true;
	if (item > other || !is_operation(finding, other))
		return false;
	chain = finding->chains[item];
	if (finding->chains[other] == chain)
		return true;
	last = known_of(finding, other)[chain % finding->known_count];
	return last > item && finding->chains[last - 1] == chain;
}

/* Whether it comes after what it waits for, however it is edited: the time from that until it can start is
 * not negative. */
static bool comes_after(const struct timeline *timeline, size_t operation)
{
	return timeline->order_lag_ns >= 0 && timeline->operations[operation].order_lag_ns >= 0;
}

/* What has ended when the item has, has ended when the operation has. */
static void learn_chains(struct finding_needs *finding, uint32_t operation, uint32_t item)
{
	uint32_t *known = known_of(finding, operation), *more, *place;

	if (!is_operation(finding, item))
		return;
	more = known_of(finding, item);
	assert(finding->known_count); /* the item has a chain */
	for (size_t i = 0; i < finding->known_count; i++)
		known[i] = known[i] > more[i] ? known[i] : more[i];
	place = &known[finding->chains[item] % finding->known_count];
	*place = *place > item + 1 ? *place : item + 1;
}

/* By what it waits for in every replay: the operation before in its chain, and what it needs. */
static void learn_chains_of_all(struct finding_needs *finding, uint32_t operation,
				const struct set *needed)
{
	if (!comes_after(finding->timeline, operation))
		return;
	if (finding->before[operation] != NO_ITEM)
		learn_chains(finding, operation, finding->before[operation]);
	for (size_t i = 0; finding->timeline->operations[operation].has_needs && i < MOST_ITEMS &&
			   needed->items[i] != NO_ITEM;
	     i++)
		learn_chains(finding, operation, needed->items[i]);
}

/* Adds the item to the first `count` ones unless they make it redundant, in place of those that it makes
 * redundant. Returns the new count. */
static uint32_t add_item(const struct finding_needs *finding, uint32_t *items, uint32_t count,
			 uint32_t item)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < count; i++)
		if (is_within(finding, item, items[i]))
			return count;
	for (uint32_t i = 0; i < count; i++)
		if (!is_within(finding, items[i], item))
			items[kept++] = items[i];
	items[kept] = item;
	return kept + 1;
}

static struct set set_of(uint32_t item)
{
	return (struct set){{item, NO_ITEM, NO_ITEM, NO_ITEM}};
}

static struct set join_sets(struct finding_needs *finding, const struct set *first,
			    const struct set *second)
{
	const uint32_t operations = (uint32_t)finding->model->operation_count;
	struct set set = set_of(NO_ITEM);
	struct join join;

	join.count = 0;
	join.is_used = false;
	while (join.count < MOST_ITEMS && first->items[join.count] != NO_ITEM) {
		join.items[join.count] = first->items[join.count];
		join.count++;
	}
	for (uint32_t i = 0; i < MOST_ITEMS && second->items[i] != NO_ITEM; i++)
		join.count = add_item(finding, join.items, join.count, second->items[i]);
	if (join.count <= MOST_ITEMS) {
		memcpy(set.items, join.items, join.count * sizeof(*set.items));
		return set;
	}
	set.items[0] = operations + (uint32_t)finding->joins.count;
	*vector_add(&finding->joins) = join;
	return set;
}

static void find_sets(struct finding_needs *finding)
{
	const struct model *model = finding->model;

	finding->sets[NODE_NONE] = set_of(NO_ITEM);
	for (size_t i = 1; i < model->node_count; i++) {
		const struct model_node *node = &model->nodes[i];
		struct set *set = &finding->sets[i];

		if (!node->is_join) {
			*set = set_of(node->other);
			learn_chains_of_all(finding, node->other, &finding->sets[node->first]);
		} else if (node->first == NODE_NONE || node->other == NODE_NONE) {
			*set = finding->sets[node->first + node->other];
		} else {
			*set = join_sets(finding, &finding->sets[node->first],
					 &finding->sets[node->other]);
		}
	}
}

static void use_item(struct finding_needs *finding, uint32_t item)
{
	size_t operations = finding->model->operation_count;

	if (item >= operations)
		finding->joins.items[item - operations].is_used = true;
	*vector_add(&finding->items) = item;
}

/* Whether the operation comes after the item by the one before in its chain, or by one of the others. */
static bool is_covered(const struct finding_needs *finding, size_t operation, uint32_t item,
		       const uint32_t *others, size_t count)
{
	uint32_t before = finding->before[operation];

	if (before != NO_ITEM && is_within(finding, item, before))
		return true;
	for (size_t i = 0; i < count; i++)
		if (is_within(finding, item, others[i]))
			return true;
	return false;
}

/* Whether all operations are one chain: then its order says all. */
static bool is_one_chain(const struct finding_needs *finding)
{
	return finding->known_count <= 1;
}

/* Adds the node's items, except those that its chain makes redundant, or its list from `from` on. */
static void add_list(struct finding_needs *finding, size_t operation, node_index node, size_t from)
{
	const struct set *set = &finding->sets[node];
	size_t count = finding->items.count - from;

	for (size_t i = 0; i < MOST_ITEMS && set->items[i] != NO_ITEM; i++) {
		uint32_t item = set->items[i];

		if (!is_covered(finding, operation, item, finding->items.items + from, count))
			use_item(finding, item);
	}
}

/* Those of joins that are used; a join's items are used with it. */
static uint32_t *number_joins(struct finding_needs *finding, size_t *count)
{
	uint32_t *numbers = memory_array(finding->joins.count, sizeof(*numbers));
	size_t operations = finding->model->operation_count;

	for (size_t i = finding->joins.count; i-- > 0;) {
		const struct join *join = &finding->joins.items[i];

		for (uint32_t k = 0; join->is_used && k < join->count; k++)
			if (join->items[k] >= operations)
				finding->joins.items[join->items[k] - operations].is_used = true;
	}
	*count = 0;
	for (size_t i = 0; i < finding->joins.count; i++)
		if (finding->joins.items[i].is_used)
			numbers[i] = (uint32_t)operations + (*count)++;
	return numbers;
}

/* Behind the lists of operations. */
static void add_joins(struct finding_needs *finding, struct needs *needs)
{
	size_t operations = finding->model->operation_count;
	uint32_t *numbers = number_joins(finding, &needs->join_count);

	for (size_t i = 0; i < finding->items.count; i++)
		if (finding->items.items[i] >= operations)
			finding->items.items[i] = numbers[finding->items.items[i] - operations];
	for (size_t i = 0; i < finding->joins.count; i++) {
		const struct join *join = &finding->joins.items[i];

		if (!join->is_used)
			continue;
		for (uint32_t k = 0; k < join->count; k++)
			*vector_add(&finding->items) =
				join->items[k] < operations ? join->items[k]
							    : numbers[join->items[k] - operations];
		*vector_add(&finding->first) = (uint32_t)finding->items.count;
	}
	free(numbers);
}

static void add_lists(struct finding_needs *finding)
{
	const struct model *model = finding->model;

	*vector_add(&finding->first) = 0;
	for (size_t i = 0; i < model->operation_count; i++) {
		const struct timeline_operation *row = &finding->timeline->operations[i];
		size_t from = finding->items.count;

		if (row->has_needs && !is_one_chain(finding))
			add_list(finding, i, model->operations[i].needs, from);
		*vector_add(&finding->first) = (uint32_t)finding->items.count;
		if (row->has_reuses && !is_one_chain(finding))
			add_list(finding, i, model->operations[i].reuses, from);
		*vector_add(&finding->first) = (uint32_t)finding->items.count;
	}
}

struct needs *needs_find(const struct timeline *timeline, const struct edits *edits,
			 size_t stream_count)
{
	const struct model *model = timeline->model;
	struct needs *needs = memory_array(1, sizeof(*needs));
	size_t set_count = 0;
	struct finding_needs finding = {
		.timeline = timeline,
		.model = model,
		.chains = memory_array(model->operation_count, sizeof(*finding.chains)),
		.before = memory_array(model->operation_count, sizeof(*finding.before)),
	};

	find_chains(&finding, edits, stream_count);
	if (!is_one_chain(&finding)) {
		finding.known = memory_array(model->operation_count * finding.known_count,
					     sizeof(*finding.known));
		finding.sets =
			memory_reserve(NULL, model->node_count, &set_count, sizeof(*finding.sets));
		find_sets(&finding);
	}
	add_lists(&finding);
	add_joins(&finding, needs);
	needs->first = finding.first.items;
	needs->items = finding.items.items;
	vector_free(&finding.joins);
	free(finding.sets);
	free(finding.known);
	free(finding.before);
	free(finding.chains);
	return needs;
}

void needs_free(struct needs *needs)
{
	if (!needs)
		return;
	free(needs->items);
	free(needs->first);
	free(needs);
}

#include "model/chains.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "model/model.h"

#include <stdlib.h>

struct chaining {
	const struct model *model;
	const int64_t *durations_ns;
	int64_t *head_ns; /* by node: the longest chain up to and with it */
	int64_t *tail_ns; /* by node: the longest chain behind it */
	struct chains chains;
};

static struct chain_ends *ends_of(const struct chaining *chaining, uint32_t operation)
{
	return &chaining->chains.engines[model_engine_of(
		chaining->model, chaining->model->operations[operation].operation)];
}

/* The node that this one comes after. An operation that started before another one ended cannot
 * have needed it, whatever the trace suggests; nor does a replay keep it waiting. */
static node_index node_before(const struct chaining *chaining, const struct model_node *node)
{
	const struct model *model = chaining->model;

	return node->is_join || model->operations[node->other].operation->start_ns >=
					model->nodes[node->first].end_ns
		       ? node->first
		       : NODE_NONE;
}

static void add_head(struct chaining *chaining, uint32_t operation, int64_t before_ns)
{
	struct chain_ends *ends = ends_of(chaining, operation);

	ends->head_ns = ends->is_used ? min_ns(ends->head_ns, before_ns) : before_ns;
	ends->is_used = true;
}

static void measure_heads(struct chaining *chaining)
{
	const struct model_node *nodes = chaining->model->nodes;
	int64_t *head_ns = chaining->head_ns;

	for (node_index i = 1; i < chaining->model->needed_count; i++) {
		const struct model_node *node = &nodes[i];
		int64_t before_ns = head_ns[node_before(chaining, node)];

		if (node->is_join) {
			head_ns[i] = max_ns(before_ns, head_ns[node->other]);
			continue;
		}
		head_ns[i] = before_ns;
		if (chaining->durations_ns[node->other] == CHAINS_LEFT_OUT)
			continue;
		add_head(chaining, node->other, before_ns);
		head_ns[i] += chaining->durations_ns[node->other];
	}
}

static void measure_tails(struct chaining *chaining)
{
	const struct model_node *nodes = chaining->model->nodes;
	int64_t *tail_ns = chaining->tail_ns;

	for (node_index i = (node_index)chaining->model->needed_count - 1; i > 0; i--) {
		const struct model_node *node = &nodes[i];
		int64_t behind_ns = tail_ns[i];
		node_index first = node_before(chaining, node), second = model_node_second(node);

		if (!node->is_join && chaining->durations_ns[node->other] != CHAINS_LEFT_OUT) {
			struct chain_ends *ends = ends_of(chaining, node->other);

			ends->tail_ns = min_ns(ends->tail_ns, behind_ns);
			chaining->chains.longest_ns = max_ns(chaining->chains.longest_ns,
							     chaining->head_ns[i] + behind_ns);
			behind_ns += chaining->durations_ns[node->other];
		}
		tail_ns[first] = max_ns(tail_ns[first], behind_ns);
		tail_ns[second] = max_ns(tail_ns[second], behind_ns);
	}
}

struct chains chains_find(const struct model *model, const int64_t *durations_ns)
{
	size_t engines = model->device_count * ENGINE_COUNT;
	struct chaining chaining = {
		.model = model,
		.durations_ns = durations_ns,
		.head_ns = memory_array(model->needed_count, sizeof(int64_t)),
		.tail_ns = memory_array(model->needed_count, sizeof(int64_t)),
		.chains.engines = memory_array(engines, sizeof(struct chain_ends)),
	};

	for (size_t i = 0; i < engines; i++)
		chaining.chains.engines[i].tail_ns = INT64_MAX;
	measure_heads(&chaining);
	measure_tails(&chaining);
	free(chaining.tail_ns);
	free(chaining.head_ns);
	return chaining.chains;
}

struct chains chains_of_trace(const struct model *model)
{
	int64_t *durations_ns = memory_array(model->operation_count, sizeof(*durations_ns));
	struct chains chains;

	for (size_t i = 0; i < model->operation_count; i++) {
		const struct trace_operation *operation = model->operations[i].operation;

		durations_ns[i] = operation->end_ns - operation->start_ns;
	}
	chains = chains_find(model, durations_ns);
	free(durations_ns);
	return chains;
}

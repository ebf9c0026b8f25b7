#include "ptx/use_graph.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_WORD (ORIGIN_VARIABLE + 1)
#define WORD_ADDRESS                                                                               \
	(WORD_OF_ANY - 1) /* the parameter's own address; the origin after it is WORD_OF_ANY */

/* The largest kernels of libraries have some 100,000 values; beyond, a kernel's uses stay unknown. */
#define ROWS_MOST  (UINT64_C(16) << 20) /* 128 MB */
#define STEPS_MOST (UINT64_C(1) << 28)	/* some tenths of a second */

uint32_t use_graph_node(struct use_graph *graph)
{
	return ++graph->nodes;
}

void use_graph_seed(struct use_graph *graph, uint32_t node, enum use_origin origin)
{
	*vector_add(&graph->seeds) = (struct use_seed){node, origin};
}

static uint32_t word_origin(struct use_graph *graph, uint32_t parameter, uint32_t word)
{
	const uint64_t key = (uint64_t)parameter << 32 | word;
	size_t index = map_find(&graph->word_map, key);

	if (index == MAP_NONE) {
		index = graph->words.count;
		map_add(&graph->word_map, key, index);
		*vector_add(&graph->words) = (struct kernel_use){parameter, word, 0};
		if (word == WORD_ADDRESS)
			*vector_add(&graph->words) = (struct kernel_use){parameter, WORD_OF_ANY, 0};
	}
	return (uint32_t)index + FIRST_WORD;
}

void use_graph_seed_word(struct use_graph *graph, uint32_t node, uint32_t parameter, uint32_t word)
{
	*vector_add(&graph->seeds) = (struct use_seed){node, word_origin(graph, parameter, word)};
}

void use_graph_seed_address(struct use_graph *graph, uint32_t node, uint32_t parameter)
{
	use_graph_seed_word(graph, node, parameter, WORD_ADDRESS);
}

void use_graph_add(struct use_graph *graph, struct use_edge edge)
{
	*vector_add(&graph->edges) = edge;
}

static uint64_t *row_of(const struct use_graph *graph, uint32_t node)
{
	return graph->rows + node * graph->width;
}

static bool has_origin(const uint64_t *row, uint32_t origin)
{
	return row[origin / 64] >> origin % 64 & 1;
}

/* Whether the row changed. */
static bool add_origin(uint64_t *row, uint32_t origin)
{
	const bool is_new = !has_origin(row, origin);

	row[origin / 64] |= UINT64_C(1) << origin % 64;
	return is_new;
}

static bool add_row(const struct use_graph *graph, uint64_t *row, const uint64_t *other,
		    uint64_t first_mask)
{
	uint64_t added = 0;

	for (size_t i = 0; i < graph->width; i++) {
		const uint64_t more = other[i] & (i ? UINT64_MAX : first_mask) & ~row[i];

		added |= more;
		row[i] |= more;
	}
	return added;
}

#define BIT(origin) (UINT64_C(1) << (origin))

/* Whether an address from here may lie in memory that is neither local, nor shared, nor a parameter. */
static bool may_be_device(const struct use_graph *graph, const uint64_t *row)
{
	uint64_t all = 0, device = 0;

	for (size_t i = 0; i < graph->width; i++) {
		all |= row[i];
		device |= row[i] & ~graph->addresses[i] & (i ? UINT64_MAX : ~BIT(ORIGIN_LOCAL));
	}
	return device || !all;
}

static bool has_parameter(const struct use_graph *graph, const uint64_t *row)
{
	uint64_t found = 0;

	for (size_t i = 0; i < graph->width; i++)
		found |= row[i] & graph->addresses[i];
	return found;
}

/* The memory of parameters at these addresses. */
static bool add_parameters(const struct use_graph *graph, uint64_t *row, const uint64_t *from)
{
	bool is_new = false;

	if (!has_parameter(graph, from))
		return false;
	for (uint32_t i = 0; i < graph->words.count; i++)
		if (graph->words.items[i].word == WORD_ADDRESS && has_origin(from, FIRST_WORD + i))
			is_new |= add_origin(row, FIRST_WORD + i + 1);
	return is_new;
}

static bool load_value(const struct use_graph *graph, const struct use_edge *edge)
{
	const uint64_t *from = row_of(graph, edge->from);
	uint64_t *to = row_of(graph, edge->to);
	bool is_new = false;

	if (edge->space == SPACE_LOCAL ||
	    (edge->space == SPACE_ANY && has_origin(from, ORIGIN_LOCAL)))
		is_new |= add_row(graph, to, row_of(graph, USE_NODE_LOCAL), UINT64_MAX);
	if (edge->space == SPACE_ANY || edge->space == SPACE_PARAMETER)
		is_new |= add_parameters(graph, to, from);
	if (edge->space == SPACE_PARAMETER &&
	    (has_origin(from, ORIGIN_LOADED) || !has_parameter(graph, from)))
		is_new |= add_origin(to, ORIGIN_LOADED);
	if (edge->space == SPACE_DEVICE || (edge->space == SPACE_ANY && may_be_device(graph, from)))
		is_new |= add_origin(to, ORIGIN_LOADED);
	return is_new;
}

/* The origins of the row are seen by others from now on. With an address of local memory, others may store there. */
static bool lose_row(const struct use_graph *graph, const uint64_t *row)
{
	bool is_new = add_row(graph, graph->lost, row, UINT64_MAX);

	is_new |= add_parameters(graph, graph->lost, row);
	if (!has_origin(row, ORIGIN_LOCAL))
		return is_new;
	is_new |= add_origin(row_of(graph, USE_NODE_LOCAL), ORIGIN_LOADED);
	is_new |= add_row(graph, graph->lost, row_of(graph, USE_NODE_LOCAL), UINT64_MAX);
	return is_new;
}

static bool store_value(const struct use_graph *graph, const struct use_edge *edge)
{
	const uint64_t *value = row_of(graph, edge->from), *address = row_of(graph, edge->to);
	bool is_new = false;

	if (edge->space == SPACE_LOCAL ||
	    (edge->space == SPACE_ANY && has_origin(address, ORIGIN_LOCAL)))
		is_new |= add_row(graph, row_of(graph, USE_NODE_LOCAL), value, UINT64_MAX);
	if (edge->space == SPACE_DEVICE ||
	    (edge->space == SPACE_ANY && may_be_device(graph, address)))
		is_new |= lose_row(graph, value);
	return is_new;
}

static bool follow_edge(const struct use_graph *graph, const struct use_edge *edge)
{
	switch (edge->kind) {
	case EDGE_FLOW:
		return add_row(graph, row_of(graph, edge->to), row_of(graph, edge->from),
			       UINT64_MAX);
	case EDGE_NUMBER:
		return add_row(graph, row_of(graph, edge->to), row_of(graph, edge->from),
			       ~BIT(ORIGIN_LOADED));
	case EDGE_LOAD:
		return load_value(graph, edge);
	case EDGE_STORE:
		return store_value(graph, edge);
	case EDGE_LOST:
		return lose_row(graph, row_of(graph, edge->from));
	case EDGE_ACCESS:
	case EDGE_TENSOR:
		break;
	}
	return false;
}

/* A register is mostly set before it is used, so few passes settle everything. */
static bool settle_rows(const struct use_graph *graph)
{
	uint64_t steps = 0;
	bool is_new = true;

	while (is_new) {
		is_new = false;
		for (size_t i = 0; i < graph->edges.count; i++)
			is_new |= follow_edge(graph, &graph->edges.items[i]);
		steps += graph->edges.count * graph->width;
		if (is_new && steps > STEPS_MOST)
			return false;
	}
	return true;
}

/* What of the access no parameter stands for. */
static void use_others(const struct use_graph *graph, const struct use_edge *edge,
		       struct kernel_uses *uses)
{
	const uint64_t *row = row_of(graph, edge->from);
	bool is_known = has_origin(row, ORIGIN_VARIABLE) ||
			(edge->space == SPACE_ANY && !may_be_device(graph, row));

	if (has_origin(row, ORIGIN_VARIABLE))
		uses->variables |= edge->uses;
	for (uint32_t i = 0; i < graph->words.count; i++)
		is_known |= has_origin(row, FIRST_WORD + i) &&
			    graph->words.items[i].word != WORD_ADDRESS;
	if (!is_known || has_origin(row, ORIGIN_LOADED))
		uses->elsewhere |= edge->uses;
}

static void use_words(struct use_graph *graph, const struct use_edge *edge)
{
	const uint64_t *row = row_of(graph, edge->from);

	for (uint32_t i = 0; i < graph->words.count; i++) {
		struct kernel_use *word = &graph->words.items[i];

		if (!has_origin(row, FIRST_WORD + i))
			continue;
		if (word->word != WORD_ADDRESS)
			word->uses |= edge->uses;
		else if (edge->uses & ~USE_READ) /* a kernel cannot write its parameters */
			word[1].uses |= USE_UNKNOWN;
	}
}

/* A map in a parameter has the address in it. One in memory may have any address. */
static void use_tensor(struct use_graph *graph, const struct use_edge *edge,
		       struct kernel_uses *uses)
{
	const uint64_t *row = row_of(graph, edge->from);

	if (may_be_device(graph, row) || has_origin(row, ORIGIN_LOCAL))
		uses->elsewhere |= edge->uses;
	for (uint32_t i = 0; i < graph->words.count; i++) {
		struct kernel_use *word = &graph->words.items[i];

		if (!has_origin(row, FIRST_WORD + i))
			continue;
		if (word->word == WORD_ADDRESS)
			word[1].uses |= edge->uses;
		else
			word->uses |= USE_READ;
	}
}

static void find_uses(struct use_graph *graph, struct kernel_uses *uses)
{
	for (size_t i = 0; i < graph->edges.count; i++) {
		const struct use_edge *edge = &graph->edges.items[i];

		if (edge->kind == EDGE_TENSOR)
			use_tensor(graph, edge, uses);
		if (edge->kind != EDGE_ACCESS || edge->space == SPACE_LOCAL)
			continue;
		use_others(graph, edge, uses);
		use_words(graph, edge);
	}
	for (uint32_t i = 0; i < graph->words.count; i++)
		if (has_origin(graph->lost, FIRST_WORD + i))
			graph->words.items[i].uses |= USE_UNKNOWN;
}

static bool make_rows(struct use_graph *graph)
{
	const size_t origins = FIRST_WORD + graph->words.count;

	graph->width = (origins + 63) / 64;
	if ((uint64_t)(graph->nodes + 1) * graph->width > ROWS_MOST ||
	    (uint64_t)graph->edges.count * graph->words.count > STEPS_MOST)
		return false;
	graph->rows = memory_array((graph->nodes + 1) * graph->width, sizeof(*graph->rows));
	graph->addresses = memory_array(graph->width, sizeof(*graph->addresses));
	graph->lost = memory_array(graph->width, sizeof(*graph->lost));
	for (uint32_t i = 0; i < graph->words.count; i++)
		if (graph->words.items[i].word == WORD_ADDRESS)
			add_origin(graph->addresses, FIRST_WORD + i);
	for (size_t i = 0; i < graph->seeds.count; i++)
		add_origin(row_of(graph, graph->seeds.items[i].node), graph->seeds.items[i].origin);
	return true;
}

bool use_graph_solve(struct use_graph *graph, struct kernel_uses *uses)
{
	VECTOR(struct kernel_use) used = {0};

	if (!make_rows(graph) || !settle_rows(graph))
		return false;
	uses->elsewhere = graph->elsewhere;
	find_uses(graph, uses);
	for (size_t i = 0; i < graph->words.count; i++)
		if (graph->words.items[i].uses && graph->words.items[i].word != WORD_ADDRESS)
			*vector_add(&used) = graph->words.items[i];
	vector_move(&used, uses->items, uses->count);
	return true;
}

void use_graph_free(struct use_graph *graph)
{
	vector_free(&graph->edges);
	vector_free(&graph->seeds);
	vector_free(&graph->words);
	map_free(&graph->word_map);
	free(graph->rows);
	free(graph->addresses);
	free(graph->lost);
	*graph = (struct use_graph){0};
}

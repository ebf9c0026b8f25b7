/* What the device did. */
#include "trace/loader.h"

#include <string.h>

_Static_assert(sizeof(struct trace_operation) <= 32, "there are millions of them");

#define MOST_PER_BLOCK 65536 /* threads; CUDA's limit is 1024 */

/* CUPTI's copy kinds; see operations.copy_kind in preload/schema.sql. */
static enum engine engine_of(enum operation_kind kind, int copy_kind)
{
	static const enum engine engines[] = {
		[1] = ENGINE_H2D, [2] = ENGINE_D2H,   [3] = ENGINE_H2D,
		[4] = ENGINE_D2H, [10] = ENGINE_PEER,
	};

	if (kind != OPERATION_COPY || (size_t)copy_kind >= sizeof(engines) / sizeof(*engines))
		return ENGINE_COMPUTE;
	return engines[copy_kind];
}

/* The product of three dimensions; 0 where one is not known. */
static int64_t grid_volume(struct rows *rows, const char *what, int64_t x, int64_t y, int64_t z,
			   int64_t most)
{
	int64_t product;

	if (x == ROW_NULL || y == ROW_NULL || z == ROW_NULL)
		return 0;
	if (!__builtin_mul_overflow(x, y, &product) &&
	    !__builtin_mul_overflow(product, z, &product) && product <= most)
		return product;
	rows_fail(rows, "%s is out of range: %lld * %lld * %lld", what, (long long)x, (long long)y,
		  (long long)z);
	return 0;
}

static void take_kernel(const struct trace_loader *loader, struct rows *rows,
			const struct operations_row *row, struct trace_operation_form *form)
{
	size_t name;
	int64_t shared_bytes =
		row->static_shared_bytes == ROW_NULL || row->dynamic_shared_bytes == ROW_NULL
			? 0
			: row->static_shared_bytes + row->dynamic_shared_bytes;

	rows_expect(rows, "static_shared_bytes + dynamic_shared_bytes", shared_bytes, 0, INT32_MAX);
	form->blocks = (uint64_t)grid_volume(rows, "the grid", row->grid_x, row->grid_y,
					     row->grid_z, INT64_MAX);
	form->block_threads = (uint32_t)grid_volume(rows, "the block", row->block_x, row->block_y,
						    row->block_z, MOST_PER_BLOCK);
	form->thread_registers = (uint8_t)row_or(row->registers_per_thread, 0);
	form->block_shared_bytes = (uint32_t)shared_bytes;
	if (row->name_id == ROW_NULL)
		return;
	name = trace_find_id(rows, row->name_id, &loader->string_map, TABLE_strings);
	form->name = name == MAP_NONE ? NULL : loader->strings.items[name];
}

/* Notes a stream without a row: it is added later, in the order of the rows. */
static uint64_t find_stream(struct row_shard *shard, const struct operations_row *row)
{
	const uint64_t key = (uint64_t)row->context_id << 32 | (uint64_t)row->stream_id;

	if (shard->last_stream != key &&
	    map_find(&shard->shards->loader->stream_map, key) == MAP_NONE)
		*vector_add(&shard->unknown_streams) = key;
	shard->last_stream = key;
	return key;
}

static const struct trace_operation_form *make_form(struct row_shard *shard)
{
	const struct operations_row *row = &shard->row.operation;
	struct operation_row_form kept;
	struct trace_operation_form *form = &kept.form;
	const struct operation_row_form *found;

	memset(&kept, 0, sizeof(kept)); /* its padding is compared */
	form->is_graph = row->kind == OPERATION_GRAPH;
	form->kind = form->is_graph ? OPERATION_KERNEL : (enum operation_kind)row->kind;
#define OPERATION_KEEPS(name, type, missing) form->name = (type)row_or(row->name, missing);
#include "facts/columns.def"
	form->engine = engine_of(form->kind, form->copy_kind);
	take_kernel(shard->shards->loader, &shard->rows, row, form);
	kept.stream = find_stream(shard, row);
	kept.node_id = row->graph_node_id;
	found = forms_keep(shard->forms, &kept);
	return &found->form;
}

static const struct trace_operation_form *keep_form(struct row_shard *shard)
{
	if (!shard->made)
		return make_form(shard);
	if (!*shard->made)
		*shard->made = make_form(shard);
	return *shard->made;
}

static void take_operation(struct row_shard *shard)
{
	struct trace_loader *loader = shard->shards->loader;
	const struct operations_row *row = &shard->row.operation;
	size_t at;

	row_shard_check_id(shard, row->id);
	if (shard->made && !shard->is_same)
		*shard->made =
			NULL; /* also where this row is not kept: the next one may be as it is */
	if (row->start_ns == ROW_NULL || row->end_ns == ROW_NULL) {
		shard->untimed++;
		return;
	}
	at = row_shard_place(shard);
	if (at == MAP_NONE)
		return;
	loader->operation_correlations[at] = (uint32_t)row->correlation_id;
	trace_check_times(shard->duration_ns, &shard->rows, row->start_ns, row->end_ns);
	loader->trace->operations[at] = (struct trace_operation){
		.start_ns = row->start_ns, .end_ns = row->end_ns, .form = keep_form(shard)};
}

void trace_plan_operations(struct trace_loader *loader)
{
	struct trace *trace = loader->trace;

	for (size_t i = 0; i < CONNECTIONS_MOST; i++)
		trace->private->operation_forms[i].element_bytes =
			sizeof(struct operation_row_form);
	loader->operation_shards = (struct row_shards){
		.table = TABLE_operations,
		.condition = "",
		.is_split = true,
		.is_in_blocks = block_rows_ids(&loader->database, TABLE_operations).rows != 0,
		.take = take_operation,
		.loader = loader,
		.arrays = {{(void **)&trace->operations, sizeof(*trace->operations), true},
			   {(void **)&loader->operation_correlations,
			    sizeof(*loader->operation_correlations), true}},
		.forms = trace->private->operation_forms,
	};
}

void trace_read_operations(struct trace_loader *loader)
{
	struct row_shards *shards = &loader->operation_shards;

	loader->trace->operation_count = row_shards_read(shards);
	if (loader->database.error)
		return;
	for (size_t i = 0; i < shards->count; i++) {
		const struct row_shard *shard = &shards->items[i];

		loader->trace->untimed_operations += shard->untimed;
		for (size_t j = 0; j < shard->unknown_streams.count; j++) {
			const uint64_t key = shard->unknown_streams.items[j];

			trace_intern_stream(loader, (int64_t)(key >> 32), (int64_t)(uint32_t)key);
		}
	}
}

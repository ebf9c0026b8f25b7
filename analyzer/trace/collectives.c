#include "trace/collectives.h"

#include "trace/collective_match.h"
#include "trace/loader.h"

#include <stdlib.h>

typedef VECTOR(struct trace_communicator) communicator_vector;

const char *collective_word(enum collective_operation operation)
{
	static const char *const words[COLLECTIVE_OPERATION_COUNT] = {
		"",
#define COLLECTIVE(symbol, number, word) [COLLECTIVE_##symbol] = (word),
#include "facts/collectives.def"
#undef COLLECTIVE
	};

	return words[operation];
}

uint32_t collective_datatype_bytes(uint8_t datatype)
{
	static const uint8_t bytes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};

	return datatype < sizeof(bytes) ? bytes[datatype] : 1;
}

uint32_t *trace_collectives_of_kernels(const struct trace *trace)
{
	uint32_t *of_kernels;

	if (!trace_matched_collectives(trace))
		return NULL;
	of_kernels = memory_array(trace->operation_count, sizeof(*of_kernels));
	for (size_t i = 0; i < trace->operation_count; i++)
		of_kernels[i] = NO_COLLECTIVE;
	for (size_t i = trace->collective_count; i-- > 0;)
		if (trace->collectives[i].kernel != NO_KERNEL)
			of_kernels[trace->collectives[i].kernel] = (uint32_t)i;
	return of_kernels;
}

size_t trace_matched_collectives(const struct trace *trace)
{
	size_t matched = 0;

	for (size_t i = 0; i < trace->collective_count; i++)
		matched += trace->collectives[i].kernel != NO_KERNEL;
	return matched;
}

static void read_communicators(struct trace_loader *loader, struct map *ids)
{
	communicator_vector communicators = {0};
	struct communicators_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_communicators, "ORDER BY id");
	while (rows_next_communicators(&rows, &row)) {
		trace_add_id(&rows, ids, row.id, communicators.count);
		*vector_add(&communicators) = (struct trace_communicator){
			.id = row.id,
			.unique_id = trace_keep_text(loader, row.unique_id),
			.created_ns = row_or(row.created_ns, 0),
			.destroyed_ns = row_or(row.destroyed_ns, INT64_MAX),
			.rank = (int32_t)row_or(row.rank, -1),
			.ranks = (int32_t)row_or(row.ranks, -1),
			.device_id = (uint32_t)row_or(row.device_id, TRACE_NO_DEVICE),
		};
	}
	rows_close(&rows);
	vector_move(&communicators, loader->trace->communicators,
		    loader->trace->communicator_count);
}

static void read_groups(struct trace_loader *loader, struct collective_spans *spans)
{
	struct collective_groups_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_collective_groups, "ORDER BY id");
	while (rows_next_collective_groups(&rows, &row)) {
		trace_check_times(&loader->duration_ns, &rows, row.start_ns, row.end_ns);
		trace_add_id(&rows, &spans->groups, row.id, spans->items.count);
		collective_spans_add_group(spans, row.start_ns, row.end_ns);
	}
	rows_close(&rows);
}

static const struct trace_site *site_of(struct trace_loader *loader, struct rows *rows, int64_t id)
{
	size_t index = id == ROW_NULL
			       ? MAP_NONE
			       : trace_find_id(rows, id, &loader->site_map, TABLE_call_sites);

	return index == MAP_NONE ? NULL : &loader->trace->sites[index];
}

static void read_collectives(struct trace_loader *loader, const struct map *communicators,
			     struct collective_spans *spans)
{
	struct collectives_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_collectives, "ORDER BY start_ns, id");
	while (rows_next_collectives(&rows, &row)) {
		struct trace_collective collective = {
			.start_ns = row.start_ns,
			.end_ns = row.end_ns,
			.enqueued_ns = row.end_ns,
			.sequence = row_or(row.sequence, NO_SEQUENCE),
			.bytes = (uint64_t)row.size_bytes,
			.stream_handle = row_bits(row.stream_handle),
			.communicator = NO_COMMUNICATOR,
			.kernel = NO_KERNEL,
			.site = site_of(loader, &rows, row.site_id),
			.thread_id = (uint32_t)row.thread_id,
			.root_or_peer = (int32_t)row_or(row.root_or_peer, -1),
			.operation = (enum collective_operation)row.operation,
			.datatype = (uint8_t)row.datatype,
			.is_grouped = row.group_id != ROW_NULL,
		};

		trace_check_times(&loader->duration_ns, &rows, row.start_ns, row.end_ns);
		if (row.communicator_id != ROW_NULL)
			collective.communicator = trace_find_id(&rows, row.communicator_id,
								communicators, TABLE_communicators);
		collective_spans_add(spans, &collective, row.group_id);
	}
	rows_close(&rows);
}

void trace_read_collectives(struct trace_loader *loader)
{
	struct collective_spans spans = {0};
	struct map communicators = {0};

	read_communicators(loader, &communicators);
	read_groups(loader, &spans);
	read_collectives(loader, &communicators, &spans);
	if (!loader->database.error)
		collective_match(&spans, loader->trace);
	map_free(&communicators);
	collective_spans_free(&spans);
}

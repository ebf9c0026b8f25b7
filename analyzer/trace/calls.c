/* The calls. */
#include "trace/loader.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct trace_call) <= 32, "there are millions of them");

static const struct trace_arguments *find_arguments(const struct trace_loader *loader,
						    struct rows *rows, int64_t id)
{
	size_t set;

	/* An older trace may have no such table. */
	if (id == ROW_NULL || !loader->trace->arguments_count)
		return NULL;
	set = trace_find_id(rows, id, &loader->argument_map, TABLE_launch_arguments);
	return set == MAP_NONE ? NULL : &loader->trace->arguments[set];
}

/* Finds what the row's ids refer to, for columns that are equal in all rows of a shape. before: the
 * form of an earlier row. */
static void find_what_is_called(struct row_shard *shard, const struct trace_call_form *before,
				struct trace_call_form *form)
{
	const struct trace_loader *loader = shard->shards->loader;
	const struct calls_row *row = &shard->row.call;
	size_t function, site;

	if (before) {
		form->function = before->function;
		form->site = before->site;
		return;
	}
	function = trace_find_id(&shard->rows, row->function_id, &loader->function_map,
				 TABLE_functions);
	site = row->site_id == ROW_NULL ? MAP_NONE
					: trace_find_id(&shard->rows, row->site_id,
							&loader->site_map, TABLE_call_sites);
	form->function = function == MAP_NONE ? NULL : &loader->trace->functions[function];
	form->site = site == MAP_NONE ? NULL : &loader->trace->sites[site];
}

static const struct trace_call_form *make_form(struct row_shard *shard,
					       const struct trace_call_form *before)
{
	const struct calls_row *row = &shard->row.call;
	struct trace_call_form form;

	memset(&form, 0, sizeof(form)); /* its padding is compared */
	find_what_is_called(shard, before, &form);
	form.via_driver_callback = row->api_path;
	form.has_stream = row->stream_handle != ROW_NULL;
	form.stream_handle = row_bits(row->stream_handle);
#define CALL_KEEPS(name, type, missing) form.name = (type)row_or(row->name, missing);
#include "facts/columns.def"
	form.arguments = find_arguments(shard->shards->loader, &shard->rows, row->arguments_id);
	return forms_keep(shard->forms, &form);
}

static const struct trace_call_form *keep_form(struct row_shard *shard)
{
	if (!shard->made)
		return make_form(shard, NULL);
	if (!*shard->made || !shard->is_same)
		*shard->made = make_form(shard, *shard->made);
	return *shard->made;
}

static void take_call(struct row_shard *shard)
{
	struct trace_loader *loader = shard->shards->loader;
	const struct calls_row *row = &shard->row.call;
	size_t at;

	row_shard_check_id(shard, row->id);
	at = row_shard_place(shard);
	if (at == MAP_NONE)
		return;
	row_shard_keep_id(shard, at, row->id);
	loader->call_correlations[at] = (uint32_t)row_or(row->correlation_id, 0);
	loader->trace->calls[at] = (struct trace_call){
		.start_ns = row->start_ns, .end_ns = row->end_ns, .form = keep_form(shard)};
	trace_check_times(shard->duration_ns, &shard->rows, row->start_ns, row->end_ns);
}

void trace_plan_calls(struct trace_loader *loader)
{
	struct trace *trace = loader->trace;

	for (size_t i = 0; i < CONNECTIONS_MOST; i++)
		trace->private->call_forms[i].element_bytes = sizeof(struct trace_call_form);
	trace->private->lent_forms.element_bytes = sizeof(struct trace_call_form);
	loader->call_shards = (struct row_shards){
		.table = TABLE_calls,
		.condition = "",
		.is_split = true,
		.is_in_blocks = block_rows_ids(&loader->database, TABLE_calls).rows != 0,
		.take = take_call,
		.loader = loader,
		.arrays = {{(void **)&trace->calls, sizeof(*trace->calls), true},
			   {(void **)&loader->call_correlations, sizeof(*loader->call_correlations),
			    false},
			   {(void **)&loader->call_places, sizeof(*loader->call_places), false}},
		.places = &loader->call_places,
		.forms = trace->private->call_forms,
	};
}

/* Further correlation ids of calls. */
struct correlations {
	VECTOR(uint32_t) ids, calls;
};

static void read_correlations(struct trace_loader *loader, struct correlations *correlations)
{
	struct correlations_row row;
	struct rows rows;
	size_t call;

	rows_open(&rows, &loader->database, TABLE_correlations, "");
	while (rows_next_correlations(&rows, &row)) {
		call = trace_find_call(loader, &rows, row.call_id);
		if (call == MAP_NONE)
			continue;
		*vector_add(&correlations->ids) = (uint32_t)row.correlation_id;
		*vector_add(&correlations->calls) = (uint32_t)call;
	}
	rows_close(&rows);
}

void trace_read_calls(struct trace_loader *loader)
{
	struct correlations more = {0};

	loader->trace->call_count = row_shards_read(&loader->call_shards);
	read_correlations(loader, &more);
	if (!loader->database.error)
		id_index_build(
			&loader->correlations,
			(const struct ids[]){{loader->call_correlations, loader->call_places,
					      loader->trace->call_count},
					     {more.ids.items, more.calls.items, more.ids.count}},
			2);
	vector_free(&more.ids);
	vector_free(&more.calls);
	free(loader->call_correlations);
	loader->call_correlations = NULL;
}

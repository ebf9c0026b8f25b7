/* Call sites with their frames, those of Python's code too. */
#include "trace/loader.h"

#include <stdlib.h>

static void add_frame(struct trace_loader *loader, struct rows *rows, const struct frames_row *row)
{
	struct trace_frame *frame = vector_add(&loader->trace->private->frames);
	const struct trace_module *module;
	size_t index;

	*frame = (struct trace_frame){
		.offset = row_bits(row->offset),
		.function = trace_keep_text(loader, row->function),
		.file = trace_keep_text(loader, row->file),
		.line = (int)row_or(row->line, 0),
		.through = trace_keep_text(loader, row->through),
		.is_library_line = row_or(row->is_library, 0) != 0,
	};
	if (row->module_id == ROW_NULL)
		return;
	index = trace_find_id(rows, row->module_id, &loader->module_map, TABLE_modules);
	if (index == MAP_NONE)
		return;
	module = &loader->modules.items[index];
	frame->module = module->path;
	frame->build_id = module->build_id;
	frame->is_library = module->is_library;
	frame->framework = module->framework;
}

/* Frames come site by site, each site's from depth 0 on without gaps, as many as its depth. */
static void read_frames(struct trace_loader *loader)
{
	struct trace *trace = loader->trace;
	size_t *first = memory_array(trace->site_count, sizeof(*first)), site, i;
	int *depth = memory_array(trace->site_count, sizeof(*depth));
	struct frames_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_frames, "ORDER BY site_id, depth");
	while (rows_next_frames(&rows, &row)) {
		site = trace_find_id(&rows, row.site_id, &loader->site_map, TABLE_call_sites);
		if (site == MAP_NONE)
			break;
		if (depth[site] == 0)
			first[site] = trace->private->frames.count;
		rows_expect(&rows, "depth", row.depth, depth[site], depth[site]);
		depth[site]++;
		add_frame(loader, &rows, &row);
	}
	for (i = 0; i < trace->site_count; i++) {
		if (depth[i] != trace->sites[i].depth)
			database_fail(
				&loader->database, "table frames: site %lld has %d rows, not %d",
				(long long)trace->sites[i].id, depth[i], trace->sites[i].depth);
		trace->sites[i].frames = depth[i] ? &trace->private->frames.items[first[i]] : NULL;
	}
	rows_close(&rows);
	free(first);
	free(depth);
}

static void read_source_files(struct trace_loader *loader)
{
	VECTOR(struct trace_source_file) files = {0};
	struct source_files_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_source_files, "ORDER BY file");
	while (rows_next_source_files(&rows, &row))
		*vector_add(&files) = (struct trace_source_file){
			.file = trace_keep_text(loader, row.file), .hash = row_bits(row.hash)};
	rows_close(&rows);
	vector_move(&files, loader->trace->source_files, loader->trace->source_file_count);
}

/* As read_frames(), but the number of frames is not known from elsewhere. */
static void read_python_frames(struct trace_loader *loader)
{
	struct trace *trace = loader->trace;
	struct trace_private *private = trace->private;
	size_t *first = memory_array(trace->site_count, sizeof(*first)), index, i;
	struct python_frames_row row;
	struct trace_site *site;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_python_frames, "ORDER BY site_id, depth");
	while (rows_next_python_frames(&rows, &row)) {
		index = trace_find_id(&rows, row.site_id, &loader->site_map, TABLE_call_sites);
		if (index == MAP_NONE)
			break;
		site = &trace->sites[index];
		if (site->python_depth == 0)
			first[index] = private->python_frames.count;
		rows_expect(&rows, "depth", row.depth, site->python_depth, site->python_depth);
		site->python_depth++;
		*vector_add(&private->python_frames) = (struct trace_python_frame){
			.file = trace_keep_text(loader, row.file),
			.line = (int)row_or(row.line, 0),
			.function = trace_keep_text(loader, row.function),
			.framework = framework_of_path(row.file),
		};
	}
	for (i = 0; i < trace->site_count; i++)
		if (trace->sites[i].python_depth)
			trace->sites[i].python_frames = &private->python_frames.items[first[i]];
	rows_close(&rows);
	free(first);
}

void trace_read_sites(struct trace_loader *loader)
{
	VECTOR(struct trace_site) sites = {0};
	struct call_sites_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_call_sites, "");
	while (rows_next_call_sites(&rows, &row)) {
		trace_add_id(&rows, &loader->site_map, row.id, sites.count);
		*vector_add(&sites) = (struct trace_site){.id = row.id, .depth = (int)row.depth};
	}
	rows_close(&rows);
	vector_move(&sites, loader->trace->sites, loader->trace->site_count);
	read_frames(loader);
	read_python_frames(loader);
	read_source_files(loader);
}

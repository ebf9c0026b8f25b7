#include "base/parallel.h"
#include "model/model_private.h"

/* Parts made from all operations, independent of each other. */
enum build_part { BUILD_ENGINES, BUILD_INDEX, BUILD_PART_COUNT };

static void build_part(void *context, size_t part)
{
	struct model *model = context;

	if (part == BUILD_INDEX) {
		model_index_build(model);
		return;
	}
	model_note_engines(model);
	model->chains = chains_of_trace(model);
	model->tool_costs = tool_costs_of(model->trace);
	for (int engine = 0; engine < ENGINE_COUNT; engine++)
		model->pinned_copies[engine] = rates_of_pinned(model->trace, (enum engine)engine);
}

void model_build_parts(struct model *model)
{
	model->host = host_record_create(model->trace);
	model->host_chains = host_chains_create(model->host);
	parallel_run(BUILD_PART_COUNT, build_part, model);
}

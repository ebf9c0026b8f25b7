/* Declarations shared by model.c, model/parts.c, model/delays.c and model/lookup.c.
 *
 * model.c calls model_build_parts() last, when all operations and waits are in the model.
 * model_build_parts() then calls model_note_engines() and model_index_build(), each once, on two
 * threads at once. model.c calls model_index_free() when it frees the model. */
#ifndef STREAMTRACE_MODEL_PRIVATE_H
#define STREAMTRACE_MODEL_PRIVATE_H

#include "model/model.h"
#include "model/extents.h"

/* Fills in device_ids, engines and loads. Only for model_build_parts(). */
void model_note_engines(struct model *model);

/* Builds all that is made from all operations: calls model_note_engines() and model_index_build(),
 * and makes the chains, the rates of pinned copies and the costs of the tracer. */
void model_build_parts(struct model *model);

/* Builds model->index, the tables for model_next_of_thread() and other questions, settles results
 * (results.h) and finds thread_groups. Only for model_build_parts(). model_index_free() frees the
 * tables and thread_groups. */
void model_index_build(struct model *model);
void model_index_free(struct model *model);

#endif

/* Declarations shared by model.c, model/parts.c, model/delays.c and model/lookup.c. One thread,
 * while the model is built or freed. */
#ifndef STREAMTRACE_MODEL_PRIVATE_H
#define STREAMTRACE_MODEL_PRIVATE_H

#include "model/model.h"
#include "model/ranges.h"

/* Fills in device_ids, engines and loads. */
void model_note_engines(struct model *model);

/* Builds what is made from all operations: engines, chains, rates and the index. */
void model_build_parts(struct model *model);

/* Builds model->index, the tables for model_next_of_thread() and other questions, settles results
 * (results.h) and finds thread_groups. model_index_free() frees the tables and thread_groups. */
void model_index_build(struct model *model);
void model_index_free(struct model *model);

#endif

/*
 * Kernels whose results the host reads without a copy: they write managed, registered or pinned
 * memory.
 *
 * A kernel with known arguments gives a result where one of them that is not to const points into
 * such memory (accesses.h). A kernel of which they are not known may, in a program that has managed
 * memory, or pinned memory of which no other use is seen: no copy and no kernel's argument points
 * into it. Staging buffers are not such memory, for copies use them; nor is NCCL's own, and its kernels give no
 * results.
 */
#ifndef STREAMTRACE_MODEL_RESULTS_H
#define STREAMTRACE_MODEL_RESULTS_H

#include "model/model.h"

/* Turns MODEL_RESULT_UNSEEN of the operations into one of the others. */
void results_settle(struct model *model);

#endif

/*
 * Finds kernels whose results the host reads without a copy: they write managed, registered or
 * pinned memory. One thread.
 *
 * A kernel with known arguments gives a result if a pointer argument that is not to const points
 * into such memory (accesses.h). A kernel with unknown arguments counts as giving a result if the
 * program allocates managed memory. It also does if the program has a piece of pinned or registered
 * memory into which no copy and no known kernel argument points. Staging buffers are not such
 * memory, because copies use them. NCCL's memory is not, either, and NCCL's kernels give no
 * results.
 */
#ifndef STREAMTRACE_MODEL_RESULTS_H
#define STREAMTRACE_MODEL_RESULTS_H

#include "model/model.h"

/* Changes each operation's MODEL_RESULT_UNSEEN into one of the other values. Called once, while the
 * model is built, after all operations were entered and model->seen was set. */
void results_settle(struct model *model);

#endif

/*
 * Finds kernels whose results the host reads without a copy: they write managed, registered or
 * pinned memory. One thread.
 *
 * A kernel with known arguments gives a result if a pointer argument that is not to const points
 * into such memory (accesses.h). A kernel with unknown arguments may give one in a program with
 * managed memory, or with pinned memory of no other visible use: no copy, and no kernel's argument,
 * points into it. Staging buffers are not such memory, because copies use them; nor is NCCL's, and
 * NCCL's kernels give no results.
 */
#ifndef STREAMTRACE_MODEL_RESULTS_H
#define STREAMTRACE_MODEL_RESULTS_H

#include "model/model.h"

/* Changes each operation's MODEL_RESULT_UNSEEN into one of the other values. */
void results_settle(struct model *model);

#endif

/*
 * What kernels lost to collectives that ran beside them and waited for other ranks.
 *
 * A kernel of NCCL that waits keeps its part of the device, and kernels beside it take longer. If
 * the other ranks came in time, nothing would be lost. A kernel's loss is its time minus the median
 * time of similar kernels that ran without a collective, times the fraction of the overlapping
 * collectives that was waiting. A collective's waiting is its time beyond the shortest similar one
 * on this rank. Without four similar kernels that ran without a collective, nothing counts as lost.
 * Similar kernels have the same name, device and launch size. Takes time linear in operations, but
 * for sorting. Any thread.
 */
#ifndef STREAMTRACE_CROWDING_H
#define STREAMTRACE_CROWDING_H

#include "job/rendezvous.h"

/* The loss of each of trace.operations, in ns: 0 for copies, sets and kernels of collectives, and
 * never more than the kernel's time. The caller frees the array. rendezvous: of the trace. */
int64_t *crowding_find(const struct trace *trace, const struct rendezvous *rendezvous);

#endif

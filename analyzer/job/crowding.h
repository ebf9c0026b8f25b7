/*
 * What kernels lost to collectives beside them that waited for other ranks.
 *
 * A kernel of NCCL that waits keeps its part of the device, and what runs beside it takes longer. Where the other ranks
 * come in time that is over. Of a kernel beside collectives what it takes beyond the median of its like without
 * any, by the share of those collectives' time that was a wait: beyond the shortest of the rank's like ones. Linear
 * in operations but for sorting. One thread.
 */
#ifndef STREAMTRACE_CROWDING_H
#define STREAMTRACE_CROWDING_H

#include "job/rendezvous.h"

/* By index in trace.operations, ns, no more than it took; freed with free(). */
int64_t *crowding_find(const struct trace *trace, const struct rendezvous *rendezvous);

#endif

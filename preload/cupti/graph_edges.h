/* Records the edges of a CUDA graph that was made executable, by asking the driver. On the program's
 * thread, in a callback of CUPTI at the return of the call that instantiated the graph. */
#ifndef STREAMTRACE_GRAPH_EDGES_H
#define STREAMTRACE_GRAPH_EDGES_H

#include <cuda.h>

/* Also the edges inside of its child graphs. All edges of a graph are recorded, once, or, with a loss
 * counted, none or (the ring is full) some. Once there was no room for a graph, no other one is asked for. A driver before CUDA 12.3 cannot be asked: then nothing is recorded. */
void graph_edges_take(CUgraph graph);

/* Call in a forked child: forgets what the parent has recorded. */
void graph_edges_after_fork(void);

#endif

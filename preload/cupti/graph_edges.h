/* Records the edges of a CUDA graph that was made executable, by asking the driver. On the program's
 * thread, in a callback of CUPTI at the return of the call that instantiated the graph. */
#ifndef STREAMTRACE_GRAPH_EDGES_H
#define STREAMTRACE_GRAPH_EDGES_H

#include <cuda.h>

/* Also the edges inside of its child graphs. All edges of a graph are recorded or, with a loss counted,
 * none. A driver before CUDA 12.3 cannot be asked: then nothing is recorded. */
void graph_edges_take(CUgraph graph);

#endif

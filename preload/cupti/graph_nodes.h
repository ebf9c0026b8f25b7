/* Nodes of CUDA graphs, from CUPTI's callbacks. On the program's threads. */
#ifndef STREAMTRACE_GRAPH_NODES_H
#define STREAMTRACE_GRAPH_NODES_H

#include <cupti.h>

#include <stdbool.h>

/* Makes CUPTI report nodes to the subscriber's callback. A CUPTI that cannot reports none. */
void graph_nodes_enable(CUpti_SubscriberHandle subscriber);

/* Whether a callback of the resource domain is one of ours; then it goes to the recorder. On the
 * thread that makes the call. */
bool graph_nodes_take(CUpti_CallbackId cbid, const CUpti_ResourceData *data);

#endif

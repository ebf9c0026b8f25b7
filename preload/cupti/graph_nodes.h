/* Records the nodes of CUDA graphs, from CUPTI's callbacks. On the program's threads. */
#ifndef STREAMTRACE_GRAPH_NODES_H
#define STREAMTRACE_GRAPH_NODES_H

#include <cupti.h>

#include <stdbool.h>

/* Makes CUPTI report nodes to the subscriber's callback. An old CUPTI that cannot do that reports
 * none. */
void graph_nodes_enable(CUpti_SubscriberHandle subscriber);

/* Handles a callback of the resource domain, on its thread. True: the callback was about a node,
 * which was recorded, or counted as an error. False: the callback is about something else. */
bool graph_nodes_take(CUpti_CallbackId cbid, const CUpti_ResourceData *data);

#endif

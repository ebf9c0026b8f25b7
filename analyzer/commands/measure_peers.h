/*
 * What a direct copy between two GPUs of this machine takes, for a trace with copies between devices. As
 * measure.h, of which it is a part. One thread.
 */
#ifndef STREAMTRACE_MEASURE_PEERS_H
#define STREAMTRACE_MEASURE_PEERS_H

#include "trace/trace.h"

/* Adds to the trace's metadata the rate of direct copies (RATES_PEER_KEY) between the two GPUs with the most bytes
 * in copies from one to the other, if it lacks that; with error, in the file, too. *left_ms is what is left to
 * measure with. 0, or -1 with *error as trace_load() gives it when the file could not be written. */
int measure_peers_apply(int64_t *left_ms, struct trace *trace, char **error);

#endif

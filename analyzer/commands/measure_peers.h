/*
 * Measures direct copies between two GPUs of this machine, for a trace with copies between devices. A part of
 * measure.h. One thread.
 */
#ifndef STREAMTRACE_MEASURE_PEERS_H
#define STREAMTRACE_MEASURE_PEERS_H

#include "trace/trace.h"

/* If the trace has no rate of direct copies (RATES_PEER_KEY), adds the rate to its metadata, in bytes a second. The
 * rate is that of the two GPUs with the most bytes copied from one to the other, from the cache or measured. If
 * neither has the rate, nothing is added. *left_ms is the time left for measuring, from which the time taken is
 * subtracted; <= 0: only the cache is read. error not NULL: the rate is also stored in the trace's file. Returns 0,
 * or -1 if the file could not be written: *error then says why in one line, which the caller frees. */
int measure_peers_apply(int64_t *left_ms, struct trace *trace, char **error);

#endif

/* What a trace says of itself while it is being written. */
#ifndef STREAMTRACE_SO_FAR_H
#define STREAMTRACE_SO_FAR_H

struct store;

/* Between commits, in ns: a kill loses at most this, and what CUPTI's buffers have. */
#define TRACE_FLUSH_NS 250000000

/* Traces of up to this many calls also get rows at the end, for the user's own SQL; takes some 10
 * ms. Readers of blocks need no rows. */
#define TRACE_UNPACK_ROWS 8192

/* Stores what was lost since the last call, what recording costs, and the metadata's keys that can change until the
 * end, but for the end itself. Writer thread. */
void so_far_store(struct store *store);

#endif

/* What a trace says of itself while it is being written. */
#ifndef STREAMTRACE_SO_FAR_H
#define STREAMTRACE_SO_FAR_H

struct store;

/* Stores what was lost since the last call, what recording costs, and the metadata's keys that can change until the
 * end, but for the end itself. Writer thread. */
void so_far_store(struct store *store);

#endif

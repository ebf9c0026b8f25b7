/* Stores what was lost as rows of the table losses. Writer thread. */
#ifndef STREAMTRACE_LOSS_ROWS_H
#define STREAMTRACE_LOSS_ROWS_H

#include "base/losses.h"

struct store;

/* Stores a row for each counter above 0, and sets the counters to 0. */
void loss_rows_store(struct store *store);

/* Stores a row for a loss of one thread that the counters (base/losses.h) do not have. count 0:
 * stores none. */
void loss_rows_store_of_thread(struct store *store, enum loss loss, uint64_t count,
			       uint32_t thread_id);

#endif

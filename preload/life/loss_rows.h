/* Stores what was lost as rows of the table losses. Writer thread. */
#ifndef STREAMTRACE_LOSS_ROWS_H
#define STREAMTRACE_LOSS_ROWS_H

#include "base/losses.h"

struct store;

/* Stores a row for each kind counted since the last call. */
void loss_rows_store(struct store *store);

/* Stores a row for a loss of one thread that is not in the counters; none if count is 0. */
void loss_rows_store_of_thread(struct store *store, enum loss loss, uint64_t count,
			       uint32_t thread_id);

#endif

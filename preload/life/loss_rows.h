/* What was lost, as rows of losses. Writer thread. */
#ifndef STREAMTRACE_LOSS_ROWS_H
#define STREAMTRACE_LOSS_ROWS_H

#include "base/losses.h"

struct store;

/* A row for each kind that was counted since the last time. */
void loss_rows_store(struct store *store);

/* A row for what one thread lost, which is not in the counts; none for a count of 0. */
void loss_rows_store_of_thread(struct store *store, enum loss loss, uint64_t count,
			       uint32_t thread_id);

#endif

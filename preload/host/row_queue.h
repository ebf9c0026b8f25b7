/* The looker's finished rows, on their way to the writer thread: a queue with one thread at each end. */
#ifndef STREAMTRACE_HOST_ROW_QUEUE_H
#define STREAMTRACE_HOST_ROW_QUEUE_H

#include "host/watched.h"
#include "store/store.h"

/* Puts the thread's row into the queue, as one that ended then, and clears it; counts a loss if the
 * queue is full. The looker only. */
void row_queue_push(struct watched *thread, int64_t end_ns);

/* How many rows were pushed so far. Any thread. */
uint64_t row_queue_pushed(void);

/* Stores all rows of the queue. Writer thread. */
void row_queue_store(struct store *store);

/* Call in a forked child. */
void row_queue_after_fork(void);

#endif

/* The looker's finished rows, on their way to the writer thread: a queue with one thread at each end. */
#ifndef STREAMTRACE_HOST_ROW_QUEUE_H
#define STREAMTRACE_HOST_ROW_QUEUE_H

#include "host/watched.h"
#include "store/store.h"

/* A row on its way to the file. */
struct host_row {
	struct host_states_row row; /* without site_id and object_id */
	struct atom *site;	    /* NULL: not known */
	const char *name;	    /* of the object; NULL: it has none. Valid during the call */
};

/* Puts the thread's row into the queue, as one that ended then, and clears it; counts a loss if the
 * queue is full. The looker only. */
void row_queue_push(struct watched *thread, int64_t end_ns);

/* How many rows were pushed so far. Any thread. */
uint64_t row_queue_pushed(void);

/* Calls take() for each row of the queue, and empties it. Writer thread. */
void row_queue_take(void (*take)(struct store *store, const struct host_row *row),
		    struct store *store);

/* Stores the row. Writer thread. */
void row_queue_store_row(struct store *store, const struct host_row *row);

/* Stores all rows of the queue. Writer thread. */
void row_queue_store(struct store *store);

/* Call in a forked child. */
void row_queue_after_fork(void);

#endif

/* The ended watches as rows: first_uses and copy_watches. */
#ifndef STREAMTRACE_FIRST_USE_WATCH_ROWS_H
#define STREAMTRACE_FIRST_USE_WATCH_ROWS_H

struct store;

/* Stores the ended watches, and frees their places in the table. Writer thread. */
void first_use_store_ended(struct store *store);

#endif

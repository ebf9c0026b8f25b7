/*
 * What was lost, counted by kind until the writer makes rows of it: losses of schema.sql.
 *
 * losses_count() is for any thread, without a lock; the rest is the writer thread's.
 */
#ifndef STREAMTRACE_LOSSES_H
#define STREAMTRACE_LOSSES_H

#include "facts/facts.h"
#include "store/store.h"

#include <stdint.h>

/* Adds to what was lost since losses_store(). */
void losses_count(enum loss loss, uint64_t count);

/* A row for each kind that has a count by now; the counts begin anew. */
void losses_store(struct store *store);

/* A row at once, where it is known which thread lost it; none for a count of 0. */
void losses_store_of_thread(struct store *store, enum loss loss, uint64_t count,
			    uint32_t thread_id);

/* losses.kind of schema.sql; static. */
const char *losses_name(enum loss loss);

/* In a forked child: the counts are the parent's. */
void losses_after_fork(void);

#endif

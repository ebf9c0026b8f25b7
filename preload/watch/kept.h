/*
 * What the watch mode keeps in memory: the last calls and other records of all threads, as packed blocks, and the last
 * rows of host_states. Memory of fixed size, of which only as much is touched as was ever in use; the oldest goes first.
 *
 *	kept_add_block(packed, thread_id);
 *	kept_add_row(row);
 *	...
 *	kept_take_all(take_block, take_row, store);     // empties it
 *
 * Atoms that blocks and rows refer to live as long as the process. Writer thread only.
 */
#ifndef STREAMTRACE_WATCH_KEPT_H
#define STREAMTRACE_WATCH_KEPT_H

#include "host/row_queue.h"
#include "recorder/pack.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct store;

/* Call once, before all others. bytes: 1 MB or more. False: no memory. */
bool kept_begin(size_t bytes);

/* Each copies its argument. A block that is larger than an eighth of the memory is not kept. */
void kept_add_block(const struct packed *packed, uint32_t thread_id);
void kept_add_row(const struct host_row *row);

/* Everything that began later is there, of CLOCK_REALTIME; 0: all since the start. */
int64_t kept_since_ns(void);

/* Everything up to then was stored elsewhere. */
void kept_begin_again(int64_t now_ns);

/* How much is in use. */
size_t kept_bytes(void);

/* Calls the functions for all that is kept, from the oldest on, and empties the memory. What they are given is valid
 * during the call. */
void kept_take_all(void (*take_block)(struct store *store, const struct packed *packed,
				      uint32_t thread_id),
		   void (*take_row)(struct store *store, const struct host_row *row),
		   struct store *store);

/* Call in a forked child: the memory is empty, and kept_begin() may be called again. */
void kept_after_fork(void);

#endif

/* Moves the records of all rings into the store, as blocks. Writer thread. */
#ifndef STREAMTRACE_DRAIN_H
#define STREAMTRACE_DRAIN_H

#include <stdbool.h>
#include <stdint.h>

struct packed;
struct record;
struct store;

struct drain_rules {
	/* Returns true if it is too late to store: records are then only counted as lost. */
	bool (*is_late)(void);
	/* Called after each ring; should commit. Many full rings take long, and rings already
	 * stored must survive a kill or a short exit. */
	void (*after_ring)(void);
	/* Each may be NULL. see: called for each record of another kind than a call, and for each call that was not
	 * packed by its thread. take: called for each block of calls and other records; true: it is not to be
	 * stored. With take the store may be NULL, as long as that is what it returns. */
	void (*see)(const struct record *record, uint32_t thread_id);
	bool (*take)(const struct packed *packed, uint32_t thread_id);
	/* True: take all records. False: leave a ring with fewer than 1,024 records until it has
	 * more, so that blocks do not get small. */
	bool takes_all;
};

/* Stores the records of all rings, at most some 65,536 of each, and rows for what was lost in them.
 * Frees empty rings of ended threads. False: a ring that was read still has records. */
bool drain_all(struct store *store, const struct drain_rules *rules);

/* Repeats drain_all() until no ring has records. The recorder must be off. Waits for threads that
 * are still packing their full segment themselves (recorder/ring.h), half a second at most without
 * progress. */
void drain_to_the_end(struct store *store, const struct drain_rules *rules);

/* Stores a block that take() has kept. */
void drain_store_block(struct store *store, const struct packed *packed, uint32_t thread_id);

/* Stores the processor times, so far, of the threads that have not ended. */
void drain_thread_times(struct store *store);

/* Call in a forked child: forgets the records that the parent's writer had packed into a block
 * and not stored yet. */
void drain_after_fork(void);

#endif

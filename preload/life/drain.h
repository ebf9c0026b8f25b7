/* Moves the records of all rings into the store, as blocks. Writer thread. */
#ifndef STREAMTRACE_DRAIN_H
#define STREAMTRACE_DRAIN_H

#include <stdbool.h>

struct store;

struct drain_rules {
	/* Returns true from when on records are only counted, not stored. */
	bool (*is_late)(void);
	/* Called after each ring. Many full rings take long, and what is done must survive a kill
	 * and a short exit; commit here. */
	void (*after_ring)(void);
	/* True: also take few records of a ring. False: leave them until there are more, so that
	 * blocks do not get small. */
	bool takes_all;
};

/* Stores what all rings hold, at most some 65,536 records of each, and counts what was lost in
 * them. Frees empty rings of ended threads. False: there is more. */
bool drain_all(struct store *store, const struct drain_rules *rules);

/* Repeats drain_all() until nothing is left. The recorder must be off. */
void drain_to_the_end(struct store *store, const struct drain_rules *rules);

/* Stores the times of threads that have not ended. */
void drain_thread_times(struct store *store);

/* Call in a forked child: the parent's writer may have been packing. */
void drain_after_fork(void);

#endif

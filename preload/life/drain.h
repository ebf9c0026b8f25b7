/* The records of the rings, as blocks. Writer thread. */
#ifndef STREAMTRACE_DRAIN_H
#define STREAMTRACE_DRAIN_H

#include <stdbool.h>

struct store;

struct drain_rules {
	/* Once it says so, records are counted, not stored. */
	bool (*is_late)(void);
	/* Many full rings take long: what is done of them is to survive a kill, and an exit that does
	 * not wait so long. */
	void (*after_ring)(void);
	/* Also a few records of a ring; else they wait until there are more, so that blocks are not
	 * small. */
	bool takes_all;
};

/* Stores what all rings have, of each some 65,536 records at most, and what was lost in them; the empty
 * ring of a thread that has ended is free from then on. False: there is more. */
bool drain_all(struct store *store, const struct drain_rules *rules);

/* The same until there is nothing left, when the recorder is off. */
void drain_to_the_end(struct store *store, const struct drain_rules *rules);

/* Of the threads that have not ended. */
void drain_thread_times(struct store *store);

/* In a forked child: the parent's writer may have been packing. */
void drain_after_fork(void);

#endif

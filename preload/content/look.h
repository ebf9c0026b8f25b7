/*
 * The bytes of a copy between host and device, and what was copied last from and to its place (content.h says how
 * much of them is hashed, and when).
 *
 * On the program's threads, while a record is filled in; of any thread.
 */
#ifndef STREAMTRACE_LOOK_H
#define STREAMTRACE_LOOK_H

#include <stdbool.h>
#include <stdint.h>

/* A copy between the host's memory and the device's. */
struct content_copy {
	uint64_t host, device, bytes;
	int64_t now_ns; /* about */
};

/* What is known of a copy that was looked at: record->numbers; 0: left out. awaited: of one to the device the
 * same of the copy to the host that had brought what it sends back, where that has no numbers itself. */
struct content_looked {
	uint32_t numbers, awaited;
};

/* Constructor. */
void content_look_initialize(void);

/* The copy's end on the host is read; false: that is not the host's own memory. is_fetched: it is one to the host,
 * and done. */
bool content_look(const struct content_copy *copy, bool is_fetched, struct content_looked *looked);

/* The slot of the copy's place is of one to the host that is under way, and of one that is done. */
void content_begin_fetch(const struct content_copy *copy);
void content_fetched(const struct content_copy *copy);

#endif

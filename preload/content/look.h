/*
 * Hashes the host bytes of a copy, and remembers for each place what was last copied to and from it
 * (content.h tells how much is hashed, and when).
 *
 * Runs on the program's threads, while a record is filled in. All threads share what is remembered.
 */
#ifndef STREAMTRACE_LOOK_H
#define STREAMTRACE_LOOK_H

#include <stdbool.h>
#include <stdint.h>

/* A copy between host memory at `host` and device memory at `device`; addresses. */
struct content_copy {
	uint64_t host, device, bytes;
	int64_t now_ns; /* current time, roughly */
};

/* The result. numbers: for record->numbers; 0: not hashed. awaited: for a copy to the device of
 * what an awaited copy (awaited.h) has brought, the numbers of that copy; otherwise 0. */
struct content_looked {
	uint32_t numbers, awaited;
};

/* Call once, in the constructor. */
void content_look_initialize(void);

/* Reads and hashes the copy's host bytes. is_fetched: the copy goes to the host, and is done.
 * False: `host` is no ordinary host memory. *looked is zero then, and also for a copy that is left
 * out (content.h). */
bool content_look(const struct content_copy *copy, bool is_fetched, struct content_looked *looked);

/* For an awaited copy to the host: call content_begin_fetch() when the copy is enqueued, and
 * content_fetched(), which hashes its bytes, when the copy is done. */
void content_begin_fetch(const struct content_copy *copy);
void content_fetched(const struct content_copy *copy);

#endif

/*
 * The watch mode (STREAMTRACE_MODE=watch): the program runs without CUPTI and without a file; its last calls are kept in
 * memory. Where a step is slow, a call does not return, or somebody asks, there is a cause for an incident: a file of
 * what is kept, and of the next steps with CUPTI. life/watching.c writes it; this room says when and about what.
 *
 *	kept.h         the last calls and host states, in memory of fixed size
 *	steps.h        the program's steps; usual.h says which are slow, call_period.h finds those that are not told
 *	stuck.h        calls that do not return
 *	bounds.h       how many incidents may be written
 *	page_file.h    what is told of the program meanwhile
 *	incident.h     the rows about an incident
 *
 * All on the writer thread. Nothing here prints, or fails for the program.
 */
#ifndef STREAMTRACE_WATCH_H
#define STREAMTRACE_WATCH_H

#include "facts/watch_page.h"
#include "recorder/pack.h"
#include "recorder/record.h"
#include "watch/stuck.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct watch_cause {
	const char *word;			/* incidents.cause of schema.sql */
	int64_t noticed_ns;			/* of CLOCK_REALTIME */
	int64_t step, median_ns, normal_before; /* STORE_NULL: not known */
	struct stuck_call call;			/* of a hang; else function is -1 */
};

/* Call once, when the first record is there. output: the output's path. False: nothing can be watched, as
 * error[size] says. */
bool watch_begin(const char *output, char *error, size_t size);

/* Sees a record (drain.h): steps are told by some of them. */
void watch_see(const struct record *record, uint32_t thread_id);

/* Counts a block before it is kept or stored. */
void watch_count(const struct packed *packed);

/* The clock was set: the running step is not judged. */
void watch_clock_was_set(void);

/* Looks for triggers, signals and calls that do not return, and writes the page; call often, it does so twice a
 * second. seen_ns: up to when records have been seen; a later pause may be of a step that has not. */
void watch_look(int64_t seen_ns);

/* Takes the oldest cause that was found. False: there is none. */
bool watch_take_cause(struct watch_cause *cause);

/* For the page: the state; an incident is being written, of which path is the file's; so many bytes were written; an
 * incident was left out for this reason, or all watching has ended (state WATCH_STOPPED). */
void watch_tell_state(enum watch_state state);
void watch_tell_incident(const char *path, const struct watch_cause *cause);
void watch_tell_bytes(int64_t bytes);
void watch_tell_left_out(const char *why);
void watch_tell_error(const char *why);

/* Writes the page now. */
void watch_tell(void);

/* Call in a forked child: nothing is watched there yet. */
void watch_after_fork(void);

#endif

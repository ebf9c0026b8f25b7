/*
 * The writer in watch mode (watch/watch.h): it keeps what it takes from the rings in memory; where there is a cause, it
 * writes that and the program's next steps with CUPTI into a file of its own, an incident, and goes on watching.
 *
 * CUPTI stays on until STREAMTRACE_WATCH_STEPS steps have ended (30 s at most; 2 s where no steps are known, or a call
 * does not return). Operations that were enqueued by then have 0.3 s more. All on the writer thread.
 */
#ifndef STREAMTRACE_WATCHING_H
#define STREAMTRACE_WATCHING_H

#include <stdbool.h>
#include <stddef.h>

struct watching_hooks {
	bool (*is_late)(void);		  /* as of struct drain_rules */
	void (*has_device_records)(void); /* as of struct cupti_flush */
};

/* Begins to watch. output: the output's path. False: it cannot, as error[size] says. */
bool watching_begin(const char *output, const struct watching_hooks *hooks, char *error,
		    size_t size);

/* Reads the rings, and does what is due. True: they are empty. */
bool watching_turn(void);

/* Ends the incident that is being written, if there is one, and removes the page, which the next turn makes again.
 * end: value of the metadata key. */
void watching_break(const char *end);

/* Ends the watch. The recorder must be off. is_alone: as of host_end(). */
void watching_end(const char *end, bool is_alone);

/* Call in a forked child. */
void watching_after_fork(void);

#endif

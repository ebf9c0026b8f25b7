/*
 * Starting a program with libstrace.so preloaded, and waiting for its end. One thread.
 */
#ifndef STREAMTRACE_LAUNCH_H
#define STREAMTRACE_LAUNCH_H

#include "commands/signals.h"

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

#define RUN_NAME_BYTES 128

/* What the program is started with. */
struct launch {
	const char *libraries; /* for LD_PRELOAD; NULL: none */
	bool is_for_asan;      /* AddressSanitizer is told that others may come before it */
	const char *output;
	const char *first_use;	  /* STREAMTRACE_FIRST_USE, or NULL */
	char run[RUN_NAME_BYTES]; /* STREAMTRACE_RUN */
	struct timespec since;	  /* traces begun before are of another run */
};

/* The libraries to preload, malloc'ed; NULL: one is missing, which was printed. */
char *launch_find_libraries(bool is_first_use);

/* libstrace.so alone, malloc'ed; NULL: it is missing, or LD_PRELOAD cannot name it. */
char *launch_find_library_quietly(void);

/* Starts the program. Its process id, or -1 with errno as exec left it. signals: taken. */
pid_t launch_start(char **argv, const struct launch *launch, struct signals *signals);

/* A shell's exit status for what became of the child. *is_asked: it was asked to end, and so are we: what
 * is left to do is to be done soon, and the signals stay taken. */
int launch_wait(pid_t child, const struct signals *signals, bool *is_asked);

#endif

/*
 * Starts a program with libstrace.so preloaded, and waits for its end. One thread.
 */
#ifndef STREAMTRACE_LAUNCH_H
#define STREAMTRACE_LAUNCH_H

#include "commands/signals.h"

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

#define RUN_NAME_BYTES 128

/* What the program is started with. The pointers must stay valid during launch_start(). */
struct launch {
	const char *libraries; /* added to LD_PRELOAD; NULL: none */
	bool is_for_asan;      /* let AddressSanitizer's runtime accept libraries before itself */
	const char *output;    /* STREAMTRACE_OUTPUT */
	const char *first_use; /* STREAMTRACE_FIRST_USE, or NULL */
	char run[RUN_NAME_BYTES]; /* STREAMTRACE_RUN */
	struct timespec
		since; /* when the run began, CLOCK_REALTIME_COARSE: older traces are of other runs */
};

/* The libraries to preload, separated by colons; the caller frees the text. is_first_use: libstrace_touch.so, too.
 * NULL: one is missing, which was printed. */
char *launch_find_libraries(bool is_first_use);

/* The path of libstrace.so, which the caller frees. NULL: it is missing, or LD_PRELOAD cannot name it; nothing is
 * printed. */
char *launch_find_library_quietly(void);

/* Starts the program argv[0] and returns its process id; the signals are taken (signals.h). -1: it could not be
 * started, errno says why, and the signals are given back. */
pid_t launch_start(char **argv, const struct launch *launch, struct signals *signals);

/* Waits for the child, and returns the exit status that a shell has for it: 128 + N after signal N. *is_asked: a
 * signal asked both for the end. The caller should finish soon then, and the signals stay taken; else they are given
 * back. */
int launch_wait(pid_t child, const struct signals *signals, bool *is_asked);

#endif

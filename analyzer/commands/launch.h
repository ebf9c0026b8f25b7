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

/* Where the program's output goes. */
enum launch_output {
	LAUNCH_SHOWN,	  /* where this process's output goes */
	LAUNCH_ON_ERRORS, /* standard output, too, goes to standard error */
	LAUNCH_DISCARDED, /* nowhere; and where standard input is no file, it is empty */
};

/* What the program is started with. The pointers must stay valid during launch_start(). */
struct launch {
	const char *libraries; /* put before the value of LD_PRELOAD; NULL: none */
	bool is_for_asan;      /* let AddressSanitizer's runtime accept libraries before itself */
	const char *output;    /* value of STREAMTRACE_OUTPUT */
	const char *first_use; /* value of STREAMTRACE_FIRST_USE; NULL: do not set it */
	const char *races;     /* value of STREAMTRACE_RACES; NULL: do not set it */
	const char *mode;      /* value of STREAMTRACE_MODE; NULL: do not set it */
	const char *steps,
		*step; /* values of STREAMTRACE_STEPS and STREAMTRACE_STEP; NULL: do not set it */
	const char *tell;  /* value of STREAMTRACE_TELL; NULL: do not set it */
	const char *trial; /* value of STREAMTRACE_TRY; NULL: do not set it */
	const char *const
		*more; /* other variables: name and value in turn, then NULL; NULL: none */
	enum launch_output output_to;
	int64_t limit_ms; /* how long it may take: then it is killed with its process group, and what it leaves of
			   * that is killed in the end. It has a session of its own, without a terminal; 0: no
			   * limit */
	char run[RUN_NAME_BYTES]; /* value of STREAMTRACE_RUN */
	struct timespec
		since; /* when the run began, CLOCK_REALTIME_COARSE: older traces are of other runs */
};

/* Returns the paths of the libraries to preload, separated by colons: libstrace.so, and with has_touch
 * libstrace_touch.so. The caller frees the text. NULL: a library is missing, or LD_PRELOAD cannot name it; the
 * reason was printed. */
char *launch_find_libraries(bool has_touch);

/* Returns the path of libstrace.so, which the caller frees. NULL: the library is missing, or LD_PRELOAD cannot name
 * it; nothing is printed. */
char *launch_find_library_quietly(void);

/* Like launch_find_libraries(), with libstrace_try.so first. */
char *launch_find_trial_libraries(bool has_touch);

/* Starts the program argv[0], searched as execvp() does, and returns its process id. Calls signals_take(signals).
 * -1: the program could not be started. errno then says why, and the signals are as before. Nothing is printed. */
pid_t launch_start(char **argv, const struct launch *launch, struct signals *signals);

/* Waits for the child of launch_start(), and returns the exit status that a shell gives it: 128 + N after signal N.
 * If news->is_asked, the signals stay taken, and the caller should end soon; else the function calls
 * signals_give_back(). */
int launch_wait(pid_t child, const struct launch *launch, const struct signals *signals,
		struct signals_news *news);

#endif

/*
 * The signals of `streamtrace run` while the program runs: a signal that stops or ends one of the two is meant
 * for both. One thread.
 *
 * A signal that a process sends to this one is sent on to the program: HUP, INT, QUIT, TERM, USR1, USR2, CONT,
 * TSTP and the real-time signals. Three kinds are not sent on: a signal that this process was started to ignore, a
 * signal that the program itself sent, and a signal of the terminal, which the program gets from the terminal.
 * This process ends after the program.
 */
#ifndef STREAMTRACE_SIGNALS_H
#define STREAMTRACE_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The signals that are taken, and how they were before signals_take(). */
struct signals {
	sigset_t taken, mask_before;
	struct sigaction child_before; /* of SIGCHLD */
};

/* Sets *signals and blocks the signals: they stay pending until signals_wait(). Call before the fork. Calls may nest: each
 * sets *signals to how they were before the first one. */
void signals_take(struct signals *signals);

/* Undoes signals_take(), or the outermost of nested calls. Call in the parent as soon as a signal may end the parent
 * again. */
void signals_give_back(const struct signals *signals);

/* Makes the signals in the child what they were, before exec. */
void signals_leave(const struct signals *signals);

/* What came while the child ran. */
struct signals_news {
	bool is_asked; /* HUP, INT, QUIT or TERM came to this process */
	bool is_late;  /* the child did not end in time, and was killed */
};

/* Sends signals on until the child has ended, and returns the child's status as waitpid() gives it. Call between
 * signals_take() and signals_give_back().
 * limit_ms: 0: no limit. Else the child leads a session of its own: signals of the terminal are sent on to its process
 * group, too, and after so many ms, or when the child has ended, all of that is killed. */
int signals_wait(const struct signals *signals, pid_t child, int64_t limit_ms,
		 struct signals_news *news);

#endif

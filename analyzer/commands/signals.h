/*
 * The signals of `streamtrace run` while the program runs: a signal that stops or ends one of the two is meant
 * for both. One thread.
 *
 * A signal that a process sends to this one is sent on to the program: HUP, INT, QUIT, TERM, USR1, USR2, CONT,
 * TSTP and the real-time ones. It is not, if this process was started with the signal ignored, or if the
 * program itself sent it. A signal of the terminal is not sent on: the terminal sends it to the program, too.
 * This process ends after the program.
 */
#ifndef STREAMTRACE_SIGNALS_H
#define STREAMTRACE_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* How the signals were before signals_take(). */
struct signals {
	sigset_t taken, mask_before;
	struct sigaction child_before; /* of SIGCHLD */
};

/* Blocks the signals, which wait for signals_wait() from now on. Call before the fork. */
void signals_take(struct signals *signals);

/* Undoes signals_take(). Call in the child before exec, and in the parent when a signal may end it again. */
void signals_give_back(const struct signals *signals);

/* Sends signals on until the child has ended, and returns its status as waitpid() gives it. *is_asked: HUP, INT,
 * QUIT or TERM asked for the end. */
int signals_wait(const struct signals *signals, pid_t child, bool *is_asked);

#endif

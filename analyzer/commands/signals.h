/*
 * The signals of `streamtrace run` while the program runs: who stops or ends one of the two means
 * both. One thread.
 *
 * What a process sends to this one goes on to the program: HUP, INT, QUIT, TERM, USR1, USR2, CONT,
 * TSTP and the real-time ones, unless this process was started with the signal ignored, or the program
 * sent it. What the terminal sends, the program has got itself. This process ends after the program.
 */
#ifndef STREAMTRACE_SIGNALS_H
#define STREAMTRACE_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct signals {
	sigset_t taken, mask_before;
	struct sigaction child_before; /* of SIGCHLD */
};

/* Before the fork: from now on they wait for signals_wait(). */
void signals_take(struct signals *signals);

/* In the child before exec, and in the parent when it may be ended: as it was. */
void signals_give_back(const struct signals *signals);

/* Passes signals on until the child has ended. Its status as waitpid() gives it; *is_asked: somebody
 * asked for the end, and waits for it. */
int signals_wait(const struct signals *signals, pid_t child, bool *is_asked);

#endif

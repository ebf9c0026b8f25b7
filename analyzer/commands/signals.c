#include "commands/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

static void take_signal(struct signals *signals, int number)
{
	struct sigaction action;

	if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_IGN)
		sigaddset(&signals->taken, number);
}

void signals_take(struct signals *signals)
{
	static const int numbers[] = {SIGHUP,  SIGINT,	SIGQUIT, SIGTERM,
				      SIGUSR1, SIGUSR2, SIGCONT, SIGTSTP};
	const struct sigaction standard = {.sa_handler = SIG_DFL};

	sigemptyset(&signals->taken);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		take_signal(signals, numbers[i]);
	for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
		take_signal(signals, number);
	/* Ignored, it would take the child's status with it. */
	sigaction(SIGCHLD, &standard, &signals->child_before);
	sigaddset(&signals->taken, SIGCHLD);
	sigprocmask(SIG_BLOCK, &signals->taken, &signals->mask_before);
}

void signals_give_back(const struct signals *signals)
{
	sigaction(SIGCHLD, &signals->child_before, NULL);
	sigprocmask(SIG_SETMASK, &signals->mask_before, NULL);
}

/* As the shell expects it of its job. What continues this process continues the program. */
static void stop_with_child(int number, pid_t child)
{
	sigset_t only;

	sigemptyset(&only);
	sigaddset(&only, number);
	raise(number);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
	sigprocmask(SIG_BLOCK, &only, NULL);
	kill(child, SIGCONT);
}

/* Whether a shell waits for this job, and would for ever if only the program stopped. */
static bool is_in_foreground(void)
{
	int terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	bool is_foreground = terminal >= 0 && tcgetpgrp(terminal) == getpgrp();

	if (terminal >= 0)
		close(terminal);
	return is_foreground;
}

/* True: the child has ended with *status. */
static bool look_after(pid_t child, int *status)
{
	pid_t changed;

	while ((changed = waitpid(child, status, WNOHANG | WUNTRACED)) == child) {
		if (!WIFSTOPPED(*status))
			return true;
		if (is_in_foreground())
			stop_with_child(SIGSTOP, child);
	}
	if (changed < 0 && errno != EINTR)
		*status = 126 << 8;
	return changed < 0 && errno != EINTR;
}

static bool means_the_end(int number)
{
	return number == SIGHUP || number == SIGINT || number == SIGQUIT || number == SIGTERM;
}

/* Positive codes are the kernel's: the terminal's signals go to the program, too. */
static void pass_on(const siginfo_t *info, pid_t child)
{
	if (info->si_code == SI_QUEUE)
		sigqueue(child, info->si_signo, info->si_value);
	else if (info->si_code <= 0)
		kill(child, info->si_signo);
}

int signals_wait(const struct signals *signals, pid_t child, bool *is_asked)
{
	siginfo_t info;
	int status;

	*is_asked = false;
	for (;;) {
		if (sigwaitinfo(&signals->taken, &info) < 0)
			continue;
		if (info.si_signo == SIGCHLD) {
			if (look_after(child, &status))
				return status;
			continue;
		}
		if (info.si_code <= 0 && info.si_pid == child)
			continue;
		*is_asked |= means_the_end(info.si_signo);
		pass_on(&info, child);
		if (info.si_signo == SIGTSTP)
			stop_with_child(SIGTSTP, child);
	}
}

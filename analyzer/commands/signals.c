#include "commands/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* signals_take() without signals_give_back(). */
static int takers;

static void take_signal(struct signals *signals, int number)
{
	struct sigaction action;

	if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_IGN)
		sigaddset(&signals->taken, number);
}

static void take_signals(struct signals *signals)
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

void signals_take(struct signals *signals)
{
	static struct signals first;

	if (!takers++)
		take_signals(&first);
	*signals = first;
}

void signals_leave(const struct signals *signals)
{
	sigaction(SIGCHLD, &signals->child_before, NULL);
	sigprocmask(SIG_SETMASK, &signals->mask_before, NULL);
}

void signals_give_back(const struct signals *signals)
{
	if (!--takers)
		signals_leave(signals);
}

/* As the shell expects it of its job. What continues this process continues the program. */
static void stop_with(pid_t receiver, int number)
{
	sigset_t only;

	sigemptyset(&only);
	sigaddset(&only, number);
	raise(number);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
	sigprocmask(SIG_BLOCK, &only, NULL);
	kill(receiver, SIGCONT);
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

/* What the child leaves of its process group once it has ended. Its id stays the group's until it is waited for. */
static void end_group(pid_t child)
{
	siginfo_t ended = {0};

	if (!waitid(P_PID, (id_t)child, &ended, WEXITED | WNOHANG | WNOWAIT) && ended.si_pid)
		kill(-child, SIGKILL);
}

/* True: the child has ended with *status. */
static bool look_after(pid_t child, pid_t receiver, int *status)
{
	pid_t changed;

	if (receiver != child)
		end_group(child);
	while ((changed = waitpid(child, status, WNOHANG | WUNTRACED)) == child) {
		if (!WIFSTOPPED(*status))
			return true;
		if (is_in_foreground())
			stop_with(receiver, SIGSTOP);
	}
	if (changed < 0 && errno != EINTR)
		*status = 126 << 8;
	return changed < 0 && errno != EINTR;
}

static bool means_the_end(int number)
{
	return number == SIGHUP || number == SIGINT || number == SIGQUIT || number == SIGTERM;
}

static void send_signal(const siginfo_t *info, pid_t receiver)
{
	if (info->si_code == SI_QUEUE && receiver > 0)
		sigqueue(receiver, info->si_signo, info->si_value);
	else
		kill(receiver, info->si_signo);
}

/* Positive codes are the kernel's: the terminal's signals go to the program, too, unless it has a session of its own. In
 * that TSTP does nothing. */
static void pass_on(const siginfo_t *info, pid_t receiver)
{
	if (receiver < 0 && info->si_signo == SIGTSTP)
		kill(receiver, SIGSTOP);
	else if (receiver < 0 || info->si_code <= 0)
		send_signal(info, receiver);
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The next signal that is taken; false: none came by until_ms, or for no reason. until_ms 0: waits for ever. */
static bool next_signal(const struct signals *signals, int64_t until_ms, siginfo_t *info)
{
	const int64_t left_ms = until_ms - now_ms();
	const struct timespec left = {.tv_sec = left_ms > 0 ? left_ms / 1000 : 0,
				      .tv_nsec = left_ms > 0 ? left_ms % 1000 * 1000000 : 0};

	return until_ms ? sigtimedwait(&signals->taken, info, &left) >= 0
			: sigwaitinfo(&signals->taken, info) >= 0;
}

int signals_wait(const struct signals *signals, pid_t child, int64_t limit_ms,
		 struct signals_news *news)
{
	/* As kill() takes it. */
	const pid_t receiver = limit_ms ? -child : child;
	int64_t until_ms = limit_ms ? now_ms() + limit_ms : 0;
	int64_t since_ms;
	siginfo_t info;
	int status;

	*news = (struct signals_news){0};
	for (;;) {
		if (!next_signal(signals, until_ms, &info)) {
			if (until_ms && now_ms() >= until_ms) {
				kill(receiver, SIGKILL);
				news->is_late = true;
				until_ms = 0;
			}
			continue;
		}
		since_ms = now_ms();
		if (info.si_signo == SIGCHLD) {
			if (look_after(child, receiver, &status))
				return status;
		} else if (info.si_code > 0 || info.si_pid != child) {
			news->is_asked |= means_the_end(info.si_signo);
			pass_on(&info, receiver);
			if (info.si_signo == SIGTSTP)
				stop_with(receiver, SIGTSTP);
		}
		/* The time in which both were stopped is none of the child's. */
		if (until_ms)
			until_ms += now_ms() - since_ms;
	}
}

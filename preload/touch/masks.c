/*
 * Signal masks. A thread that blocks SIGSEGV is killed by a fault, so the signal is never really
 * blocked: what the program asked for is remembered for each thread, and returned when it asks for
 * its mask.
 */
#include "touch/touch.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <unistd.h>

FIND_REAL(pthread_sigmask)
FIND_REAL(sigprocmask)

const struct first_use_watches *_Atomic touch_watches;

__thread bool touch_faults_are_blocked;

static _Atomic pid_t owner;

void touch_own(void)
{
	atomic_store(&owner, getpid());
}

bool touch_is_ours(void)
{
	return atomic_load_explicit(&touch_watches, memory_order_relaxed) &&
	       atomic_load(&owner) == getpid();
}

void touch_block_faults(const char *reason)
{
	sigset_t faults;

	atomic_load(&touch_watches)->stop(reason);
	sigemptyset(&faults);
	sigaddset(&faults, SIGSEGV);
	REAL(pthread_sigmask)(SIG_BLOCK, &faults, NULL);
}

/* The set without SIGSEGV; notes whether the thread now believes it is blocked. */
static const sigset_t *leave_faults(int how, const sigset_t *set, sigset_t *changed)
{
	if (!set)
		return NULL;
	*changed = *set;
	if (how == SIG_SETMASK)
		touch_faults_are_blocked = sigismember(set, SIGSEGV);
	else if (sigismember(set, SIGSEGV))
		touch_faults_are_blocked = how == SIG_BLOCK;
	if (how != SIG_UNBLOCK)
		sigdelset(changed, SIGSEGV);
	return changed;
}

/* change: pthread_sigmask() or sigprocmask(). In a vforked child it is passed on unchanged. */
static int change_mask(__typeof__(&sigprocmask) change, int how, const sigset_t *set, sigset_t *old)
{
	bool was_blocked = touch_faults_are_blocked;
	sigset_t changed;
	int result;

	if (!touch_is_ours())
		return change(how, set, old);
	result = change(how, leave_faults(how, set, &changed), old);
	if (result)
		touch_faults_are_blocked = was_blocked;
	else if (old && was_blocked)
		sigaddset(old, SIGSEGV);
	return result;
}

EXPORT int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
	return change_mask(REAL(pthread_sigmask), how, set, old);
}

EXPORT int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
	return change_mask(REAL(sigprocmask), how, set, old);
}

/* For one signal. libc's go past ours. */
static int change_one(int how, int number)
{
	sigset_t set;

	sigemptyset(&set);
	if (sigaddset(&set, number))
		return -1;
	return sigprocmask(how, &set, NULL);
}

EXPORT int sighold(int number)
{
	return change_one(SIG_BLOCK, number);
}

EXPORT int sigrelse(int number)
{
	return change_one(SIG_UNBLOCK, number);
}

/* Calls that wait with a mask of their own: handlers of other signals run with it. */
#define WAIT(result, name, params, args, mask)                                                     \
	FIND_REAL(name)                                                                            \
	EXPORT result name params                                                                  \
	{                                                                                          \
		const sigset_t *set = mask;                                                        \
		const bool was_blocked = touch_faults_are_blocked;                                 \
		sigset_t changed;                                                                  \
		result outcome;                                                                    \
                                                                                                   \
		if (!set || !touch_is_ours())                                                      \
			return REAL(name) args;                                                    \
		mask = leave_faults(SIG_SETMASK, set, &changed);                                   \
		outcome = REAL(name) args;                                                         \
		touch_faults_are_blocked = was_blocked;                                            \
		return outcome;                                                                    \
	}
WAIT(int, sigsuspend, (const sigset_t *mask), (mask), mask)
WAIT(int, ppoll,
     (struct pollfd * files, nfds_t count, const struct timespec *timeout, const sigset_t *mask),
     (files, count, timeout, mask), mask)
WAIT(int, pselect,
     (int count, fd_set *restrict reads, fd_set *restrict writes, fd_set *restrict others,
      const struct timespec *restrict timeout, const sigset_t *restrict mask),
     (count, reads, writes, others, timeout, mask), mask)
WAIT(int, epoll_pwait,
     (int file, struct epoll_event *events, int most, int timeout_ms, const sigset_t *mask),
     (file, events, most, timeout_ms, mask), mask)

/* Calls that take a blocked signal: SIGSEGV is then really blocked. */
#define TAKE(name, params, args)                                                                   \
	FIND_REAL(name)                                                                            \
	EXPORT int name params                                                                     \
	{                                                                                          \
		if (touch_faults_are_blocked && sigismember(set, SIGSEGV) && touch_is_ours())      \
			touch_block_faults("the program waits for SIGSEGV");                       \
		return REAL(name) args;                                                            \
	}
TAKE(sigwait, (const sigset_t *restrict set, int *restrict number), (set, number))
TAKE(sigwaitinfo, (const sigset_t *restrict set, siginfo_t *restrict info), (set, info))
TAKE(sigtimedwait,
     (const sigset_t *restrict set, siginfo_t *restrict info,
      const struct timespec *restrict timeout),
     (set, info, timeout))
TAKE(signalfd, (int file, const sigset_t *set, int flags), (file, set, flags))

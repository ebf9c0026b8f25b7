/* SIGSEGV: our handler runs first, then the program's, which sees what it would see without us. */
#include "touch/touch.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define WRITE_FAULT 2	       /* in the processor's error code */
#define RESTORER    0x04000000 /* SA_RESTORER: libc adds it to each action, and reports it */

/* The program's action for SIGSEGV while our handler is installed. Two slots, so that a handler
 * reading one is not disturbed by the next change. */
static struct {
	struct sigaction actions[2];
	_Atomic unsigned current;
	_Atomic bool is_installed;
} guard;

/* Signals whose handlers the program wants to run with SIGSEGV blocked. */
static _Atomic bool masks_faults[NSIG];

FIND_REAL(sigaction)
FIND_REAL(pthread_sigmask)

static void set_remembered(const struct sigaction *action)
{
	unsigned next = atomic_load(&guard.current) + 1;

	guard.actions[next % 2] = *action;
	atomic_store(&guard.current, next);
}

static struct sigaction remembered_action(void)
{
	return guard.actions[atomic_load(&guard.current) % 2];
}

/* Like the kernel without a handler: the instruction is retried and kills the process. A signal
 * that was sent, not caused, is sent again. */
static void die_of_fault(const siginfo_t *info)
{
	struct sigaction action = {.sa_handler = SIG_DFL};

	REAL(sigaction)(SIGSEGV, &action, NULL);
	if (info->si_code <= 0)
		syscall(SYS_rt_tgsigqueueinfo, getpid(), (pid_t)syscall(SYS_gettid), SIGSEGV, info);
}

/* A SIGSEGV that was sent while the program blocks it must wait. The interrupted code's mask
 * returns when the handler does. */
static void postpone_signal(siginfo_t *info, ucontext_t *context)
{
	touch_block_faults("the program was sent a SIGSEGV that it blocks");
	sigaddset(&context->uc_sigmask, SIGSEGV);
	if (info->si_code == SI_TKILL)
		syscall(SYS_rt_tgsigqueueinfo, getpid(), (pid_t)syscall(SYS_gettid), SIGSEGV, info);
	else
		syscall(SYS_rt_sigqueueinfo, getpid(), SIGSEGV, info);
}

/* After the program's own handler ran, it is unknown what is blocked, or which frames it has jumped
 * out of. */
static void hand_over(int number, siginfo_t *info, void *context)
{
	const struct first_use_watches *watches = atomic_load(&touch_watches);
	struct sigaction action = remembered_action();

	if (action.sa_handler == SIG_IGN && info->si_code <= 0)
		return;
	if (touch_faults_are_blocked && info->si_code <= 0) {
		postpone_signal(info, context);
		return;
	}
	if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN ||
	    touch_faults_are_blocked) {
		die_of_fault(info);
		return;
	}
	watches->stop("the program had a SIGSEGV of its own");
	if (action.sa_flags & SA_RESETHAND)
		set_remembered(&(struct sigaction){.sa_handler = SIG_DFL});
	REAL(pthread_sigmask)(SIG_BLOCK, &action.sa_mask, NULL);
	if (action.sa_flags & SA_NODEFER && !sigismember(&action.sa_mask, SIGSEGV)) {
		sigset_t faults;

		sigemptyset(&faults);
		sigaddset(&faults, SIGSEGV);
		REAL(pthread_sigmask)(SIG_UNBLOCK, &faults, NULL);
	}
	if (action.sa_flags & SA_SIGINFO)
		action.sa_sigaction(number, info, context);
	else
		action.sa_handler(number);
}

static void on_fault(int number, siginfo_t *info, void *context)
{
	const struct first_use_watches *watches = atomic_load(&touch_watches);
	const greg_t *registers = ((const ucontext_t *)context)->uc_mcontext.gregs;
	bool is_write = registers[REG_ERR] & WRITE_FAULT;
	int saved_errno = errno;

	if (info->si_code != SEGV_ACCERR ||
	    !watches->fault((uintptr_t)info->si_addr, (uintptr_t)registers[REG_RIP],
			    (const uintptr_t *)registers[REG_RSP],
			    is_write ? FIRST_USE_WRITTEN : FIRST_USE_READ)) {
		errno = saved_errno;
		hand_over(number, info, context);
		return;
	}
	errno = saved_errno;
}

bool touch_guard(void)
{
	struct sigaction ours = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	struct sigaction now = {0};

	if (REAL(sigaction)(SIGSEGV, NULL, &now))
		return false;
	if (now.sa_flags & SA_SIGINFO && now.sa_sigaction == on_fault)
		return true;
	/* Put there by a system call, past us. */
	if (atomic_load(&guard.is_installed))
		return false;
	set_remembered(&now);
	atomic_store(&guard.is_installed, true);
	return !REAL(sigaction)(SIGSEGV, &ours, NULL);
}

void touch_unguard(void)
{
	struct sigaction action = remembered_action();

	if (!atomic_load(&guard.is_installed))
		return;
	atomic_store(&guard.is_installed, false);
	REAL(sigaction)(SIGSEGV, &action, NULL);
}

/* Usually before an exec. Without our handler the child could not touch watched memory. */
static int change_childs_action(int number, const struct sigaction *action, struct sigaction *old)
{
	const int result = REAL(sigaction)(number, action, old);

	if (!result && number == SIGSEGV && action)
		touch_end_all();
	if (!result && old && old->sa_flags & SA_SIGINFO && old->sa_sigaction == on_fault)
		*old = remembered_action();
	return result;
}

/* Reports the action that the program believes is installed. */
static int change_action(int number, const struct sigaction *action, struct sigaction *old)
{
	struct sigaction changed, before = {0};
	bool had_faults, has_faults = false;

	if (number <= 0 || number >= NSIG || !atomic_load(&touch_watches))
		return REAL(sigaction)(number, action, old);
	if (!touch_is_ours())
		return change_childs_action(number, action, old);
	had_faults = atomic_load(&masks_faults[number]);
	if (action) {
		changed = *action;
		has_faults = sigismember(&changed.sa_mask, SIGSEGV);
		if (number != SIGSEGV)
			sigdelset(&changed.sa_mask, SIGSEGV);
		else
			changed.sa_flags |= RESTORER;
	}
	if (number == SIGSEGV && atomic_load(&guard.is_installed)) {
		before = remembered_action();
		if (action)
			set_remembered(&changed);
	} else if (REAL(sigaction)(number, action ? &changed : NULL, &before)) {
		return -1;
	} else if (number != SIGSEGV && had_faults) {
		sigaddset(&before.sa_mask, SIGSEGV);
	}
	if (action)
		atomic_store(&masks_faults[number], has_faults);
	if (old)
		*old = before;
	return 0;
}

EXPORT int sigaction(int number, const struct sigaction *restrict action,
		     struct sigaction *restrict old)
{
	return change_action(number, action, old);
}

static __sighandler_t set_handler(int number, __sighandler_t handler, int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, old;

	if (handler == SIG_ERR) {
		errno = EINVAL;
		return SIG_ERR;
	}
	if (!(flags & SA_NODEFER))
		sigaddset(&action.sa_mask, number);
	return change_action(number, &action, &old) ? SIG_ERR : old.sa_handler;
}

/* Set by siginterrupt(): handlers installed by signal() interrupt calls. */
static _Atomic bool is_interrupting;

static int restart_flag(void)
{
	return atomic_load(&is_interrupting) ? 0 : SA_RESTART;
}

/* Other signals go to libc's function, which knows siginterrupt(). */
#define SIGNAL(name, flags)                                                                        \
	EXPORT __sighandler_t name(int number, __sighandler_t handler);                            \
	FIND_REAL(name)                                                                            \
	EXPORT __sighandler_t name(int number, __sighandler_t handler)                             \
	{                                                                                          \
		return number == SIGSEGV ? set_handler(number, handler, flags)                     \
					 : REAL(name)(number, handler);                            \
	}
SIGNAL(signal, restart_flag())
SIGNAL(bsd_signal, restart_flag())
SIGNAL(ssignal, restart_flag())
SIGNAL(sysv_signal, (int)(SA_RESETHAND | SA_NODEFER))
SIGNAL(__sysv_signal, (int)(SA_RESETHAND | SA_NODEFER))

EXPORT int sigignore(int number)
{
	const struct sigaction ignore = {.sa_handler = SIG_IGN};

	return change_action(number, &ignore, NULL);
}

FIND_REAL(sigset)
EXPORT __sighandler_t sigset(int number, __sighandler_t handler)
{
	const struct sigaction action = {.sa_handler = handler};
	const bool was_blocked = touch_faults_are_blocked;
	struct sigaction old;

	if (number != SIGSEGV || handler == SIG_ERR || !touch_is_ours())
		return REAL(sigset)(number, handler);
	if (change_action(number, handler == SIG_HOLD ? NULL : &action, &old))
		return SIG_ERR;
	touch_faults_are_blocked = handler == SIG_HOLD;
	return was_blocked ? SIG_HOLD : old.sa_handler;
}

FIND_REAL(siginterrupt)
EXPORT int siginterrupt(int number, int is_interrupted)
{
	struct sigaction action;

	if (number != SIGSEGV || !touch_is_ours())
		return REAL(siginterrupt)(number, is_interrupted);
	if (change_action(number, NULL, &action))
		return -1;
	action.sa_flags &= ~SA_RESTART;
	if (!is_interrupted)
		action.sa_flags |= SA_RESTART;
	atomic_store(&is_interrupting, is_interrupted != 0);
	return change_action(number, &action, NULL);
}

/* libstrace.so may be missing: then all functions here only pass on. */
__attribute__((weak)) const struct first_use_watches *
streamtrace_first_use_join(const struct first_use_touch *touch);

__attribute__((constructor)) static void join_first_use(void)
{
	static struct first_use_touch touch = {.guard = touch_guard, .unguard = touch_unguard};

	touch_own();
	pthread_atfork(NULL, NULL, touch_own);
	touch.has_free = touch_has_free();
	if (streamtrace_first_use_join)
		atomic_store(&touch_watches, streamtrace_first_use_join(&touch));
}

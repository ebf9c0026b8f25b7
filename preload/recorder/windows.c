#include "recorder/windows.h"

#include "base/clock.h"
#include "base/options.h"
#include "base/short_sleep.h"
#include "recorder/recorder.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHANGE_COUNT 256 /* a power of two */

/* The change that raised changes.count to `number`: odd numbers open a window, even ones close
 * it. */
struct change {
	_Atomic uint32_t number; /* written last */
	_Atomic uint32_t cause;
	_Atomic int64_t time_ns;
	_Atomic bool is_late; /* opens a window, but only at windows_resume() */
};

static struct {
	_Atomic uint32_t count; /* odd: a window is open */
	_Atomic uint32_t taken; /* by windows_next_change() */
	struct change rows[CHANGE_COUNT];
} changes;

static _Atomic bool is_suspended;  /* by windows_suspend() */
static _Atomic int64_t resumed_ns; /* when windows_resume() was last called */

/* Half a second, in steps that the kernel stretches threefold. */
#define WAITS	     10000
#define WAIT_STEP_NS 20000

/* The recorder's state follows the count; read again, because another thread may have changed
 * it. */
void windows_apply(void)
{
	uint32_t count;

	do {
		count = atomic_load(&changes.count);
		recorder_pause(count % 2 == 0 || atomic_load(&is_suspended));
	} while (count != atomic_load(&changes.count));
}

static bool is_full(uint32_t count)
{
	return recorder_is_on() && count - atomic_load(&changes.taken) >= CHANGE_COUNT;
}

/* Limited: if this is a signal handler that interrupted CUPTI, the writer thread cannot resume. */
static void wait_until_resumed(void)
{
	for (int i = 0; i < WAITS && recorder_is_on() && atomic_load(&is_suspended); i++) {
		recorder_wake_writer();
		short_sleep(WAIT_STEP_NS);
	}
}

/* wanted: 1 opens, 0 closes, -1 toggles. In watch mode only the program's own calls do: a signal makes an incident. */
static void change_windows(int wanted, enum window_cause cause)
{
	int saved_errno = errno;
	uint32_t count = atomic_load(&changes.count);
	struct change *row;
	bool is_late;
	int64_t time_ns;

	if (options_is_watch() && cause != WINDOW_START && cause != WINDOW_CALL)
		return;
	do {
		if ((int)(count % 2) == wanted || is_full(count))
			return;
	} while (!atomic_compare_exchange_weak(&changes.count, &count, count + 1));
	is_late = count % 2 == 0 && atomic_load(&is_suspended);
	if (is_late)
		wait_until_resumed();
	row = &changes.rows[count % CHANGE_COUNT];
	atomic_store(&row->is_late, is_late);
	/* Closing: calls may begin until windows_apply() has returned. */
	time_ns = clock_now_ns();
	if (count % 2) {
		windows_apply();
		time_ns = clock_now_ns();
		atomic_store(&recorder_step_began_ns, 0);
	}
	atomic_store(&row->time_ns, time_ns);
	atomic_store(&row->cause, cause);
	atomic_store(&row->number, count + 1);
	windows_apply();
	errno = saved_errno;
}

void windows_open(enum window_cause cause)
{
	change_windows(1, cause);
}

void windows_close(enum window_cause cause)
{
	change_windows(0, cause);
}

static _Atomic uint32_t signals; /* that came */

static void on_signal(int number)
{
	atomic_fetch_add(&signals, 1);
	change_windows(-1, WINDOW_SIGNAL);
}

uint32_t windows_signals(void)
{
	return atomic_load(&signals);
}

static void install_handler(int number)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART | SA_ONSTACK};

	sigfillset(&action.sa_mask);
	sigaction(number, &action, NULL);
}

static bool is_paused_at_start(void)
{
	return !strcmp(options.start, "paused");
}

bool windows_follow_profiler(void)
{
	return is_paused_at_start();
}

void windows_initialize(void)
{
	if (!is_paused_at_start() && !*options.steps)
		windows_open(WINDOW_START);
	if (options.signal)
		install_handler(options.signal);
}

void windows_begin(void)
{
	uint32_t count = atomic_load(&changes.count);

	/* Skips windows that were closed before the first call: they are empty. */
	atomic_store(&changes.taken, count - count % 2);
}

bool windows_next_change(struct window_change *next)
{
	uint32_t taken = atomic_load(&changes.taken);
	const struct change *row = &changes.rows[taken % CHANGE_COUNT];

	/* The thread that made the change may not have written its row yet. */
	if (taken == atomic_load(&changes.count) || atomic_load(&row->number) != taken + 1 ||
	    (atomic_load(&row->is_late) && atomic_load(&is_suspended)))
		return false;
	next->opens = taken % 2 == 0;
	next->cause = atomic_load(&row->cause);
	next->time_ns = atomic_load(atomic_load(&row->is_late) ? &resumed_ns : &row->time_ns);
	atomic_store(&changes.taken, taken + 1);
	return true;
}

bool windows_are_wanted(void)
{
	uint32_t count = atomic_load(&changes.count);

	return count % 2 || count != atomic_load(&changes.taken);
}

void windows_resume(void)
{
	atomic_store(&resumed_ns, clock_now_ns());
	atomic_store(&is_suspended, false);
	windows_apply();
}

bool windows_suspend(void)
{
	atomic_store(&is_suspended, true);
	if (!windows_are_wanted())
		return true;
	windows_resume();
	return false;
}

void windows_after_fork(void)
{
	uint32_t count = atomic_load(&changes.count);

	atomic_store(&is_suspended, false);
	memset(&changes, 0, sizeof(changes));
	if (count % 2)
		windows_open(WINDOW_START);
}

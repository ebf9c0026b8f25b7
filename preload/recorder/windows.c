#include "recorder/windows.h"

#include "base/clock.h"
#include "base/options.h"
#include "recorder/recorder.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define CHANGE_COUNT 256 /* a power of two */

/* The change that made changes.count `number`: odd ones open a window, even ones close it. */
struct change {
	_Atomic uint32_t number; /* set last */
	_Atomic uint32_t cause;
	_Atomic int64_t time_ns;
};

static struct {
	_Atomic uint32_t count; /* odd: a window is open */
	_Atomic uint32_t taken; /* by the writer */
	struct change rows[CHANGE_COUNT];
} changes;

/* The writer's. Ordered and apart from each other. */
struct window {
	int64_t start_ns, end_ns;		      /* end: INT64_MAX while open */
	uint32_t first_correlation, last_correlation; /* of its calls; 0: none yet */
	enum window_cause cause;
};

static struct {
	struct window *rows;
	size_t count, capacity;
	int64_t begin_ns; /* of the tracing */
} windows;

static const char *const cause_names[] = {
	[WINDOW_START] = "start",
	[WINDOW_CALL] = "call",
	[WINDOW_SIGNAL] = "signal",
	[WINDOW_PROFILER] = "profiler",
};

/* The recorder's state follows the count; of several threads the last one leaves it right. */
void windows_apply(void)
{
	uint32_t count;

	do {
		count = atomic_load(&changes.count);
		recorder_pause(count % 2 == 0);
	} while (count != atomic_load(&changes.count));
}

static bool is_full(uint32_t count)
{
	return recorder_is_on() && count - atomic_load(&changes.taken) >= CHANGE_COUNT;
}

/* wanted: 1 opens, 0 closes, -1 does the other. */
static void change(int wanted, enum window_cause cause)
{
	int saved_errno = errno;
	uint32_t count = atomic_load(&changes.count);
	struct change *row;
	int64_t time_ns;

	do {
		if ((int)(count % 2) == wanted || is_full(count))
			return;
	} while (!atomic_compare_exchange_weak(&changes.count, &count, count + 1));
	row = &changes.rows[count % CHANGE_COUNT];
	/* Calls begin between the two times. */
	time_ns = clock_now_ns();
	if (count % 2) {
		windows_apply();
		time_ns = clock_now_ns();
	}
	atomic_store(&row->time_ns, time_ns);
	atomic_store(&row->cause, cause);
	atomic_store(&row->number, count + 1);
	windows_apply();
	errno = saved_errno;
}

void windows_open(enum window_cause cause)
{
	change(1, cause);
}

void windows_close(enum window_cause cause)
{
	change(0, cause);
}

static void on_signal(int number)
{
	change(-1, WINDOW_SIGNAL);
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
	if (!is_paused_at_start())
		windows_open(WINDOW_START);
	if (options.signal)
		install_handler(options.signal);
}

void windows_begin(void)
{
	uint32_t count = atomic_load(&changes.count);

	/* Windows that were closed before the first call hold nothing. */
	atomic_store(&changes.taken, count - count % 2);
	windows.begin_ns = clock_now_ns();
}

void windows_after_fork(void)
{
	uint32_t count = atomic_load(&changes.count);

	memset(&changes, 0, sizeof(changes));
	memset(&windows, 0, sizeof(windows));
	if (count % 2)
		windows_open(WINDOW_START);
}

static struct window *newest(void)
{
	return windows.count ? &windows.rows[windows.count - 1] : NULL;
}

static void add_window(struct window window)
{
	if (!windows.rows || windows.count == windows.capacity) {
		size_t capacity = windows.capacity ? windows.capacity * 2 : 16;
		struct window *bigger = realloc(windows.rows, capacity * sizeof(*bigger));

		if (!bigger)
			return; /* the row is in the file; its device records are not kept */
		windows.rows = bigger;
		windows.capacity = capacity;
	}
	windows.rows[windows.count++] = window;
}

static void take(struct store *store, uint32_t number, const struct change *row)
{
	struct window *last = newest();
	int64_t least_ns = last && last->end_ns != INT64_MAX ? last->end_ns : windows.begin_ns;
	int64_t time_ns = atomic_load(&row->time_ns);

	/* Two threads may have read the clock in the other order. */
	if (number % 2) {
		struct window window = {.start_ns = time_ns > least_ns ? time_ns : least_ns,
					.end_ns = INT64_MAX,
					.cause = atomic_load(&row->cause)};

		add_window(window);
		store_window(store, (int64_t)windows.count, window.start_ns, STORE_NULL,
			     cause_names[window.cause]);
	} else if (last) {
		last->end_ns = time_ns > last->start_ns ? time_ns : last->start_ns;
		store_window(store, (int64_t)windows.count, last->start_ns, last->end_ns,
			     cause_names[last->cause]);
	}
}

void windows_take(struct store *store)
{
	uint32_t taken = atomic_load(&changes.taken);

	while (taken != atomic_load(&changes.count)) {
		const struct change *row = &changes.rows[taken % CHANGE_COUNT];

		/* Its thread is about to write it. */
		if (atomic_load(&row->number) != taken + 1)
			return;
		take(store, taken + 1, row);
		atomic_store(&changes.taken, ++taken);
	}
}

bool windows_are_open(void)
{
	const struct window *last = newest();

	return last && last->end_ns == INT64_MAX;
}

void windows_note_call(int64_t start_ns, uint32_t correlation_id)
{
	for (size_t i = windows.count; i-- > 0;) {
		struct window *window = &windows.rows[i];

		if (start_ns < window->start_ns)
			continue;
		if (!window->first_correlation || correlation_id < window->first_correlation)
			window->first_correlation = correlation_id;
		if (correlation_id > window->last_correlation)
			window->last_correlation = correlation_id;
		return;
	}
}

bool windows_are_partial(void)
{
	return windows.count != 1 || windows.rows[0].cause != WINDOW_START ||
	       windows.rows[0].end_ns != INT64_MAX;
}

/* Correlation ids count up in the process: those of a window's calls are a range, which is open at
 * its end while the window is. */
static bool holds_correlation(const struct window *window, uint32_t correlation_id)
{
	return window->first_correlation && correlation_id >= window->first_correlation &&
	       (correlation_id <= window->last_correlation || window->end_ns == INT64_MAX);
}

bool windows_hold(uint64_t start_ns, uint64_t end_ns, uint32_t correlation_id)
{
	for (size_t i = windows.count; i-- > 0;) {
		const struct window *window = &windows.rows[i];

		if (correlation_id && holds_correlation(window, correlation_id))
			return true;
		if (start_ns && (int64_t)start_ns < window->end_ns &&
		    (int64_t)end_ns > window->start_ns)
			return true;
		/* The windows before this one are older still. */
		if ((!start_ns || (int64_t)start_ns >= window->end_ns) &&
		    (!correlation_id ||
		     (window->last_correlation && correlation_id > window->last_correlation)))
			return false;
	}
	return false;
}

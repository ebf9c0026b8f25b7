#include "store/window_rows.h"

#include "base/clock.h"
#include "recorder/windows.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

/* Ordered and apart from each other. */
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
	[WINDOW_START] = "start",	[WINDOW_CALL] = "call", [WINDOW_SIGNAL] = "signal",
	[WINDOW_PROFILER] = "profiler", [WINDOW_STEP] = "step",
};

void window_rows_begin(void)
{
	windows.begin_ns = clock_now_ns();
}

void window_rows_after_fork(void)
{
	memset(&windows, 0, sizeof(windows));
}

static struct window *newest_window(void)
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

static void open_window(struct store *store, const struct window_change *change)
{
	const struct window *last = newest_window();
	int64_t least_ns = last && last->end_ns != INT64_MAX ? last->end_ns : windows.begin_ns;
	struct window window = {
		.start_ns = change->time_ns > least_ns ? change->time_ns : least_ns,
		.end_ns = INT64_MAX,
		.cause = change->cause,
	};

	add_window(window);
	store_window(store, (int64_t)windows.count, window.start_ns, STORE_NULL,
		     cause_names[window.cause]);
}

static void close_window(struct store *store, int64_t time_ns)
{
	struct window *last = newest_window();

	if (!last)
		return;
	last->end_ns = time_ns > last->start_ns ? time_ns : last->start_ns;
	store_window(store, (int64_t)windows.count, last->start_ns, last->end_ns,
		     cause_names[last->cause]);
}

void window_rows_take(struct store *store)
{
	struct window_change change;

	while (windows_next_change(&change)) {
		if (change.opens)
			open_window(store, &change);
		else
			close_window(store, change.time_ns);
	}
}

void window_rows_take_one(struct store *store, int64_t start_ns)
{
	windows.count = 0;
	windows.begin_ns = start_ns;
	open_window(store, &(struct window_change){
				   .opens = true, .cause = WINDOW_START, .time_ns = start_ns});
}

void window_rows_note_call(int64_t start_ns, uint32_t correlation_id)
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

bool window_rows_are_partial(void)
{
	return windows.count != 1 || windows.rows[0].cause != WINDOW_START ||
	       windows.rows[0].end_ns != INT64_MAX;
}

/* Correlation ids increase in a process: the ids of a window's calls form a range, open-ended while
 * the window is open. */
static bool has_correlation(const struct window *window, uint32_t correlation_id)
{
	return window->first_correlation && correlation_id >= window->first_correlation &&
	       (correlation_id <= window->last_correlation || window->end_ns == INT64_MAX);
}

bool window_rows_include(uint64_t start_ns, uint64_t end_ns, uint32_t correlation_id)
{
	for (size_t i = windows.count; i-- > 0;) {
		const struct window *window = &windows.rows[i];

		if (correlation_id && has_correlation(window, correlation_id))
			return true;
		if (start_ns && (int64_t)start_ns < window->end_ns &&
		    (int64_t)end_ns > window->start_ns)
			return true;
		/* Earlier windows ended before, too. */
		if ((!start_ns || (int64_t)start_ns >= window->end_ns) &&
		    (!correlation_id ||
		     (window->last_correlation && correlation_id > window->last_correlation)))
			return false;
	}
	return false;
}

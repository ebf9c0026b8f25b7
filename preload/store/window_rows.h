/*
 * Stores the windows as rows, and tells which operations belong to them: those that ran in a
 * window, or whose call was made in one.
 *
 * Writer thread only, except window_rows_begin() and window_rows_after_fork(), which run before
 * that thread exists. If memory runs out, a window has its row but no operations.
 */
#ifndef STREAMTRACE_WINDOW_ROWS_H
#define STREAMTRACE_WINDOW_ROWS_H

#include <stdbool.h>
#include <stdint.h>

struct store;

/* Call when tracing starts: no window begins before now. */
void window_rows_begin(void);

/* Call in a forked child: no window has a row yet. */
void window_rows_after_fork(void);

/* Instead of window_rows_take(), for a file that is one window from start_ns on: stores its row. */
void window_rows_take_one(struct store *store, int64_t start_ns);

/* Stores rows for the changes of windows. Call before reading records from the rings, because a
 * window's opening precedes its calls. */
void window_rows_take(struct store *store);

/* Notes the start and the correlation id of a call that a ring has delivered: its operations belong
 * to the window of that time. */
void window_rows_note_call(int64_t start_ns, uint32_t correlation_id);

/* Whether the trace has times outside of all windows so far. */
bool window_rows_are_partial(void);

/* Whether an operation belongs to a window. Times 0 and correlation_id 0: unknown. */
bool window_rows_include(uint64_t start_ns, uint64_t end_ns, uint32_t correlation_id);

#endif

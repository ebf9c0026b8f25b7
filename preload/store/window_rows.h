/*
 * The windows of the recording as rows, and what of the device belongs to them: an operation does
 * when it ran in one or its call was made in one.
 *
 * Writer thread only, but for window_rows_begin() and window_rows_after_fork(), which run before
 * there is one. A window that there is no memory for has its row, but no operations.
 */
#ifndef STREAMTRACE_WINDOW_ROWS_H
#define STREAMTRACE_WINDOW_ROWS_H

#include <stdbool.h>
#include <stdint.h>

struct store;

/* The tracing starts: no window begins before now. */
void window_rows_begin(void);

/* In a forked child: no window has a row. */
void window_rows_after_fork(void);

/* New rows for what has changed; to be called before the records of the rings are read, as a
 * window's change comes before its calls. */
void window_rows_take(struct store *store);

/* A call of this start has this correlation id. */
void window_rows_note_call(int64_t start_ns, uint32_t correlation_id);

/* Whether the trace has times that are outside of every window. */
bool window_rows_are_partial(void);

/* Whether something of the device belongs to a window. Times of 0, a correlation of 0: unknown. */
bool window_rows_include(uint64_t start_ns, uint64_t end_ns, uint32_t correlation_id);

#endif

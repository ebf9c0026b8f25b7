/*
 * Whether CUPTI works, and its last error, in one line each: metadata key cupti of schema.sql.
 *
 * Any thread; takes a short lock, under which CUPTI is not called.
 */
#ifndef STREAMTRACE_CUPTI_STATUS_H
#define STREAMTRACE_CUPTI_STATUS_H

#include <cupti.h>

#include <stdbool.h>

#define CUPTI_STATUS_BYTES 256 /* of a line, with its NUL */

/* cupti_status_set() sets the status to "on" or to the reason why not; cupti_status_get() copies
 * it. */
void cupti_status_set(const char *text);
void cupti_status_get(char text[CUPTI_STATUS_BYTES]);

/* Notes that CUPTI's function `what` failed, and counts a loss. CUPTI stays in use. */
void cupti_status_note_error(const char *what, CUptiResult result);

/* True: CUPTI_SUCCESS. False: the error was noted, has become the status, and was printed for the
 * user. */
bool cupti_status_check(const char *what, CUptiResult result);

/* Copies the last error noted, or the status if there is none. */
void cupti_status_error(char text[CUPTI_STATUS_BYTES]);

/* Call in a forked child: a thread of the parent may have held the lock. */
void cupti_status_after_fork(void);

#endif

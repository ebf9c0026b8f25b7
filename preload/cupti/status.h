/*
 * Whether CUPTI works, and what failed last, in one line each: metadata cupti of schema.sql.
 *
 * Any thread; a short lock of its own, under which CUPTI is not called.
 */
#ifndef STREAMTRACE_CUPTI_STATUS_H
#define STREAMTRACE_CUPTI_STATUS_H

#include <cupti.h>

#include <stdbool.h>

#define CUPTI_STATUS_BYTES 256 /* of a line, with its NUL */

/* The new status: "on", or why not. */
void cupti_status_set(const char *text);
void cupti_status_get(char text[CUPTI_STATUS_BYTES]);

/* A call to CUPTI failed, and CUPTI stays in use: counted as a loss. */
void cupti_status_note_error(const char *what, CUptiResult result);

/* True for CUPTI_SUCCESS. Otherwise the error is noted, becomes the status, and the user is
 * told. */
bool cupti_status_check(const char *what, CUptiResult result);

/* What was noted last, else the status. */
void cupti_status_error(char text[CUPTI_STATUS_BYTES]);

/* In a forked child: another thread of the parent may have held the lock. */
void cupti_status_after_fork(void);

#endif

/*
 * Copies to pinned memory of the host whose calls do not wait for them: the thread's first call that does
 * looks at what they brought, as it returns, for no one has told the program before that they are done.
 *
 * On the program's threads, while a record is filled in; of the calling thread, but for the last function.
 * Another thread that has waited for the copy, and changed what it brought, before this one looks, is not known.
 */
#ifndef STREAMTRACE_AWAITED_H
#define STREAMTRACE_AWAITED_H

#include "content/look.h"
#include "recorder/recorder.h"

#include <stdbool.h>
#include <stdint.h>

/* How many copies the thread has under way that are to be looked at. */
extern __thread uint32_t content_awaited_count __attribute__((tls_model("initial-exec")));

/* The record's call has enqueued it. */
void content_await(const struct content_copy *copy, const struct record *record);

/* The record's call has waited for the stream, or for all of the device. The copies that it has not waited for
 * are not looked at any more: something else may tell that they are done. */
void content_look_at_awaited(const struct record *record, bool is_device);

/* The program may have been told that copies are done, and which is not known. */
static inline void content_await_none(void)
{
	if (__builtin_expect(content_awaited_count != 0, 0))
		content_awaited_count = 0;
}

static inline void content_waited(const struct record *record, bool is_device)
{
	if (__builtin_expect(content_awaited_count != 0, 0))
		content_look_at_awaited(record, is_device);
}

/* Pinned memory goes, or stops to be pinned: it is not to be read any more. Before the call that does that. Any
 * thread. */
void content_forget_awaited(void);

#endif

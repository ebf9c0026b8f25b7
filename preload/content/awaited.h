/*
 * Awaited copies: asynchronous copies to pinned host memory, whose own call does not wait. The
 * thread's next call that waits for the copy hashes what the copy brought, before returning: the
 * program cannot know earlier that the copy is done.
 *
 * The functions are for the calling thread, while a record is filled in; content_forget_awaited()
 * is for any thread. Not noticed: another thread waits for the copy and changes its bytes first.
 */
#ifndef STREAMTRACE_AWAITED_H
#define STREAMTRACE_AWAITED_H

#include "content/look.h"
#include "recorder/recorder.h"

#include <stdbool.h>
#include <stdint.h>

/* The number of this thread's awaited copies; at most 8. */
extern __thread uint32_t content_awaited_count __attribute__((tls_model("initial-exec")));

/* Adds a copy that the record's call has just enqueued. If the thread has 8 awaited copies already,
 * this copy is not hashed. */
void content_await(const struct content_copy *copy, const struct record *record);

/* The slow path of content_waited(): hashes the copies that the call has waited for. is_device: the
 * call has waited for the whole device, not only for record->stream. Forgets the other copies,
 * because the program may learn in another way that these are done. */
void content_look_at_awaited(const struct record *record, bool is_device);

/* Call after a call that may tell the program that copies are done, without telling which: forgets
 * all awaited copies of this thread. */
static inline void content_await_none(void)
{
	if (__builtin_expect(content_awaited_count != 0, 0))
		content_awaited_count = 0;
}

/* Call after a call that has waited; parameters as for content_look_at_awaited(). */
static inline void content_waited(const struct record *record, bool is_device)
{
	if (__builtin_expect(content_awaited_count != 0, 0))
		content_look_at_awaited(record, is_device);
}

/* Call before a call that frees or unpins pinned memory: after content_forget_awaited() no thread
 * hashes an awaited copy any more. May sleep, at most a second. Any thread. */
void content_forget_awaited(void);

#endif

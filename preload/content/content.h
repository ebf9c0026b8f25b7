/*
 * What a copy between host and device carried: a hash of it in the record of its call, so that the
 * trace says whether the same bytes were sent again.
 *
 * Of a copy to the device its source is read, right after the call has returned and on the thread
 * that made it: what the program wrote there before the call. Of a copy to the host its
 * destination, where the call itself waited for the copy, or where the thread's next call that waits did so
 * (awaited.h): then the copy back has the hash of both. Both are read only, so that a copy engine
 * which reads the same memory meanwhile is not disturbed; a program that changes the source of a
 * pending copy later does not change the hash. What a host function or another copy writes there
 * between the call and the copy is not in the hash: the analyzer has to look for that.
 *
 * Only memory that the driver says is the host's own is read, once a succeeded call has used it:
 * never device or managed memory, none that is write-combined, none of a copy that was captured into
 * a graph, which has not run. The driver is asked once for a place, and again once there is new
 * memory, or pinned memory is gone.
 *
 * First some lines of 64 bytes spread over the buffer, one in 64, 8 at least and 64 at most. All of it
 * where these repeat those of the two copies before it to the same place: then the lines alone do not
 * say that nothing changed; likewise of what was fetched where the one before came back as it was. Of
 * what repeats again and again that is done at growing distances, and never in more than a 64th of the
 * run's time, as it was measured (half a second's share can be spent at once); it is recorded as an
 * overhead. What is left out has the hash of its lines. Where a place gets something else again and
 * again, most copies to it are left out, up to 63 of 65.
 *
 * On the program's threads, while the call's record is filled in: no lock, no system call, no
 * allocation, but for what the driver does when it is asked, and for looking up its functions the first
 * time; errno is left alone.
 */
#ifndef STREAMTRACE_CONTENT_H
#define STREAMTRACE_CONTENT_H

#include "recorder/recorder.h"

#include <stdbool.h>

/* Reads the option; constructor. */
void content_initialize(void);

/* Fills in record->numbers of a copy of consecutive bytes, and object of one to the device. is_waited: the call
 * returns when a copy to the host is done. */
void content_note(struct record *record, bool is_waited);

#endif

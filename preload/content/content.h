/*
 * Content: a hash of what a copy between host and device carried, in its call's record. From the
 * hashes the analyzer sees that the same bytes were sent again.
 *
 * A copy to the device: its source is read on the calling thread right after the call returned. A
 * copy to the host: its destination is read after the copy is done: at the end of its own call, if
 * this waits, otherwise of the thread's next call that waits (awaited.h). In the second case the
 * record of the copy to the host has no hash; if a later copy sends the bytes back to the device,
 * that copy's record has the hash, too. Memory is only read, so copy engines are not disturbed.
 * Later changes by the program do not change the hash. A write by a host function or another copy
 * between the call and the copy is missed; the analyzer must check for it.
 *
 * Only host memory is read, as told by the driver, and only after a successful call has used it: no
 * device, managed or write-combined memory, no copy captured into a graph (it has not run). The
 * driver is asked once for each place, and again after memory was allocated or pinned memory freed.
 *
 * First, lines of 64 bytes spread over the buffer are hashed: one in 64, at least 8, at most 64.
 * All bytes are hashed only if the lines repeat those of the last two copies to the same place, or,
 * for a copy to the host, if the one before was sent back unchanged. Whole hashes of a repeating
 * copy get rarer, and take at most 1/64 of the run's time (up to half a second's share at once);
 * their time is recorded as overhead. Of a place whose content keeps changing up to 63 of 65 copies
 * are not hashed at all.
 *
 * Runs on the program's threads while the call's record is filled in: no lock, no system call, no
 * allocation, except inside the driver, and to look up its functions the first time. errno is left
 * alone.
 */
#ifndef STREAMTRACE_CONTENT_H
#define STREAMTRACE_CONTENT_H

#include "recorder/recorder.h"

#include <stdbool.h>

/* Reads the option. Call in the constructor. */
void content_initialize(void);

/* Call after each copy of consecutive bytes, also after a failed one. Sets record->numbers, and for
 * a copy to the device of awaited bytes record->object. Leaves both alone (numbers 0: not known) if
 * the copy failed or is not hashed. is_waited: the call returns only after a copy to the host is
 * done. */
void content_note(struct record *record, bool is_waited);

#endif

/*
 * Keeps the writer and the looker (host/host.h) off the processors on which the program's threads make
 * many calls.
 *
 * Where all other processors are busy, Linux has no reason to move a thread of ours from the one where
 * it woke: that was free while the program waited, and from then on the program shares it with us. Of
 * a processor that is busy otherwise we take a fair part.
 *
 * Only the affinity of our own threads changes, within what it was before. Writer only.
 */
#ifndef STREAMTRACE_PLACEMENT_H
#define STREAMTRACE_PLACEMENT_H

/* Call before the rings are read. Makes system calls only if a thread makes many calls on a processor
 * where none did at the last change. */
void placement_follow_calls(void);

/* Gives the calling thread the processors back: the program waits for it, or will run in it. */
void placement_end(void);

/* Call in a forked child, which has a writer of its own. */
void placement_after_fork(void);

#endif

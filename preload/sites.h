/*
 * Call stacks at the price of a few loads.
 *
 * The return address of a wrapped call is known for nothing, but for a <<<>>> launch it lies in a
 * stub that nvcc generated: the program's line is one or two frames up. A stack is unwound once for
 * each call site; the distances on the stack between the wrapper's frame and the return addresses
 * above it are remembered. From then on a call from the same place reads those words and compares:
 * equal words are the same stack. A frame of variable size gives other words and is unwound again,
 * at most SITES_STACKS times a place; after that only its return address is recorded.
 */
#ifndef STREAMTRACE_SITES_H
#define STREAMTRACE_SITES_H

#include "recorder.h"

/* Fills in frames and frame_count. On the calling thread, while the wrapper's frame is live. */
void sites_capture(struct record *record, const struct caller *caller);

#endif

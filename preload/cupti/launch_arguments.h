/*
 * Records the pointers that a launch passes to its kernel.
 *
 * The driver is asked once for each kernel where its parameters lie. At each launch their aligned
 * words are read, and those that point near any memory ever allocated, or that are a parameter and
 * look like an address, are kept as an atom, so that equal sets are stored once. No lock, no heap
 * allocation. The program's memory is read only where the driver reads it a moment later. errno is
 * left alone.
 */
#ifndef STREAMTRACE_LAUNCH_ARGUMENTS_H
#define STREAMTRACE_LAUNCH_ARGUMENTS_H

#include "api/functions.h"
#include "base/hot.h"

#include <cupti.h>

#include <stdint.h>

struct store;

/* Call at the entry of each driver call that launches a kernel, on its thread: sets
 * recorder_thread.arguments (recorder/recorder.h) and recorder_thread.numbers. If the arguments are
 * not all read, both are 0; if they are and none is a pointer, only the first is. */
HOT void launch_arguments_enter(enum function function, const CUpti_CallbackData *data);

/* Call for each new device, managed or pinned memory: words that point there count as addresses
 * from now on. Any thread; a few stores. */
void launch_arguments_note_memory(uint64_t address, uint64_t size_bytes);

/* Call when a module is unloaded: forgets the parameters of all kernels, because handles may be
 * reused. Any thread. */
void launch_arguments_forget_kernels(void);

/* Stores the metadata key launch_arguments. Writer thread. */
void launch_arguments_describe(struct store *store);

#endif

/*
 * The pointers that a launch gives its kernel, read while the launch is under way.
 *
 * The driver is asked once per kernel for the layout of its parameters. At each launch their
 * aligned words are read, and those near memory that was ever allocated are kept as an atom: equal
 * sets are stored once. No lock, no allocation from the heap; the program's memory is read only
 * where the driver itself reads it a moment later. errno is left as it was.
 */
#ifndef STREAMTRACE_LAUNCH_ARGUMENTS_H
#define STREAMTRACE_LAUNCH_ARGUMENTS_H

#include "api/functions.h"

#include <cupti.h>

#include <stdint.h>

struct store;

/* At the entry of each driver call that launches: what it gives its kernel becomes
 * recorder_thread.arguments. On the program's thread. */
void launch_arguments_enter(enum function function, const CUpti_CallbackData *data);

/* Device, managed or pinned memory: from now on words that point there count as addresses. Any
 * thread; a few stores. */
void launch_arguments_note_memory(uint64_t address, uint64_t size_bytes);

/* A module is unloaded: its handles may be reused for other kernels. Any thread. */
void launch_arguments_forget_kernels(void);

/* The metadata key launch_arguments. Writer thread. */
void launch_arguments_describe(struct store *store);

#endif

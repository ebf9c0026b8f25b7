/*
 * The Python frames of other threads, read while they run.
 *
 * Nothing is stopped, locked or called: CPython's structures are copied (base/own_memory.h). So a
 * frame may be one that the thread has just left, and an outer frame some microseconds younger than
 * an inner one. A code object that lies where another one was is taken for that one until the next
 * python_threads_find(). One thread (the looker of preload/host).
 */
#ifndef STREAMTRACE_PYTHON_THREADS_H
#define STREAMTRACE_PYTHON_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#define PYTHON_THREADS_MOST 256

/* A thread that Python knows. */
struct python_thread {
	uint64_t state; /* the address of its PyThreadState */
	uint32_t id;	/* gettid() */
};

/* Stores the main interpreter's threads, at most `limit`; returns how many. 0: there is no Python,
 * or its threads cannot be read. */
int python_threads_find(struct python_thread *threads, int limit);

/* Stores the addresses of atoms (struct python_frame) for the thread's innermost frames, at most
 * `limit`; returns how many. 0: none can be read, or there is no room (ATOM_ADD_SPARE). */
int python_threads_take(const struct python_thread *thread, uint64_t *words, int limit);

/* Whether a futex at this address belongs to the interpreter itself: its lock, above all. */
bool python_threads_owns(uint64_t futex);

/* Whether Python is looking for objects that nothing refers to; false where that is not known. */
bool python_threads_are_collecting(void);

/* Call in a forked child. */
void python_threads_after_fork(void);

#endif

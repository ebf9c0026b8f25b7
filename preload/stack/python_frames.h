/*
 * The Python frames on a thread's stack, read from CPython's own structures.
 *
 * On the calling thread, with the GIL or without it: a thread's frames change only while it runs
 * Python code itself, and point to the code that they run. Nothing of Python is called but two
 * functions that read a word each (PyGILState_GetThisThreadState, Py_IsInitialized); no lock is
 * taken, no object made, no reference counted. Versions and structures that are not known are left
 * alone, and python_frames_status() says so.
 *
 * One gap: the interpreter frees the states of daemon threads when it ends. One that comes back
 * from CUDA in the same microsecond could read what is being freed.
 */
#ifndef STREAMTRACE_PYTHON_FRAMES_H
#define STREAMTRACE_PYTHON_FRAMES_H

#include "stack/python_code.h"

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Finds out whether the program was started with Python. By the constructor. */
void python_frames_begin(void);

/* Whether that library is Python, or has it in itself: one that came later is found where its code is first
 * seen on a stack. On a thread that runs it. */
void python_frames_look_in(const struct link_map *library);

/* In a forked child: another thread may have been finding out. */
void python_frames_after_fork(void);

/* Whether there is Python to be read: most programs have none, and pay this load. */
extern _Atomic bool python_frames_on;

/* One word for each of the innermost frames, which tells that line of that code from others.
 * Returns how many; 0 where no Python runs. */
int python_frames_key(uint64_t *words, int limit);

/* The same frames as addresses of atoms (struct python_frame). Fewer where there is no room for
 * another atom. */
int python_frames_take(uint64_t *words, int limit);

/* The metadata's `python`. False: there is no Python. */
bool python_frames_status(char *text, size_t size);

#endif

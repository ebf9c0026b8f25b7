/*
 * The Python frames on the calling thread's stack, read from CPython's own structures.
 *
 * Works with or without the GIL: a thread's frames change only while the thread itself runs Python
 * code, and they keep their code alive. Only two functions of Python are called, which read a word
 * each (PyGILState_GetThisThreadState, Py_IsInitialized). No lock is taken, no object made, no
 * reference counted. Unknown versions and structures are not read; python_frames_status() then has
 * the reason.
 *
 * One gap: the interpreter frees the states of daemon threads when it ends. A daemon thread that
 * returns from CUDA in that microsecond could read freed memory.
 */
#ifndef STREAMTRACE_PYTHON_FRAMES_H
#define STREAMTRACE_PYTHON_FRAMES_H

#include "base/hot.h"
#include "stack/python_code.h"

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Finds Python if the program was started with it. Call once, in the constructor. */
void python_frames_begin(void);

/* Finds Python if this library is or contains the interpreter. Call for a library that was loaded
 * later, when its code is first seen on a stack, on a thread that runs the library. */
void python_frames_look_in(const struct link_map *library);

/* Call in a forked child: lets the child find Python, if another thread of the parent was in the
 * middle of finding it. */
void python_frames_after_fork(void);

/* Whether there may be Python frames to read. Test this before the functions below: most programs
 * have none. */
extern _Atomic bool python_frames_on;

/* For sites_foresee(), while python_frames_on: fetches what python_frames_key() will read first. */
HOT void python_frames_foresee(void);

/* Stores a word for each of the calling thread's innermost frames, at most `limit`. Equal words
 * mean the same line of the same code. Returns how many were stored; 0: no Python runs on this
 * thread. */
HOT int python_frames_key(uint64_t *words, int limit);

/* Stores the addresses of atoms for the innermost frames (struct python_frame), at most `limit`.
 * Returns how many were stored; the rest is missing if there is no room for an atom. */
int python_frames_take(uint64_t *words, int limit);

/* What reading other threads' frames needs (python_threads.h). */
struct python_runtime {
	struct python_objects objects;
	uint64_t low, high;			  /* where _PyRuntime lies */
	int (*is_initialized)(void);		  /* Py_IsInitialized */
	void *(*main_interpreter)(void);	  /* PyInterpreterState_Main */
	void *(*first_thread)(void *interpreter); /* PyInterpreterState_ThreadHead */
};

/* NULL: no thread that runs Python has made a call yet, or other threads cannot be read. Any
 * thread. */
const struct python_runtime *python_frames_runtime(void);

/* Stores the value of metadata key `python` as text: the version, or why it is not read. False:
 * there is no Python; text is left alone. */
bool python_frames_status(char *text, size_t size);

#endif

/*
 * Makes the writer thread run as the process was scheduled when it began.
 *
 * A thread inherits its scheduling from its creator: whichever thread makes the first CUDA call,
 * perhaps a real-time one, or one pinned to a core. The writer gets the default policy and
 * floating-point state. From the process's main thread at its start it gets the processors, nice
 * value, timer slack, memory policy and I/O priority. It keeps what cannot be undone: seccomp
 * filters, dropped capabilities, a threaded cgroup.
 */
#ifndef STREAMTRACE_SCHEDULING_H
#define STREAMTRACE_SCHEDULING_H

#include <stdbool.h>

/* Reads the main thread's values. Call once, in the constructor. The processors were read earlier,
 * when the library was relocated, because another library's constructor may pin the thread. */
void scheduling_remember(void);

/* Call around the creation of the writer's thread, on the creating thread: Linux lets a
 * SCHED_DEADLINE thread create only threads that begin with the default policy. changed: the result
 * of scheduling_create_begin(). */
bool scheduling_create_begin(void);
void scheduling_create_end(bool changed);

/* Applies the values of scheduling_remember() to the calling thread. Call first on the writer's
 * thread. A value that the system does not let us set stays inherited. */
void scheduling_restore(void);

#endif

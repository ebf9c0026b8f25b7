/*
 * How the process was scheduled when it began: the writer runs so.
 *
 * A thread inherits from the thread that creates it, which is whichever makes the first CUDA call:
 * maybe a real-time one, or one on a core of its own. The writer takes on the default policy and floating
 * point, and of the process' main thread at its start the processors, the nice value, the timer
 * slack, the memory policy and the I/O priority. What cannot be undone it keeps: seccomp filters,
 * dropped capabilities, a threaded cgroup.
 */
#ifndef STREAMTRACE_SCHEDULING_H
#define STREAMTRACE_SCHEDULING_H

#include <stdbool.h>

/* Constructor. The processors are known already: another library's constructor may pin the thread. */
void scheduling_remember(void);

/* Around the creation of the writer's thread, on the thread that creates it: Linux lets a SCHED_DEADLINE thread
 * create none unless that begins with the default policy. changed: what _begin() returned. */
bool scheduling_create_begin(void);
void scheduling_create_end(bool changed);

/* On the writer's thread, first. What the system does not permit stays as it was inherited. */
void scheduling_restore(void);

#endif

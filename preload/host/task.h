/*
 * What the kernel tells about a thread of this process, read from /proc/self/task. By system calls
 * of our own, which the program cannot interpose. One thread (the looker).
 */
#ifndef STREAMTRACE_HOST_TASK_H
#define STREAMTRACE_HOST_TASK_H

#include "facts/facts.h"

#include <stdbool.h>
#include <stdint.h>

#define TASK_NAME_BYTES 128

/* What a thread was found doing: the columns of host_states with these names. */
struct task_look {
	enum host_state state;
	int64_t object;		    /* STORE_NULL: none */
	char name[TASK_NAME_BYTES]; /* of the object; "": none */
	uint64_t sp, pc;	    /* its registers; 0 while it runs */
};

/* False: the thread has ended, or the kernel does not tell (*is_forbidden). */
bool task_look(uint32_t thread_id, struct task_look *look, bool *is_forbidden);

/* What the kernel has counted since the thread's start; -1: not known. */
struct task_counts {
	int64_t ready_ns, faults;
};
struct task_counts task_counts(uint32_t thread_id);

/* Processor time that the thread has used; 0: it has ended. */
int64_t task_cpu_ns(uint32_t thread_id);

/* Stores the ids of the process's threads, at most `limit`; returns how many there are. */
int task_list(uint32_t *ids, int limit);

#endif

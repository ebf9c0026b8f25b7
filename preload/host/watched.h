/*
 * Which threads are looked at: those that make CUDA calls (they have a ring), those that Python
 * knows, and those that ran of late; WATCHED_MOST at most, in this order. The looker only.
 */
#ifndef STREAMTRACE_HOST_WATCHED_H
#define STREAMTRACE_HOST_WATCHED_H

#include "host/native_stack.h"
#include "host/task.h"
#include "stack/python_threads.h"

#define WATCHED_MOST 64

struct atom;

/* A row of host_states in the making. */
struct watched_row {
	struct task_look look;
	struct atom *site; /* NULL: unknown */
	int64_t start_ns, ready_ns, faults, system_ns;
	int64_t looks; /* 0: there is no row */
};

struct watched {
	uint32_t id; /* gettid() */
	bool is_wanted;
	struct python_thread python; /* state 0: Python does not know it */
	struct task_files files;
	struct task_counts counts; /* when last read, at counted_ns */
	int64_t counted_ns;
	int64_t cpu_ns; /* used when last looked at */
	uint32_t looks;
	struct native_stack native;
	struct watched_row row;
};

/* The watched threads. */
struct watched_list {
	struct watched threads[WATCHED_MOST];
	int count;
	uint32_t own[2]; /* ids of the library's threads, which are not looked at */
	bool is_full;	 /* some found no room, at some time */
};

/* Makes the list anew; calls ended() for each thread that is no longer watched. now_ns:
 * CLOCK_REALTIME. */
void watched_renew(struct watched_list *list, int64_t now_ns,
		   void (*ended)(struct watched *thread, int64_t now_ns));

/* Call in a forked child. */
void watched_after_fork(void);

#endif

/*
 * What the kernel tells about a thread of this process, read from /proc/self/task. By system calls
 * of our own, which the program cannot interpose. One thread (the looker), which opens files all the
 * time: it should have called descriptor_table_separate().
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

/* A thread's files in /proc/self/task, which stay open: to open, read and close one takes 7 us, to
 * read it 0.4 us (2026-11-24, Firecracker). All 0: none is open. */
struct task_files {
	int kept[3]; /* descriptors plus 1; 0: not open */
};

/* Closes them. */
void task_files_close(struct task_files *files);

/* Whether the kernel tells about threads by their ids. It does not where /proc is missing, not
 * readable, or that of another namespace of ids, or (errno is EMFILE) where no file can be opened.
 * own_id: gettid() of the calling thread. */
bool task_is_told(uint32_t own_id);

/* False: the thread has ended, or the kernel does not tell (task_is_told()). */
bool task_look(uint32_t thread_id, struct task_files *files, struct task_look *look);

/* What the kernel has counted since the thread's start; -1: not known. */
struct task_counts {
	int64_t ready_ns, faults, system_ns;
};
struct task_counts task_counts(uint32_t thread_id, struct task_files *files);

/* Processor time that the thread has used; 0: it has ended, or the kernel does not tell. */
int64_t task_cpu_ns(uint32_t thread_id);

/* Stores the numbers that are names of files in a folder of /proc, at most `limit`; returns how many
 * there are. For "/proc/self/task" these are the ids of the process's threads. */
int task_numbers(const char *folder, uint32_t *numbers, int limit);

#endif

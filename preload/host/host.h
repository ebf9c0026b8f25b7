/*
 * What the program's threads do between their CUDA calls: table host_states.
 *
 * A thread of our own, the looker, looks at each watched thread once in a period: at
 * /proc/self/task/ID/syscall, at Python's frames (stack/python_threads.h), at what the kernel counts. No
 * thread of the program takes part: none is stopped or signalled, and none ever waits for the
 * looker. Its descriptors are its own (descriptor_table.h). Watched are threads that make CUDA
 * calls, and others while they run; 64 at most.
 *
 * Looking is bounded: the period doubles when it takes over 2 % of a processor (1 % in watch mode, while nothing
 * is recorded), and with each 65,536 rows (not in watch mode), so that the file grows with the logarithm of the time. The
 * shortest period of the watch mode is period_of_watch.shortest_ns. Rows wait in a queue for the writer thread; what finds
 * no room there is counted as lost. Between windows nobody looks.
 *
 * In watch mode a look that comes late though the looker did not wait for a processor tells that the process was stopped.
 *
 * Where something cannot be seen the status says so; nothing fails for the program.
 */
#ifndef STREAMTRACE_HOST_H
#define STREAMTRACE_HOST_H

#include "host/row_queue.h"
#include "stack/caller.h"

#include <stdbool.h>

/* Starts the looker, unless STREAMTRACE_HOST is 0; call once, before the functions below. Writer thread, when the file is open. */
void host_begin(void);

/* Stores the rows that the looker has made. Writer thread. */
void host_store(struct store *store);

/* Calls take() for each of these rows instead of storing it; store: its first argument. Writer thread. */
void host_take(void (*take)(struct store *store, const struct host_row *row), struct store *store);

/* In watch mode. host_hurry(true): looks are as near as for a trace; false: as far apart as in period_of_watch, but near
 * while a step (recorder_step_began_ns) has lasted for longer than host_hurry_after(); 0: no step has.
 * host_ask(): asks the looker for the rows in the making, and for the stack of the thread, which is in a call made
 * from caller (thread_id 0: none). host_answers(): true, once, when they are there; *site is NULL where the stack is not
 * known. Writer thread. */
void host_hurry(bool is_hurried);
void host_hurry_after(int64_t step_ns);
void host_ask(uint32_t thread_id, struct caller caller);
bool host_answers(struct atom **site);

/* Processor time that the looker has used, in ns, and how far apart its looks are. Any thread. */
int64_t host_cpu_ns(void);

/* Stores metadata keys host_states, host_look_ns and host_cpu_ns. Writer thread. */
void host_describe(struct store *store);

/* Ends the looker and stores the last rows. Waits for it 0.1 s at most: the exiting thread may hold
 * what it waits for. is_alone: the program has no threads any more; then waits until the looker has
 * ended, because exit() runs in the last thread, and the program's descriptors are none of the
 * looker's. store: NULL where there is no file. Writer thread. */
void host_end(struct store *store, bool is_alone);

/* How many threads of ours beside the writer there are: 0 or 1. Any thread. */
int host_threads(void);

/* Call in a forked child, which has no looker. */
void host_after_fork(void);

#endif

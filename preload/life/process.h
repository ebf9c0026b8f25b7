/* What the kernel knows of this process. */
#ifndef STREAMTRACE_PROCESS_H
#define STREAMTRACE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

/* When the run began that this process belongs to, ns of CLOCK_REALTIME, a tick too early rather
 * than too late: files made since are of the same run. The start of this process, whatever programs
 * it has become since by exec; in a forked child the loading of the library into its parent, for
 * its brothers' traces are of the same run; or what STREAMTRACE_KEEP_SINCE_NS says, if that is
 * earlier. */
int64_t process_run_began_ns(void);

/* True when main() left through pthread_exit() and all the program's threads have ended: the leader
 * is a zombie and the caller, a thread of ours, is the other one. glibc exits then, in the thread
 * that ends last: that must be ours. */
bool process_threads_have_ended(void);

#endif

/* Facts about this process from the kernel. */
#ifndef STREAMTRACE_PROCESS_H
#define STREAMTRACE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

/* When the process's run began, ns of CLOCK_REALTIME; up to a tick too early, never too late. Trace
 * files made since then belong to this run. The result is the earliest of three times: when the
 * process started, whatever it executed since; when the library was loaded;
 * STREAMTRACE_KEEP_SINCE_NS. In a forked child the second is when the parent loaded the library,
 * because the traces of the child's siblings belong to the run. */
int64_t process_run_began_ns(void);

/* True if main() left through pthread_exit() and all threads of the program have ended: the leader
 * is a zombie, and only own_threads threads of ours are left. Then glibc runs exit() in the last
 * thread to end, which must be ours. */
bool process_threads_have_ended(int own_threads);

#endif

/*
 * When tracing begins and ends.
 *
 * The constructor reads the environment and asks the driver to call InitializeInjection() in
 * cuInit() (CUDA_INJECTION64_PATH), so a process that never uses CUDA gets no thread and no file.
 * The first wrapped call or the injection, whichever comes first, starts the writer; the injection
 * starts CUPTI. Our exit handler is registered after CUDA's, so that it runs before CUDA is torn
 * down. The recorder and the writer get hooks, and do not depend on this module.
 *
 * If the file or the writer thread cannot be made, the user is told on standard error, the recorder
 * is turned off, and the program runs untraced.
 */
#ifndef STREAMTRACE_LIFECYCLE_H
#define STREAMTRACE_LIFECYCLE_H

#include "life/writer.h"

/* Call when the process is about to end. In the traced process: flushes for the last time, in
 * bounded time. In others (forked children): nothing. A later caller waits for the same flush,
 * until the first caller's limit. Any thread; async-signal-safe. */
void lifecycle_end(enum writer_end end);

/* Call before exit() and quick_exit(). The first thread returns at once: its exit handlers end the
 * tracing. A later thread waits until tracing has ended; after the exit timeout it calls
 * lifecycle_end() itself. It must wait, because glibc before 2.41 lets several threads run exit
 * handlers at once, and the thread that finds no handler left ends the process. runs_cuda_handlers:
 * a later thread also waits up to 5 s for the end of the process, because CUDA's handlers crash in
 * two threads at once. (glibc since 2.41 waits there for ever.) Any thread. */
void lifecycle_enter_exit(bool runs_cuda_handlers);

/* Call lifecycle_before_exec() before an exec: it flushes in bounded time, like lifecycle_end().
 * False: there was nothing to flush, because this process is not traced, or no longer. Call
 * lifecycle_after_exec() if the exec failed: tracing goes on. is_flushed: the result of
 * lifecycle_before_exec(). Any thread. */
bool lifecycle_before_exec(void);
void lifecycle_after_exec(bool is_flushed);

#endif

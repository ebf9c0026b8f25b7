/*
 * When tracing begins and ends.
 *
 * The constructor reads the environment and asks the driver to call InitializeInjection() at cuInit
 * (CUDA_INJECTION64_PATH): a process that never touches CUDA gets no thread and no file. The first
 * wrapped call or the injection, whichever comes first, starts the writer; the injection starts
 * CUPTI. The exit handler is registered after CUDA's, so that it runs before CUDA is torn down.
 * The recorder and the writer do not know of this: they are given hooks.
 *
 * Without a file or a thread of ours the user is told on standard error, the recorder is turned
 * off, and the program runs untraced.
 */
#ifndef STREAMTRACE_LIFECYCLE_H
#define STREAMTRACE_LIFECYCLE_H

#include "life/writer.h"

/* The process is about to end: the last flush, if this process is the one that is traced, else
 * nothing. A second caller waits as long as the first. Any thread, async-signal-safe. */
void lifecycle_end(enum writer_end end);

/* Before exit() and quick_exit(). The first thread goes on, and its handlers end the tracing. A later one
 * waits for that end, for the exit timeout at most, and else ends it: glibc before 2.41 lets several threads
 * run the handlers at once, and the one that finds none left ends the process. runs_cuda_handlers: it then
 * also waits for the process' end, for five seconds at most, as glibc since 2.41 does without a bound: CUDA's
 * handlers crash when two threads run them, and untraced the process is gone by then. Any thread. */
void lifecycle_enter_exit(bool runs_cuda_handlers);

/* Around an exec: a flush before it, as above; when it failed, the tracing goes on. is_flushed: what
 * lifecycle_before_exec() returned. */
bool lifecycle_before_exec(void);
void lifecycle_after_exec(bool is_flushed);

#endif

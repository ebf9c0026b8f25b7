/*
 * When tracing begins and ends.
 *
 * The constructor reads the environment and asks the driver to call InitializeInjection() at cuInit
 * (CUDA_INJECTION64_PATH): a process that never touches CUDA gets no thread and no file. The first
 * wrapped call or the injection, whichever comes first, starts the writer; the injection starts
 * CUPTI. The exit handler is registered after CUDA's, so that it runs before CUDA is torn down.
 */
#ifndef STREAMTRACE_LIFECYCLE_H
#define STREAMTRACE_LIFECYCLE_H

#include <stdbool.h>

/* Starts the tracing once; true when it is on. Any thread. */
bool lifecycle_start(void);

/* Registers the exit handler once; called when CUDA is known to be initialized. */
void lifecycle_arm_exit(void);

#endif

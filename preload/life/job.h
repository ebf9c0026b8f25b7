/* Stores which job the process belongs to, from the launcher's environment (metadata in
 * schema.sql). */
#ifndef STREAMTRACE_JOB_H
#define STREAMTRACE_JOB_H

#include "store/store.h"

/* Copies the environment's values that job_describe() stores. Call on the program's thread, before
 * the writer thread runs. */
void job_take_environment(void);

/* Stores the job's size, the process's number on its machine, and the run's name; each only if the
 * launcher told it. Writer thread. */
void job_describe(struct store *store);

#endif

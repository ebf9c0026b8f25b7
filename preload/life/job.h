/* Of which job the process is: what the launcher's environment says, for the metadata of schema.sql. */
#ifndef STREAMTRACE_JOB_H
#define STREAMTRACE_JOB_H

#include "store/store.h"

/* Copies it, on the program's thread, before the writer thread runs. */
void job_take_environment(void);

/* Stores the job's size, the process' place on its machine, and the run. Writer thread. */
void job_describe(struct store *store);

#endif

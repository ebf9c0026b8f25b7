/* What commands make of a file once it is read. One thread. */
#ifndef STREAMTRACE_TESTS_FUZZ_OUTPUTS_H
#define STREAMTRACE_TESTS_FUZZ_OUTPUTS_H

#include "job/merge.h"
#include "trace/trace.h"

#include <stdint.h>

/* What `report`, `check`, `summarize` or `export` makes of the trace, in one format: choice says which, or none. */
void fuzz_use_trace(struct trace *trace, uint8_t choice);

/* The report of the job, which is freed. */
void fuzz_print_job(struct job *job, const char *format);

#endif

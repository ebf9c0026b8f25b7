/* Names of a trace's program, devices and sites for people. The caller must free() each. Any
 * thread. */
#ifndef STREAMTRACE_TRACE_TEXTS_H
#define STREAMTRACE_TRACE_TEXTS_H

#include "trace/site.h"

/* "pageable_copy", or "train.py" if an interpreter ran it; NULL: unknown. */
char *trace_text_program(const struct trace *trace);

/* "NVIDIA H100", "2 x NVIDIA H100, ..."; NULL: none. */
char *trace_text_devices(const struct trace *trace);

/* "saxpy.cu:12", relative to the trace's working directory if it is below that; "libfoo.so+0x1234"
 * without a line. */
char *trace_text_site(const struct trace *trace, const struct site *site);

#endif

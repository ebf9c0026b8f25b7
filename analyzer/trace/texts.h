/* What a trace's run, its devices and its sites are called, for people. Each text is malloc'ed. Any thread. */
#ifndef STREAMTRACE_TRACE_TEXTS_H
#define STREAMTRACE_TRACE_TEXTS_H

#include "trace/site.h"

/* "pageable_copy", or "train.py" where an interpreter ran it; NULL: not known. */
char *trace_text_program(const struct trace *trace);

/* "NVIDIA H100", "2 x NVIDIA H100, ..."; NULL: none. */
char *trace_text_devices(const struct trace *trace);

/* "saxpy.cu:12", below the trace's working directory if it is there; or "libfoo.so+0x1234" where there is
 * no line. */
char *trace_text_site(const struct trace *trace, const struct site *site);

#endif

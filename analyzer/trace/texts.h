/* Names of a trace's program, devices and sites for people. The caller must free() each text. Any
 * thread. */
#ifndef STREAMTRACE_TRACE_TEXTS_H
#define STREAMTRACE_TRACE_TEXTS_H

#include "trace/site.h"

/* "pageable_copy", or "train.py" if Python ran it; NULL: unknown. */
char *trace_text_program(const struct trace *trace);

/* "NVIDIA H100", "2 x NVIDIA H100, ..."; NULL: the trace has no device. */
char *trace_text_devices(const struct trace *trace);

/* "main thread", "thread loader", or "thread 4711" if its name is unknown or that of the main thread,
 * as every thread's is that was not named. Never NULL. */
char *trace_text_thread(const struct trace *trace, uint32_t thread_id);
/* Whether trace_text_thread() calls it the main thread. */
bool trace_text_is_main_thread(const struct trace *trace, uint32_t thread_id);

/* The part of the path behind the folder of Python's packages: "torch/nn/modules/linear.py". Other
 * paths are returned as they are. */
const char *trace_text_package_path(const char *path);

/* Why the trace has no host states, and how to get them: "no host states recorded
 * (STREAMTRACE_HOST=0): ...". NULL: the trace has some. */
char *trace_text_no_host_states(const struct trace *trace);

/* Whether the site's text names its function: in an import the offset of a line that is not known is
 * an address of the run, since exports do not say where modules were loaded. */
bool trace_text_site_has_function(const struct trace *trace, const struct site *site);

/* "saxpy.cu:12": the path is relative to the trace's working directory if the file is below it.
 * "libfoo.so+0x1234" without a line, of an import "step in libfoo.so"; "(call site unknown)" for an empty site. Never NULL. */
char *trace_text_site(const struct trace *trace, const struct site *site);

#endif

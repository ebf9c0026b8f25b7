/*
 * What programs in watch mode say of themselves, in the text format 0.0.4 of Prometheus, for the textfile collector of
 * node_exporter. One thread.
 */
#ifndef STREAMTRACE_WATCH_METRICS_H
#define STREAMTRACE_WATCH_METRICS_H

#include "commands/gpu_share.h"
#include "commands/watch_pages.h"

/* Writes the file as a whole, or leaves it (base/output.h). A file that does not begin as this function writes it is
 * not replaced. gpu may be NULL. Returns NULL, or why not as one line, which the caller frees. */
char *watch_metrics_write(const char *path, const struct watched_programs *programs,
			  struct gpu_share *gpu);

#endif

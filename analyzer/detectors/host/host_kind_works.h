/* Works (works.h) of one kind: what host-work, loader-empty and file-read share. Any thread. */
#ifndef STREAMTRACE_HOST_KIND_WORKS_H
#define STREAMTRACE_HOST_KIND_WORKS_H

#include "detectors/host/host_kinds.h"

/* Adds an instance for each work that the kind's fix moves (host_kinds_moved()), at the line of its
 * longest part of this kind. */
void host_kind_works_find(const struct observed *observed, enum host_kind kind,
			  struct instances *found);

/* For struct detector.describe. doing: "reading files" and the like. */
void host_kind_works_describe(const struct observed *observed, const struct instance *instance,
			      const char *doing, char *text, size_t size);

#endif

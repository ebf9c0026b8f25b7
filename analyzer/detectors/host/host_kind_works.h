/* Works (works.h) of one kind: what host-work, loader-empty and file-read share. Any thread. */
#ifndef STREAMTRACE_HOST_KIND_WORKS_H
#define STREAMTRACE_HOST_KIND_WORKS_H

#include "detectors/host/host_kinds.h"

/* Adds an instance for each gap of which others can do SEQUENCE_WORK_NS or more, most of it of this kind:
 * HOST_KIND_WORK, HOST_KIND_LOADER or HOST_KIND_FILE. Its line is that of the longest part of the kind. */
void host_kind_works_find(const struct observed *observed, enum host_kind kind,
			  struct instances *found);

/* For struct detector.describe. doing: "reading files" and the like. */
void host_kind_works_describe(const struct observed *observed, const struct instance *instance,
			      const char *doing, char *text, size_t size);

#endif

/* What of a managed-fault finding can be tried in a running program. Any thread. */
#ifndef STREAMTRACE_DETECTORS_MANAGED_FAULT_H
#define STREAMTRACE_DETECTORS_MANAGED_FAULT_H

#include "detectors/doubt.h"
#include "detectors/instance.h"
#include "replay/observed.h"

/* As apply of struct detector, for a prefetch to the device alone: the kernels do not fault. What moves back to the host still
 * does so by faults of the host. */
void managed_fault_prefetch(const struct observed *observed, const struct instance *instances,
			    size_t count, enum doubt doubt, struct edits *edits);

#endif

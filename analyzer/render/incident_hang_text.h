/* What reports say of a call that has not returned (incident/incident.h), as render/incident_text.h. One thread. */
#ifndef STREAMTRACE_INCIDENT_HANG_TEXT_H
#define STREAMTRACE_INCIDENT_HANG_TEXT_H

#include "incident/incident.h"

/* Of a hang: "Since 2026-11-28 23:12:03 UTC, main thread:". NULL: it is none, or its stack is not known. */
char *incident_text_since(const struct incident *incident);

/* A frame of a hang's stack, innermost first: Python's frames before the others. NULL: there is none of that index. */
char *incident_text_frame(const struct incident *incident, size_t index);

/* What the device did while it was recorded: "GPU, recorded for 2.00 s: no operation ended". */
char *incident_text_device(const struct incident *incident);

#endif

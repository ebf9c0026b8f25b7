/* Lists of detectors' ids: "pageable-copy,sync-in-loop", or "all". Any thread. */
#ifndef STREAMTRACE_GATE_IDS_H
#define STREAMTRACE_GATE_IDS_H

#include <stdbool.h>

/* Whether the list names the id, or all. */
bool ids_have(const char *list, const char *id);

/* The first word of the list that is no detector's id, malloc'ed; NULL: all are. */
char *ids_unknown(const char *list);

#endif

/* Lists of ids of detectors and of races: "pageable-copy,sync-in-loop", or "all". Any thread. */
#ifndef STREAMTRACE_GATE_IDS_H
#define STREAMTRACE_GATE_IDS_H

#include <stdbool.h>

/* Whether the list has the id or the word "all". list: ids with commas, without blanks; NULL is an
 * empty list. */
bool ids_have(const char *list, const char *id);

/* Whether the list has the id itself. */
bool ids_name(const char *list, const char *id);

/* The first word of the list that is neither the id of a detector or of races (race_id()) nor "all". The caller frees the word.
 * NULL: there is no such word. */
char *ids_unknown(const char *list);

#endif

/*
 * JSON values that several outputs share. The caller releases each. Out of memory gives NULL, which print_json()
 * reports. Any thread.
 */
#ifndef STREAMTRACE_JSON_PARTS_H
#define STREAMTRACE_JSON_PARTS_H

#include "findings/analysis.h"

#include <jansson.h>

#define JSON_SCHEMA_VERSION 1

/* Returns text as a JSON string; text NULL: JSON null. text must be UTF-8, as all texts of a trace are after
 * arena_text(). */
json_t *text_or_null(const char *text);

/* Returns {"low", "estimate", "high"} in ns. */
json_t *interval_object(const struct stated *interval);

/* Returns {"compute", "h2d", "d2h", "peer"} in ns. busy_ns: an array of ENGINE_COUNT times. */
json_t *busy_object(const int64_t *busy_ns);

/* Returns an object with the site's members file, line, function, module, offset, through and through_function; JSON
 * null stands for what is unknown. */
json_t *site_object(const struct site *site);

/* Prints json and a newline, and releases json. False: json is NULL, or memory ran out; nothing is printed. Failures
 * to write show in ferror(out). */
bool print_json(FILE *out, json_t *json);

/* Whether print_json() has printed to standard output. One thread. */
bool has_printed_json(void);

#endif

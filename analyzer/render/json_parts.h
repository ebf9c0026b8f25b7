/*
 * Objects that several JSON outputs have in common. The caller owns each.
 */
#ifndef STREAMTRACE_JSON_PARTS_H
#define STREAMTRACE_JSON_PARTS_H

#include "findings/analysis.h"

#include <jansson.h>

#define JSON_SCHEMA_VERSION 1

/* NULL becomes null. Texts of a trace are UTF-8: arena_text() saw to that. */
json_t *text_or_null(const char *text);

json_t *interval_object(const struct interval *interval);

/* A saving with its range (findings/range.h). */
json_t *saving_object(const struct analysis *analysis, const struct interval *saved);

json_t *busy_object(const int64_t *busy_ns);
json_t *site_object(const struct site *site);

/* Prints the object or array and a newline, and releases it. False: out of memory. */
bool print_json(FILE *out, json_t *json);

#endif

/*
 * JSON objects that several outputs share. The caller releases each. Any thread.
 */
#ifndef STREAMTRACE_JSON_PARTS_H
#define STREAMTRACE_JSON_PARTS_H

#include "findings/analysis.h"

#include <jansson.h>

#define JSON_SCHEMA_VERSION 1

/* A string; null for NULL. text must be UTF-8, as all texts of a trace are after arena_text(). */
json_t *text_or_null(const char *text);

/* {"low", "estimate", "high"} in ns. */
json_t *interval_object(const struct stated *interval);

/* {"compute", "h2d", "d2h", "peer"} of an array of ENGINE_COUNT times. */
json_t *busy_object(const int64_t *busy_ns);
/* A call site. */
json_t *site_object(const struct site *site);

/* Prints json and a newline, and releases json. False: json is NULL, or memory ran out; nothing is printed. */
bool print_json(FILE *out, json_t *json);

#endif

/*
 * What a range is called: messages, registered strings, domains.
 *
 * Handles are numbers of ours, so one that is not (of another process, or never set) names nothing
 * instead of being followed. Any thread; tables are only ever added to.
 */
#ifndef STREAMTRACE_RANGE_TEXT_H
#define STREAMTRACE_RANGE_TEXT_H

#include "recorder/record.h"

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

/* Longer ones are cut, and end in "...". */
#define RANGE_TEXT_MOST 1023

struct nvtxEventAttributes_v2;

void range_text_set(struct range_fields *fields, const char *message);
void range_text_set_wide(struct range_fields *fields, const wchar_t *message);

/* Message and colour of the attributes; NULL: none. */
void range_text_set_attributes(struct range_fields *fields,
			       const struct nvtxEventAttributes_v2 *attributes);

/* A handle, NULL without room. */
void *range_text_register(const char *text);
void *range_text_register_wide(const wchar_t *text);

/* A domain of this name; the same name has the same handle. */
void *range_text_domain(const char *name);
void *range_text_domain_wide(const wchar_t *name);

/* The name of the domain; NULL: the default one, or no handle of ours. */
struct atom *range_text_of_domain(const void *handle);

#endif

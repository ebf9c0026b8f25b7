/*
 * The names of ranges: messages, registered strings and domains.
 *
 * Handles are numbers that we give out. A number that we did not (of another process, or never set)
 * names nothing and is not followed as a pointer. Any thread; tables are only added to.
 */
#ifndef STREAMTRACE_RANGE_TEXT_H
#define STREAMTRACE_RANGE_TEXT_H

#include "recorder/record.h"

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

/* longest text in bytes; longer ones are cut and end in "..." */
#define RANGE_TEXT_MOST 1023

struct nvtxEventAttributes_v2;

/* Sets the range's message, copied; NULL: no message. The name and text of *fields must be
 * unset. */
void range_text_set(struct range_fields *fields, const char *message);
void range_text_set_wide(struct range_fields *fields, const wchar_t *message);

/* Sets the range's message and colour from the attributes. NULL, or attributes smaller than this
 * version's: leaves both unset. */
void range_text_set_attributes(struct range_fields *fields,
			       const struct nvtxEventAttributes_v2 *attributes);

/* Stores a copy of the text and returns its handle, valid for ever. NULL: no room, or text is
 * NULL. */
void *range_text_register(const char *text);
void *range_text_register_wide(const wchar_t *text);

/* Returns the handle of the domain with this name, and adds a new domain. NULL: no room, or name is
 * NULL. */
void *range_text_domain(const char *name);
void *range_text_domain_wide(const wchar_t *name);

/* The name of the domain, as an ATOM_TEXT; NULL: the default domain, or not a handle of ours. */
struct atom *range_text_of_domain(const void *handle);

#endif

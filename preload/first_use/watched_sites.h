/* The call sites whose copies are watched, from STREAMTRACE_FIRST_USE. */
#ifndef STREAMTRACE_WATCHED_SITES_H
#define STREAMTRACE_WATCHED_SITES_H

#include <stdbool.h>

struct caller; /* stack/caller.h */

/* Reads the list of sites. text: "1" for all, or "module:offset,...", the offset hexadecimal as in
 * schema.sql's frames; must stay valid. Call in the constructor. False: invalid text. */
bool first_use_sites_read(const char *text);

/* Whether a listed site is on the stack of the current call, at any depth. The caller must hold
 * first_use.c's lock. */
bool first_use_sites_include(const struct caller *caller);

#endif

/* The call sites whose copies are watched: STREAMTRACE_FIRST_USE as a list of return addresses. */
#ifndef STREAMTRACE_FIRST_USE_SITES_H
#define STREAMTRACE_FIRST_USE_SITES_H

#include <stdbool.h>

struct caller;

/* "1": all; else "module:offset,...", the offset hexadecimal, in the module's addresses, as
 * schema.sql's frames have them. Constructor. False: the text is invalid. */
bool first_use_sites_read(const char *text);

/* Whether the current call comes from one of them, at any depth of its stack. The caller must hold
 * first_use.c's lock. */
bool first_use_sites_include(const struct caller *caller);

#endif

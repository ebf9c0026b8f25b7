/*
 * Patterns of the command line, for call sites and NVTX ranges: of fnmatch(), ignoring case. Any thread.
 */
#ifndef STREAMTRACE_PATTERN_H
#define STREAMTRACE_PATTERN_H

#include "trace/site.h"

/* Returns the pattern for texts of which a part is like `part`, which the caller must free(). NULL: part is NULL. */
char *pattern_of_part(const char *part);

/* Whether the text is like the pattern. text may be NULL: it is like none. */
bool pattern_is_like(const char *text, const char *pattern);

/* Whether the site's FILE:LINE, function or module is like the pattern. */
bool pattern_is_site(const struct site *site, const char *pattern);

/* Whether the range's name, or DOMAIN:NAME if it has a domain, is like the pattern. */
bool pattern_is_range(const struct trace_range *range, const char *pattern);

#endif

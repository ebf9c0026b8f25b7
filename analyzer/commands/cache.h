/*
 * Numbers that were measured on this machine, kept for later reports: one file for each subject (a
 * GPU by its uuid, the host), in $XDG_CACHE_HOME/streamtrace or ~/.cache/streamtrace.
 *
 * A file has a line "key value" for each number. What cannot be read is as if it were not there;
 * what cannot be written is measured again next time: nothing here fails. Files are replaced as a
 * whole, so that a reader never sees half of one. One thread.
 */
#ifndef STREAMTRACE_CACHE_H
#define STREAMTRACE_CACHE_H

#include "base/vector.h"

#include <stdbool.h>

#define CACHE_KEY_BYTES 64

struct cache_entry {
	char key[CACHE_KEY_BYTES];
	double value;
};

/* Zero-initialize it. */
struct cache {
	VECTOR(struct cache_entry) entries;
};

/* Reads the subject's file. The subject may come from a trace: one with other characters than
 * letters, digits, '-', '_' and inner '.' has no file. */
void cache_read(struct cache *cache, const char *subject);

/* False: there is no such number. Those that there are, are finite. */
bool cache_find(const struct cache *cache, const char *key, double *value);

/* Adds the number or replaces it. A key is a word of less than CACHE_KEY_BYTES characters. */
void cache_set(struct cache *cache, const char *key, double value);

/* Writes these numbers into the subject's file, beside others that are there already. */
void cache_write(const struct cache *cache, const char *subject);

void cache_free(struct cache *cache);

#endif

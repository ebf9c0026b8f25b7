/*
 * Numbers that were measured on this machine, kept for later reports: one file for each subject (a
 * GPU by its uuid, the host), in $XDG_CACHE_HOME/streamtrace or ~/.cache/streamtrace.
 *
 * A file has a line "key value" for each number. No function fails: a number that cannot be read counts as
 * missing, and a number that cannot be written is measured again next time. A file is replaced as a whole, so
 * that a reader never sees half of it. One thread.
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

/* Numbers in memory. Zero-initialize the struct, and free it with cache_free(). */
struct cache {
	VECTOR(struct cache_entry) entries;
};

/* Adds the numbers of the subject's file to the cache; a number with the same key is replaced. The subject may come
 * from a trace: a name with other characters than letters, digits, '-', '_' and inner '.' has no file. */
void cache_read(struct cache *cache, const char *subject);

/* Sets *value to the number of the key. False: the cache has no such number, and *value stays. A number that was
 * read from a file is finite. */
bool cache_find(const struct cache *cache, const char *key, double *value);

/* Adds the number, or replaces the number of the same key. A key is copied; it is a word of less than
 * CACHE_KEY_BYTES characters. */
void cache_set(struct cache *cache, const char *key, double value);

/* Writes the cache's numbers into the subject's file. Numbers of other keys in that file stay. */
void cache_write(const struct cache *cache, const char *subject);

/* Frees what the cache holds, not the struct. */
void cache_free(struct cache *cache);

#endif

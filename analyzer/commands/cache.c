#include "commands/cache.h"

#include "base/folders.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/regular_file.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of a file; what is beyond is not read. */
#define MOST_ENTRIES	1000
#define MOST_LINE_BYTES 256

static bool is_file_name(const char *subject)
{
	for (const char *c = subject; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("-_.", *c))
			return false;
	return *subject && *subject != '.' && strlen(subject) < 128;
}

/* The folder of the files; malloc'ed, NULL: there is no place for it. Relative paths in the
 * environment do not count (XDG Base Directory Specification). */
static char *make_folder_name(void)
{
	const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (base && *base == '/')
		return memory_format("%s/streamtrace", base);
	return home && *home == '/' ? memory_format("%s/.cache/streamtrace", home) : NULL;
}

/* malloc'ed, or NULL. */
static char *make_path(const char *subject)
{
	char *folder = is_file_name(subject) ? make_folder_name() : NULL;
	char *path = folder ? memory_format("%s/%s", folder, subject) : NULL;

	free(folder);
	return path;
}

static struct cache_entry *find_entry(const struct cache *cache, const char *key)
{
	for (size_t i = 0; i < cache->entries.count; i++)
		if (strcmp(cache->entries.items[i].key, key) == 0)
			return &cache->entries.items[i];
	return NULL;
}

static void take_line(struct cache *cache, const char *line)
{
	char key[CACHE_KEY_BYTES], end;
	double value;

	_Static_assert(CACHE_KEY_BYTES == 64, "the width in the format");
	if (sscanf(line, "%63s %lf %c", key, &value, &end) == 2 && isfinite(value) &&
	    cache->entries.count < MOST_ENTRIES)
		cache_set(cache, key, value);
}

void cache_read(struct cache *cache, const char *subject)
{
	char *path = make_path(subject), line[MOST_LINE_BYTES];
	int file = path ? regular_file_open(path) : -1;
	FILE *stream = file >= 0 ? fdopen(file, "r") : NULL;

	free(path);
	if (!stream) {
		if (file >= 0)
			close(file);
		return;
	}
	for (int i = 0; i < MOST_ENTRIES && fgets(line, sizeof(line), stream); i++)
		take_line(cache, line);
	fclose(stream);
}

bool cache_find(const struct cache *cache, const char *key, double *value)
{
	const struct cache_entry *entry = find_entry(cache, key);

	if (entry)
		*value = entry->value;
	return entry;
}

void cache_set(struct cache *cache, const char *key, double value)
{
	struct cache_entry *entry = find_entry(cache, key);

	if (!entry) {
		entry = vector_add(&cache->entries);
		snprintf(entry->key, sizeof(entry->key), "%s", key);
	}
	entry->value = value;
}

static void write_entries(const struct cache *cache, const char *path)
{
	char *error = NULL;
	struct output *output = output_open(path, 0600, &error);

	for (size_t i = 0; output && i < cache->entries.count; i++)
		fprintf(output_stream(output), "%s %.9g\n", cache->entries.items[i].key,
			cache->entries.items[i].value);
	if (output)
		output_close(output, &error);
	free(error);
}

void cache_write(const struct cache *cache, const char *subject)
{
	char *path = make_path(subject);
	struct cache all = {0};

	if (!path)
		return;
	cache_read(&all, subject);
	for (size_t i = 0; i < cache->entries.count; i++)
		cache_set(&all, cache->entries.items[i].key, cache->entries.items[i].value);
	folders_make_above(path, 0700);
	write_entries(&all, path);
	cache_free(&all);
	free(path);
}

void cache_free(struct cache *cache)
{
	vector_free(&cache->entries);
}

#include "findings/sources.h"

#include "base/memory.h"
#include "trace/source_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	LINE_MOST_BYTES = 400, /* the rest of a line is cut */
	TAB_COLUMNS = 8	       /* from one tab stop to the next */
};

/* The line with blanks for tabs. */
static void expand_tabs(const char *line, char text[LINE_MOST_BYTES + 1])
{
	size_t used = 0;

	for (; *line && *line != '\n' && *line != '\r' && used < LINE_MOST_BYTES; line++)
		do
			text[used++] = *line == '\t' ? ' ' : *line;
		while (*line == '\t' && used % TAB_COLUMNS && used < LINE_MOST_BYTES);
	text[used] = '\0';
}

/* An empty line shares any indentation. */
static void cut_indentation(struct source_lines *source)
{
	size_t shared = LINE_MOST_BYTES;

	for (size_t i = 0; i < source->count; i++) {
		size_t blanks = strspn(source->lines[i], " ");

		if (source->lines[i][blanks] && blanks < shared)
			shared = blanks;
	}
	for (size_t i = 0; i < source->count; i++) {
		size_t length = strlen(source->lines[i]);

		source->lines[i] += length < shared ? length : shared;
	}
}

static void take_lines(FILE *stream, int line, struct source_lines *source, struct arena *arena)
{
	char *text = NULL, expanded[LINE_MOST_BYTES + 1];
	size_t size = 0;

	source->first = line > 1 ? line - 1 : 1;
	for (int i = 1; i - 1 <= line && getline(&text, &size, stream) >= 0; i++) {
		if (i < source->first)
			continue;
		expand_tabs(text, expanded);
		source->lines[source->count++] = arena_text(arena, expanded);
	}
	free(text);
	if ((int)source->count <= line - source->first)
		source->count = 0; /* the file ends before the line */
	cut_indentation(source);
}

static struct source_lines read_source(const struct trace *trace, const struct site *site,
				       struct arena *arena)
{
	struct source_lines source = {0};
	enum source_age age;
	int descriptor;
	FILE *stream;
	char *path;

	if (!site->file || site->line <= 0)
		return source;
	descriptor = source_file_open(trace, site->file, &path);
	source.file = arena_text(arena, path ? path : site->file);
	free(path);
	if (descriptor < 0)
		return source;
	age = source_file_age(trace, site->file, descriptor);
	source.knows_age = age != SOURCE_UNKNOWN;
	source.has_changed = age == SOURCE_CHANGED;
	stream = fdopen(descriptor, "r");
	if (!stream) {
		close(descriptor);
		return source;
	}
	take_lines(stream, site->line, &source, arena);
	fclose(stream);
	return source;
}

struct sources *sources_read(const struct trace *trace, const struct analysis *analysis)
{
	struct sources *sources = memory_array(1, sizeof(*sources));

	sources->items = memory_array(analysis->findings.count, sizeof(*sources->items));
	for (size_t i = 0; i < analysis->findings.count; i++)
		sources->items[i] =
			read_source(trace, &analysis->findings.items[i].site, &sources->arena);
	return sources;
}

void sources_free(struct sources *sources)
{
	if (!sources)
		return;
	arena_free(&sources->arena);
	free(sources->items);
	free(sources);
}

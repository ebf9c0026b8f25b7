#include "findings/sources.h"

#include "base/memory.h"
#include "base/regular_file.h"
#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	FILE_MOST_BYTES = 16 << 20, /* a larger file is no source */
	LINE_MOST_BYTES = 400,	    /* the rest of a line is cut */
	TAB_COLUMNS = 8		    /* from one tab stop to the next */
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

/* When the trace began, in ns of CLOCK_REALTIME; 0: not known. */
static int64_t began_ns(const struct trace *trace)
{
	const char *text = trace_metadata(trace, "start_ns");

	return text ? strtoll(text, NULL, 10) : 0;
}

/* False: there is no such file. */
static bool read_path(const struct trace *trace, const char *path, int line,
		      struct source_lines *source, struct arena *arena)
{
	int file = regular_file_open(path);
	FILE *stream = file >= 0 ? fdopen(file, "r") : NULL;
	int64_t start_ns = began_ns(trace);
	struct stat status;

	if (!stream) {
		if (file >= 0)
			close(file);
		return false;
	}
	if (!fstat(file, &status) && status.st_size <= FILE_MOST_BYTES) {
		take_lines(stream, line, source, arena);
		source->knows_age = start_ns > 0;
		source->has_changed =
			start_ns > 0 && (status.st_mtim.tv_sec > start_ns / 1000000000 ||
					 (status.st_mtim.tv_sec == start_ns / 1000000000 &&
					  status.st_mtim.tv_nsec > start_ns % 1000000000));
	}
	fclose(stream);
	return true;
}

static struct source_lines read_source(const struct trace *trace, const struct site *site,
				       struct arena *arena)
{
	const char *folder = trace_metadata(trace, "working_directory");
	struct source_lines source = {0};
	char *below;

	if (!site->file || site->line <= 0)
		return source;
	source.file = arena_text(arena, site->file);
	if (*site->file != '/' && folder) {
		bool is_read;

		below = memory_format("%s/%s", folder, site->file);
		is_read = read_path(trace, below, site->line, &source, arena);
		if (is_read)
			source.file = arena_text(arena, below);
		free(below);
		if (is_read)
			return source;
	}
	read_path(trace, site->file, site->line, &source, arena);
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

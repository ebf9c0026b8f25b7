#include "commands/command.h"

#include "base/printable.h"
#include "base/progress.h"
#include "trace/trace.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void print_line(const char *format, va_list values)
{
	char *line = NULL;

	progress_end();
	if (vasprintf(&line, format, values) < 0)
		line = NULL;
	if (line)
		printable_make(line);
	fprintf(stderr, "streamtrace: %s\n", line ? line : "out of memory");
	free(line);
}

int command_fail(int status, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	print_line(format, values);
	va_end(values);
	return status;
}

void command_note(const char *format, ...)
{
	va_list values;

	va_start(values, format);
	print_line(format, values);
	va_end(values);
}

struct trace *command_load(const char *path)
{
	return command_load_by(path, trace_load);
}

struct trace *command_load_by(const char *path,
			      struct trace *(*load)(const char *path, char **error))
{
	char *error = NULL;
	struct trace *trace;

	progress_step("reading the trace");
	trace = load(path, &error);
	progress_step("looking up source lines");
	if (trace)
		trace_resolve_sites(trace);
	progress_end();
	if (!trace)
		command_fail(EXIT_UNREADABLE, "%s: %s", path, error);
	free(error);
	return trace;
}

#include "commands/command.h"

#include "base/format.h"
#include "base/free_memory.h"
#include "base/memory.h"
#include "base/printable.h"
#include "base/progress.h"
#include "findings/analysis.h"
#include "render/json_parts.h"
#include "trace/trace.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* malloc'ed, and safe to print. */
static char *make_line(const char *format, va_list values)
{
	char *line = NULL;

	progress_end();
	if (vasprintf(&line, format, values) < 0)
		return memory_format("%s", "out of memory");
	printable_make(line);
	return line;
}

/* What command_fail() said, a line each; NULL: nothing. */
static char *failures;

static void keep_failure(const char *line)
{
	char *before = failures;

	failures = before ? memory_format("%s\n%s", before, line) : memory_format("%s", line);
	free(before);
}

int command_fail(int status, const char *format, ...)
{
	va_list values;
	char *line;

	va_start(values, format);
	line = make_line(format, values);
	va_end(values);
	fprintf(stderr, "streamtrace: %s\n", line);
	keep_failure(line);
	free(line);
	return status;
}

void command_answer(int status)
{
	const char *kind = status == EXIT_USAGE	       ? "usage"
			   : status == EXIT_UNREADABLE ? "unreadable"
						       : NULL;

	if (kind && !has_printed_json())
		print_json(stdout, json_pack("{s:i, s:{s:s, s:s, s:i}}", "schema_version",
					     JSON_SCHEMA_VERSION, "error", "kind", kind, "message",
					     failures ? failures : "", "exit_status", status));
	free(failures);
	failures = NULL;
}

void command_note(const char *format, ...)
{
	va_list values;

	char *line;

	va_start(values, format);
	line = make_line(format, values);
	va_end(values);
	fprintf(stderr, "streamtrace: %s\n", line);
	free(line);
}

/* Better than to be killed after minutes. */
static bool has_room(const char *path, const struct trace *trace)
{
	uint64_t needed_bytes = analysis_least_bytes(trace), free_bytes = free_memory_bytes();
	struct format calls, operations, needed, left;

	if (needed_bytes <= free_bytes)
		return true;
	command_fail(EXIT_UNREADABLE,
		     "%s: has %s calls and %s GPU operations: a report on them "
		     "takes %s of memory and more, and %s are free. Record a part "
		     "of the run (STREAMTRACE_START=paused)",
		     path, format_count(&calls, trace->call_count),
		     format_count(&operations, trace->operation_count),
		     format_bytes(&needed, needed_bytes), format_bytes(&left, free_bytes));
	return false;
}

static struct trace *kept;

void command_keep(struct trace *trace)
{
	kept = trace;
}

static struct trace *load_trace(const char *path)
{
	static const char report[] = ".nsys-rep";
	const size_t length = strlen(path);
	char *error = NULL;
	struct trace *trace;

	progress_step("reading the trace");
	trace = trace_load(path, &error);
	progress_step("looking up source lines");
	if (trace)
		trace_resolve_sites(trace);
	progress_end();
	if (!trace && length > strlen(report) && !strcmp(path + length - strlen(report), report))
		command_fail(EXIT_UNREADABLE,
			     "%s: is a report of Nsight Systems: nsys export -t sqlite "
			     "--include-blobs=true makes a file that streamtrace reads",
			     path);
	else if (!trace)
		command_fail(EXIT_UNREADABLE, "%s: %s", path, error);
	free(error);
	return trace;
}

struct trace *command_load(const char *path)
{
	struct trace *trace = kept ? kept : load_trace(path);

	kept = NULL;
	if (trace && has_room(path, trace)) {
		progress_step("reading device code");
		trace_resolve_kernels(trace);
		progress_end();
		return trace_device_part(trace);
	}
	trace_close(trace);
	return NULL;
}

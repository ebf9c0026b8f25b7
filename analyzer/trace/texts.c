#include "trace/texts.h"

#include "base/memory.h"
#include "base/search.h"
#include "trace/short_name.h"
#include "trace/trace_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *file_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* The interpreter's first word that is no option; NULL: there is none. */
static char *script_of(const char *command_line)
{
	const char *word = command_line ? command_line + strcspn(command_line, " ") : "";

	for (word += strspn(word, " "); *word == '-'; word += strspn(word, " "))
		word += strcspn(word, " ");
	return *word ? memory_format("%.*s", (int)strcspn(word, " "), word) : NULL;
}

char *trace_text_program(const struct trace *trace)
{
	const char *program = trace_metadata(trace, "program"), *name;
	char *script, *text;

	if (!program || !*program)
		return NULL;
	name = file_of(program);
	script = strncmp(name, "python", 6) ? NULL
					    : script_of(trace_metadata(trace, "command_line"));
	text = memory_format("%s", script ? file_of(script) : name);
	free(script);
	return text;
}

static const char *relative_path(const struct trace *trace, const char *path)
{
	const char *folder = trace_metadata(trace, "working_directory");
	size_t length = folder ? strlen(folder) : 0;

	while (length > 0 && folder[length - 1] == '/')
		length--;
	if (length == 0 || strncmp(path, folder, length) != 0 || path[length] != '/')
		return path;
	return path + length + 1;
}

const char *trace_text_package_path(const char *path)
{
	static const char packages[] = "-packages/", standard[] = "/lib/python3.";
	const char *found = strstr(path, packages);

	if (found)
		return found + strlen(packages);
	found = strstr(path, standard);
	found = found ? strchr(found + strlen(standard), '/') : NULL;
	return found ? found + 1 : path;
}

bool trace_text_site_has_function(const struct trace *trace, const struct site *site)
{
	return !site->file && site->module && site->function && trace_metadata(trace, "recorder");
}

char *trace_text_site(const struct trace *trace, const struct site *site)
{
	struct short_name name;

	if (site->file && site->line > 0)
		return memory_format("%s:%d", relative_path(trace, site->file), site->line);
	if (site->file && !site->module)
		return memory_format("%s", relative_path(trace, site->file));
	if (!site->module)
		return memory_format("(call site unknown)");
	if (trace_text_site_has_function(trace, site))
		return memory_format("%s in %s",
				     short_name(&name, site->function, SHORT_NAME_FUNCTION),
				     file_of(site->module));
	return memory_format("%s+0x%" PRIx64 "", file_of(site->module), site->offset);
}

static const char *name_of_thread(const struct trace *trace, int64_t thread_id)
{
	size_t at = search(trace->thread_count, i, trace->threads[i].id < thread_id);

	return at < trace->thread_count && trace->threads[at].id == thread_id
		       ? trace->threads[at].name
		       : NULL;
}

static int64_t main_thread_id(const struct trace *trace)
{
	const char *process = trace_metadata(trace, "process_id");

	return process ? strtoll(process, NULL, 10) : -1;
}

bool trace_text_is_main_thread(const struct trace *trace, uint32_t thread_id)
{
	return thread_id == main_thread_id(trace);
}

char *trace_text_thread(const struct trace *trace, uint32_t thread_id)
{
	int64_t main_id = main_thread_id(trace);
	const char *name = name_of_thread(trace, thread_id), *usual;

	if (thread_id == main_id)
		return memory_format("main thread");
	usual = name_of_thread(trace, main_id);
	return name && *name && !(usual && !strcmp(name, usual))
		       ? memory_format("thread %s", name)
		       : memory_format("thread %u", thread_id);
}

/* The metadata's word for it, without what it begins with. */
static const char *reason_of_host_states(const struct trace *trace)
{
	static const char off[] = "off: ";
	const char *status = trace_metadata(trace, "host_states");

	if (trace_metadata(trace, "recorder"))
		return "another tool's trace";
	if (!status)
		return "a trace before format 2.5";
	if (!strncmp(status, "on", 2))
		return "the program ended before a thread was looked at";
	return strncmp(status, off, strlen(off)) ? status : status + strlen(off);
}

char *trace_text_no_host_states(const struct trace *trace)
{
	return trace->host_state_count
		       ? NULL
		       : memory_format("no host states recorded (%s): trace the program again with "
				       "streamtrace run, which records them by default",
				       reason_of_host_states(trace));
}

/* How many devices before index, or after it, have its name. */
static size_t count_same(const struct trace *trace, size_t index, size_t from, size_t to)
{
	size_t same = 0, i;

	for (i = from; i < to; i++)
		same += strcmp(trace->devices[i].name, trace->devices[index].name) == 0;
	return same;
}

char *trace_text_devices(const struct trace *trace)
{
	char *all = NULL, *longer;
	size_t i, same;

	for (i = 0; i < trace->device_count; i++) {
		if (count_same(trace, i, 0, i))
			continue;
		same = count_same(trace, i, i, trace->device_count);
		longer = same > 1 ? memory_format("%s%s%zu x %s", all ? all : "", all ? ", " : "",
						  same, trace->devices[i].name)
				  : memory_format("%s%s%s", all ? all : "", all ? ", " : "",
						  trace->devices[i].name);
		free(all);
		all = longer;
	}
	return all;
}

size_t trace_cut_texts(const struct trace *trace)
{
	return trace->private ? trace->private->arena.cut_texts : 0;
}

size_t trace_longest_text(const struct trace *trace)
{
	for (size_t i = 0; i < trace->operation_count; i++)
		if (trace->operations[i].form->name)
			trace_demangle(trace, trace->operations[i].form->name);
	return trace->private->arena.longest_text_bytes;
}
